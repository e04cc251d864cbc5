-- What the server wants to change in buffers. Neovim's own handler applies a stale edit where the version is 0, or
-- where it is not the first of several, and answers that it has applied what it refused: here it is all or nothing.
local compat = require('galley.compat')
local editor = require('galley.editor')
local rename = require('galley.rename')
local state = require('galley.state')
local versions = require('galley.versions')

local api = vim.api

local M = {}

---@param bufnr integer
---@param edit lsp.TextEdit
---@param encoding string
local function make(bufnr, edit, encoding)
  local count = versions.is_bare(bufnr) and 0 or api.nvim_buf_line_count(bufnr)
  local start, stop = edit.range.start, edit.range['end']
  local text = edit.newText:gsub(versions.ending(bufnr), '\n')
  local new = vim.split(text, '\n', { plain = true })
  local srow, scol = state.place(bufnr, start, encoding)
  if stop.line < count then
    local erow, ecol = state.place(bufnr, stop, encoding)
    return api.nvim_buf_set_text(bufnr, srow, scol, erow, ecol, new)
  end
  -- Behind the last line: there the text ends, after the last line's own end.
  if srow < count then
    new[1] = api.nvim_buf_get_lines(bufnr, srow, srow + 1, true)[1]:sub(1, scol) .. new[1]
  end
  if new[#new] == '' then
    new[#new] = nil
  end
  api.nvim_buf_set_lines(bufnr, math.min(srow, count), -1, false, new)
end

--- Makes edits of one buffer, from the last to the first, so that the places hold.
---@param bufnr integer
---@param edits lsp.TextEdit[]
---@param encoding string
function M.make(bufnr, edits, encoding)
  local order = {} ---@type table<lsp.TextEdit, integer> as they came: those of one place stay in order
  for i, edit in ipairs(edits) do
    order[edit] = i
  end
  table.sort(edits, function(a, b)
    local p, q = a.range.start, b.range.start
    return state.before(q, p) or not state.before(p, q) and order[a] > order[b]
  end)
  for _, edit in ipairs(edits) do
    make(bufnr, edit, encoding)
  end
end

---@class galley.Work what is to be done to one buffer
---@field bufnr integer
---@field edits? lsp.TextEdit[]
---@field from? string the file's name
---@field to? string another name for it

--- What an edit asks for, or why it cannot be done. Files are made and deleted by the server itself.
---@param client vim.lsp.Client
---@param edit lsp.TextDocumentEdit|lsp.RenameFile
---@return galley.Work?
---@return string? problem
local function work(client, edit)
  if edit.kind == 'rename' then
    return rename.prepare(client, edit --[[@as lsp.RenameFile]])
  elseif edit.kind then
    return nil, ('an edit of kind %s is not known here'):format(edit.kind)
  end
  local doc = edit.textDocument
  local bufnr, name = state.bufnr(client, doc.uri), editor.name(doc.uri)
  if not bufnr then
    return nil, ('%s is not open here'):format(name)
  elseif doc.version ~= versions.of(bufnr) then
    return nil, ('%s has changed meanwhile; try again'):format(name)
  elseif not vim.bo[bufnr].modifiable then
    return nil, ("%s cannot be changed ('modifiable' is off)"):format(name)
  end
  return { bufnr = bufnr, edits = edit.edits }
end

--- All or nothing: names first, which the disk may refuse.
---@param client vim.lsp.Client
---@param params lsp.ApplyWorkspaceEditParams
---@return lsp.ApplyWorkspaceEditResult
function M.apply(client, params)
  local all = {} ---@type galley.Work[]
  for _, edit in ipairs(params.edit.documentChanges or {}) do
    local one, problem = work(client, edit)
    if not one then
      return { applied = false, failureReason = problem }
    end
    all[#all + 1] = one
  end
  local moved, problem = rename.move(all)
  if not moved then
    return { applied = false, failureReason = problem }
  end
  local preview = require('galley.preview')
  for _, one in ipairs(all) do
    local ok, err ---@type boolean, any
    if one.edits then
      preview.hide(one.bufnr, one.edits)
      ok, err = pcall(M.make, one.bufnr, one.edits, client.offset_encoding)
    else
      ok, err = pcall(rename.follow, one)
    end
    if not ok then
      return { applied = false, failureReason = tostring(err) }
    end
  end
  vim.schedule(function() -- the text decides: it is sent without waiting for more
    if not compat.is_stopped(client) then
      require('galley.client').sync(client)
    end
  end)
  return { applied = true }
end

return M
