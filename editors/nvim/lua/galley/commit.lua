-- Ending an edit: committing what is left, or reverting it.
local actions = require('galley.actions')
local editor = require('galley.editor')
local ext = require('galley.ext')
local notify = require('galley.notify')
local sessions = require('galley.sessions')
local state = require('galley.state')
local target = require('galley.target')

local M = {}

---@class galley.Outcome
---@field status 'committed'|'committing'|'reverted'|'reverting'
---@field session string
---@field edit integer
---@field hint? string
---@field applied_changes? integer
---@field files? string[]
---@field name string what it is called here

--- What is said of an outcome.
---@type table<string, string>
local words = {
  committed = '%s is committed%s',
  reverted = '%s is reverted',
  reverting = '%s: what was applied is being taken back',
}

---@param result galley.Outcome
---@param status? string what has become of it
local function tell(result, status)
  local n, files, what = result.applied_changes or 0, result.files or {}, ''
  if result.status == 'committed' and #files > 0 then -- else it was not known yet
    local where = #files == 1 and files[1] or editor.count(#files, 'file')
    what = (': %s in %s'):format(editor.count(n, 'change'), where)
  end
  notify.info(words[status or result.status]:format(result.name, what))
end

--- Commits whose text is on its way, by client.
---@type table<integer, galley.Outcome[]>
local committing = {}

--- The server said what is open now: a commit is over when its edit is not.
---@param client_id integer
function M.changed(client_id)
  committing[client_id] = vim.tbl_filter(function(result)
    for _, edit in ipairs(state.workspace(client_id).changes.edits) do
      if edit.session == result.session and edit.edit == result.edit then
        return edit.state == 'committing' -- else it failed, and the server said why
      end
    end
    tell(result, 'committed')
    return false
  end, committing[client_id] or {})
end

--- Whether letters may go: several do not by a slip of the finger.
---@param changes galley.Change[]
---@param name string
---@return boolean
local function may_go(changes, name)
  local question = ('Revert %s of %s?'):format(editor.count(#changes, 'change'), name)
  return #changes < 2 or editor.agreed(question, 'Revert')
end

---@param c vim.lsp.Client
---@param verb 'Commit'|'Revert'
---@param argument table
local function close(c, verb, argument)
  target.edit(c, verb, function(edit)
    argument.session, argument.edit = edit and edit.session, edit and edit.edit
    argument.seq = target.seq(c)
    local name = edit and (sessions.name(c.id, edit) or '#' .. edit.edit)
    local _, all = actions.seen(verb:lower(), target.of(c, edit))
    if not all then
      return
    elseif verb == 'Revert' then
      local going = target.of(c, edit, argument.includeApplied)
      if not argument.confirmed and not may_go(going, name or '') then
        return notify.info('nothing was reverted')
      end
      argument.confirmed = true
    end
    actions.execute(c, ext.commands[verb:lower()], argument, function(result)
      result.name = name or '#' .. result.edit
      if result.status == 'committing' then
        committing[c.id] = vim.list_extend(committing[c.id] or {}, { result })
        M.changed(c.id)
      else
        tell(result)
      end
      if result.hint and result.hint ~= '' then
        notify.info(result.hint)
      end
    end)
  end)
end

---@type fun(summary?: string)
M.commit = actions.with_client(function(c, summary)
  close(c, 'Commit', { summary = summary })
end)

--- With applied, what is applied is taken back, too. Asks before two letters or more go, but where that was done.
---@type fun(reason?: string, applied?: boolean, is_confirmed?: boolean)
M.revert = actions.with_client(function(c, reason, applied, is_confirmed)
  local argument = { reason = reason, includeApplied = applied or nil }
  argument.confirmed = is_confirmed or nil
  close(c, 'Revert', argument)
end)

return M
