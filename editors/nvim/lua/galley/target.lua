-- What the user means: the change at the cursor or the only one, the edit that is open, the message that was seen.
local notify = require('galley.notify')
local preview = require('galley.preview')
local state = require('galley.state')

local api = vim.api

local M = {}

---@param bufnr integer
---@return galley.Change?
function M.at_cursor(bufnr)
  local place = preview.at(bufnr, api.nvim_win_get_cursor(0)[1] - 1)
  return place and place.change
end

--- The letter of a document that shows one change.
---@param bufnr integer
---@return string?
function M.of_document(bufnr)
  return api.nvim_buf_get_name(bufnr):match('^galley:/.*/changes/%d+/(%u)%.diff$')
end

--- The change that is meant: the named one, else the one at the cursor, else the only one there is.
---@param c vim.lsp.Client
---@param letter? string
---@param all? boolean also those that are decided
---@return table? argument nil: it was said what is missing
function M.change(c, letter, all)
  local bufnr = api.nvim_get_current_buf()
  letter = letter or M.of_document(bufnr)
  local change ---@type galley.Change?
  if letter then
    letter = letter:upper()
    change = state.find(c.id, letter)
    return { change = letter, revision = change and change.revision or nil }, change
  end
  change = M.at_cursor(bufnr)
  local pending = state.pending(c.id)
  if not change and #pending == 1 then
    change = pending[1].change
  end
  if change then
    return { change = change.change, revision = change.revision }, change
  end
  if all then
    return {}
  end
  if #pending == 0 then
    notify.info('nothing waits for a decision')
  else
    local key = require('galley.keys').key('next') or ':Galley next'
    notify.info(('no change on this line; %s goes to the next of %d'):format(key, #pending))
  end
end

--- The letter to bring back: the rejected one of the current line, else the only one.
---@param c vim.lsp.Client
---@return string?
function M.rejected(c)
  local row = api.nvim_win_get_cursor(0)[1] - 1
  local file = state.file(c, api.nvim_get_current_buf())
  local found = {} ---@type string[]
  for _, f in ipairs((state.workspace(c.id).changes or { files = {} }).files) do
    for _, change in ipairs(f.changes) do
      if change.state == 'rejected' then
        table.insert(found, change.change)
        if f == file and change.range.start.line <= row and row <= change.range['end'].line then
          return change.change
        end
      end
    end
  end
  return #found == 1 and found[1] or nil
end

---@param c vim.lsp.Client
---@return string?
function M.only_conflict(c)
  local found ---@type string?
  for _, p in ipairs(state.pending(c.id)) do
    if p.change.state == 'conflict' then
      if found then
        return
      end
      found = p.change.change
    end
  end
  return found
end

--- Calls fn with the edit that is meant: the only open one, or one that is chosen.
---@param c vim.lsp.Client
---@param verb string
---@param fn fun(edit?: galley.EditingSession)
function M.edit(c, verb, fn)
  local changes = state.workspace(c.id).changes
  local edits = changes and changes.edits or {}
  if #edits < 2 then
    return fn(edits[1])
  end
  vim.ui.select(edits, {
    prompt = verb .. ' which edit?',
    kind = 'galley_edit',
    format_item = function(edit)
      local summary = edit.summary ~= '' and ': ' .. edit.summary or ''
      return ('#%d%s (%d waiting)'):format(edit.edit, summary, edit.pending)
    end,
  }, function(edit)
    if edit then
      fn(edit)
    end
  end)
end

--- The changes of an edit that wait, all without one.
---@param c vim.lsp.Client
---@param edit? galley.Edit
---@return galley.Change[]
function M.of(c, edit)
  local out = {} ---@type galley.Change[]
  for _, p in ipairs(state.pending(c.id)) do
    if not edit or p.change.edit == edit.edit and p.change.session == edit.session then
      out[#out + 1] = p.change
    end
  end
  return out
end

--- The number of the message that the user has seen.
---@param c vim.lsp.Client
---@return integer?
function M.seq(c)
  local changes = state.workspace(c.id).changes
  return changes and changes.seq
end

return M
