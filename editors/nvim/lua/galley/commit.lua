-- Ending an edit: committing what is left, or reverting it.
local actions = require('galley.actions')
local ext = require('galley.ext')
local notify = require('galley.notify')
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

---@param result galley.Outcome
local function committed(result)
  local n, files = result.applied_changes or 0, result.files or {}
  if result.status == 'committing' or #files == 0 then -- then it was not known yet
    return notify.info(('#%d is committed'):format(result.edit))
  end
  local where = #files == 1 and files[1] or ('%d files'):format(#files)
  notify.info(
    ('#%d is committed: %d change%s in %s'):format(result.edit, n, n == 1 and '' or 's', where)
  )
end

--- Commits whose text is on its way, by client.
---@type table<integer, galley.Outcome[]>
local committing = {}

--- The server said what is open now: a commit is over when its edit is not.
---@param client_id integer
function M.changed(client_id)
  local changes = state.workspace(client_id).changes
  committing[client_id] = vim.tbl_filter(function(result)
    for _, edit in ipairs(changes and changes.edits or {}) do
      if edit.session == result.session and edit.edit == result.edit then
        return edit.state == 'committing' -- else it failed, and the server said why
      end
    end
    committed(result)
    return false
  end, committing[client_id] or {})
end

---@param c vim.lsp.Client
---@return fun(result: galley.Outcome)
local function outcome(c)
  return function(result)
    if result.status == 'committed' then
      committed(result)
    elseif result.status == 'reverted' then
      notify.info(('#%d is reverted'):format(result.edit))
    elseif result.status == 'reverting' then
      notify.info(('#%d: what was applied is being taken back'):format(result.edit))
    else
      committing[c.id] = committing[c.id] or {}
      table.insert(committing[c.id], result)
      M.changed(c.id)
    end
    if result.hint and result.hint ~= '' then
      notify.info(result.hint)
    end
  end
end

---@param c vim.lsp.Client
---@param verb 'Commit'|'Revert'
---@param argument table
local function close(c, verb, argument)
  target.edit(c, verb, function(edit)
    argument.session, argument.edit = edit and edit.session, edit and edit.edit
    argument.seq = target.seq(c)
    local _, all = actions.seen(verb:lower(), target.of(c, edit))
    if not all then
      return
    end
    actions.execute(c, ext.commands[verb:lower()], argument, { done = outcome(c) })
  end)
end

---@type fun(summary?: string)
M.commit = actions.with_client(function(c, summary)
  close(c, 'Commit', { summary = summary })
end)

--- With applied, what is applied is taken back, too.
---@type fun(reason?: string, applied: boolean)
M.revert = actions.with_client(function(c, reason, applied)
  close(c, 'Revert', { reason = reason, includeApplied = applied or nil })
end)

return M
