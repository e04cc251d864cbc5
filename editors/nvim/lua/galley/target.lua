-- What the user means: the change at the cursor or the only one, the edit that is open, the message that was seen.
local editor = require('galley.editor')
local notify = require('galley.notify')
local preview = require('galley.preview')
local sessions = require('galley.sessions')
local state = require('galley.state')

local api = vim.api

local M = {}

--- The change at the cursor.
---@return galley.Change?
function M.at_cursor()
  local place = preview.at(api.nvim_get_current_buf(), api.nvim_win_get_cursor(0)[1] - 1)
  return place and place.change
end

--- The letter of a document that shows one change.
---@return string?
function M.of_document()
  return api.nvim_buf_get_name(0):match('^galley:/.*/changes/%d+/(%u)%.diff$')
end

--- What a decision on a change says: which one it was, as it was shown.
---@param change galley.Change
---@return table
function M.shown(change)
  return {
    change = change.change,
    revision = change.revision,
    session = change.session,
    edit = change.edit,
  }
end

--- The change that is meant: the named one, else the one at the cursor, else the only one there is.
---@param c vim.lsp.Client
---@param letter? string
---@param all? boolean also those that are decided
---@return table? argument nil: it was said what is missing
---@return galley.Change?
function M.change(c, letter, all)
  local pending = state.pending(c.id)
  letter = letter or M.of_document()
  local change = letter and state.find(c.id, letter:upper()) or not letter and M.at_cursor() or nil
  if not letter and not change and #pending == 1 then
    change = pending[1].change
  end
  if change then
    return M.shown(change), change
  elseif letter then
    return { change = letter:upper() }
  elseif all then
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
  local here = state.changes(c.id, function(change, f)
    local range = change.range
    local is_here = f == file and range.start.line <= row and row <= range['end'].line
    return is_here and change.state == 'rejected'
  end)[1]
  return here and here.change.change or M.only(c, 'rejected')
end

--- The letter that is in a state, if there is just one.
---@param c vim.lsp.Client
---@param which galley.State
---@return string?
function M.only(c, which)
  local found = state.changes(c.id, function(change)
    return change.state == which
  end)
  return #found == 1 and found[1].change.change or nil
end

--- Calls fn with the edit that is meant: the only open one, or one that is chosen.
---@param c vim.lsp.Client
---@param verb 'Commit'|'Revert'|'Show'
---@param fn fun(edit?: galley.EditingSession)
function M.edit(c, verb, fn)
  local edits = state.workspace(c.id).changes.edits
  if #edits < 2 then
    return fn(edits[1])
  end
  vim.ui.select(edits, {
    prompt = verb .. ' which edit?',
    kind = 'galley_edit',
    format_item = function(edit)
      local summary = edit.summary ~= '' and ': ' .. edit.summary or ''
      local count = editor.count(edit.pending, 'change')
      return ('%s %s of %s%s'):format(verb, count, sessions.name(c.id, edit), summary)
    end,
  }, function(edit)
    if edit then
      fn(edit)
    end
  end)
end

--- The changes of an edit that wait, all without one.
---@param c vim.lsp.Client
---@param edit? galley.EditingSession
---@param applied? boolean those that are applied, too
---@return galley.Change[]
function M.of(c, edit, applied)
  local found = state.changes(c.id, function(change)
    local is_of = not edit or change.edit == edit.edit and change.session == edit.session
    return is_of and (state.is_pending(change) or applied and change.state == 'applied')
  end)
  return vim.tbl_map(function(p)
    return p.change
  end, found)
end

--- The number of the message that the user has seen.
---@param c vim.lsp.Client
---@return integer?
function M.seq(c)
  return state.workspace(c.id).changes.seq
end

return M
