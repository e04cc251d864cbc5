-- Going to a place in a file.
local documents = require('galley.documents')
local editor = require('galley.editor')
local ext = require('galley.ext')
local preview = require('galley.preview')
local state = require('galley.state')

local api = vim.api

local M = {}

--- Whether a file may be shown in a window.
---@param win integer
---@return boolean
local function is_plain(win)
  local bufnr = api.nvim_win_get_buf(win)
  return api.nvim_win_get_config(win).relative == ''
    and vim.bo[bufnr].buftype == ''
    and not vim.wo[win].previewwindow
    and not vim.wo[win].winfixbuf
end

--- The window in which a buffer is to be shown: one that shows it, else the current one, else any that may.
---@param bufnr integer
---@return integer
function M.window(bufnr)
  local current = api.nvim_get_current_win()
  local wins = vim.list_extend({ current }, api.nvim_tabpage_list_wins(0))
  local function shows(win)
    local floats = api.nvim_win_get_config(win).relative ~= ''
    return api.nvim_win_get_buf(win) == bufnr and (win == current or not floats)
  end
  local win = vim.iter(wins):find(shows) or vim.iter(wins):find(is_plain)
  if not win then
    vim.cmd('topleft split')
    win = api.nvim_get_current_win()
  end
  return win
end

--- Puts the cursor on a row, so that what lies around it can be seen.
---@param win integer
---@param row integer 0-based
---@param col integer
function M.cursor(win, row, col)
  local bufnr = api.nvim_win_get_buf(win)
  row = math.min(row, api.nvim_buf_line_count(bufnr) - 1)
  local seen = vim.fn.line('w0', win) <= row + 1 and row + 1 <= vim.fn.line('w$', win)
  api.nvim_win_set_cursor(win, { row + 1, col })
  vim.fn.win_execute(win, seen and 'normal! zv' or 'normal! zvzz')
end

--- Shows a place in a file.
---@param client vim.lsp.Client
---@param uri string
---@param at? fun(bufnr: integer): integer, integer row and byte
---@return boolean
local function show(client, uri, at)
  -- By the name that :edit would give it.
  local bufnr = state.bufnr(client, uri) or vim.fn.bufadd(editor.name(uri))
  local win = M.window(bufnr)
  vim.cmd("normal! m'")
  api.nvim_set_current_win(win)
  if api.nvim_win_get_buf(win) ~= bufnr then
    vim.bo[bufnr].buflisted = true
    local ok, err = pcall(api.nvim_win_set_buf, win, bufnr)
    if not ok then
      require('galley.notify').warn(tostring(err):gsub('^.-(E%d+:)', '%1'))
      return false
    end
  end
  if at then
    M.cursor(win, at(bufnr))
    preview.seen(win)
  end
  return true
end

--- Goes to a change: where it is now, or, where there is no such file yet, to the document that shows it.
---@param client vim.lsp.Client
---@param change galley.Change
---@param file galley.File
---@return boolean
function M.change(client, change, file)
  if not state.bufnr(client, file.uri) and not vim.uv.fs_stat(vim.uri_to_fname(file.uri)) then
    local name = ('changes/%d/%s.diff'):format(change.edit, change.change)
    return documents.open(documents.uri(name, change.session), { client = client })
  end
  return show(client, file.uri, function(bufnr)
    return preview.start(client, bufnr, change)
  end)
end

--- Shows a place in a file, or a document of galley's own.
---@param client vim.lsp.Client
---@param uri string
---@param range? lsp.Range
---@return boolean
function M.to(client, uri, range)
  if vim.startswith(uri, ext.scheme .. ':') then
    return documents.open(uri, { client = client })
  end
  return show(client, uri, range and function(bufnr)
    return state.place(bufnr, range.start, client.offset_encoding)
  end)
end

return M
