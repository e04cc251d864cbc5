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

--- When that was, as os.time counts.
---@param time string as 2026-11-29T10:00:00Z
---@return integer
local function moment(time)
  local y, m, d, h, min, s = time:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  local at = { year = y, month = m, day = d, hour = h, min = min, sec = s, isdst = false }
  local now = os.date('!*t') --[[@as osdateparam]]
  return os.time() - (os.time(now) - os.time(at))
end

--- Whether a decision that was not named may be taken back: one made elsewhere, or an old one, is asked about.
---@param decision galley.Decision
---@return boolean
local function may_go(decision)
  local at = moment(decision.time)
  if decision.by == 'Neovim' and os.time() - at < unasked then
    return true
  end
  local by = decision.by ~= '' and decision.by or 'somebody'
  local question = 'Take back: %s (by %s, %s)?'
  local when = os.date('%Y-%m-%d %H:%M', at)
  return editor.agreed(question:format(called(decision), by, when), 'Take back')
end

--- Takes back the decision of that name, or the latest one that the user has seen.
---@type fun(name?: string)
M.undo = actions.with_client(function(c, name)
  local latest = state.workspace(c.id).changes.latest
  if not name and latest and not may_go(latest) then
    return notify.info('nothing was taken back')
  end
  local argument = { decision = name or latest and latest.decision }
  actions.execute(c, ext.commands.undo, argument, function(result)
    local undone = result.undone
    local files, hint = table.concat(undone.files, ', '), undone.hint or ''
    notify.info(
      ('taken back: %s%s%s'):format(
        called(undone),
        files ~= '' and ' in ' .. files or '',
        hint ~= '' and '; ' .. hint or ''
      )
    )
  end)
end)

return M
