-- Taking back the latest decision of the workspace, whoever made it.
local actions = require('galley.actions')
local editor = require('galley.editor')
local ext = require('galley.ext')
local notify = require('galley.notify')
local state = require('galley.state')

local M = {}

local unasked = 3600 -- seconds for which one's own decision goes without a question

--- What became of the letters, by what was decided.
---@type table<string, string>
local became = {
  apply = 'applied',
  reject = 'rejected',
  resolve = 'resolved',
  commit = 'committed',
  revert = 'reverted',
}

--- "A, B committed".
---@param decision {what: string, letters: string[]}
---@return string
local function called(decision)
  return table.concat(decision.letters, ', ') .. ' ' .. (became[decision.what] or decision.what)
end

--- How long ago that was, in seconds.
---@param time string as 2026-11-29T10:00:00Z
---@return integer
local function age(time)
  local y, m, d, h, min, s = time:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  local at = { year = y, month = m, day = d, hour = h, min = min, sec = s, isdst = false }
  local now = os.date('!*t') --[[@as osdateparam]]
  return os.time(now) - os.time(at)
end

--- Takes back the decision that the user has seen. Asks where it was made elsewhere, or is old.
M.undo = actions.with_client(function(c)
  local latest = state.workspace(c.id).changes.latest
  local argument ---@type table?
  if latest then
    local own = latest.by == 'Neovim' and age(latest.time) < unasked
    local ago = os.date('%Y-%m-%d %H:%M', os.time() - age(latest.time))
    local by = latest.by ~= '' and latest.by or 'somebody'
    local question = ('Take back: %s (by %s, %s)?'):format(called(latest), by, ago)
    if not own and not editor.agreed(question, 'Take back') then
      return notify.info('nothing was taken back')
    end
    argument = { decision = latest.decision, confirmed = true }
  end
  actions.execute(c, ext.commands.undo, argument, function(result)
    local undone, files = result.undone, table.concat(result.undone.files, ', ')
    local where = files ~= '' and ' in ' .. files or ''
    local hint = (undone.hint or '') ~= '' and '; ' .. undone.hint or ''
    notify.info('taken back: ' .. called(undone) .. where .. hint)
  end)
end)

return M
