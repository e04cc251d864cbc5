-- A file beside what is proposed for it, in diff mode.
local actions = require('galley.actions')
local config = require('galley.config')
local documents = require('galley.documents')
local editor = require('galley.editor')
local notify = require('galley.notify')
local state = require('galley.state')

local api = vim.api

local M = {}

--- The window of the proposed text, by the window of the file.
---@type table<integer, {win: integer, bufnr: integer, client_id: integer}>
local pairs_of = {}

---@param win integer
local function close(win)
  local pair = pairs_of[win]
  pairs_of[win] = nil
  if pair and editor.is_window(pair.win) and #api.nvim_list_wins() > 1 then
    pcall(api.nvim_win_close, pair.win, true)
  end
  if pair and editor.is_window(win) then
    vim.fn.win_execute(win, 'diffoff')
  end
end

---@param win integer
---@return boolean
local function is_open(win)
  local pair = pairs_of[win]
  local is_there = pair and editor.is_window(pair.win) and editor.is_window(win)
  return is_there and api.nvim_win_get_buf(win) == pair.bufnr or false
end

--- Opens the proposed text to the right of a window. The cursor stays where it is.
---@param client vim.lsp.Client
---@param win integer
---@param file galley.File
local function open(client, win, file)
  local bufnr = api.nvim_win_get_buf(win)
  local proposed = vim.fn.bufadd(documents.uri('files/' .. vim.uri_encode(file.path, 'rfc2396')))
  vim.b[proposed].galley_client = client.id
  local other ---@type integer
  api.nvim_win_call(win, function()
    vim.cmd('rightbelow vsplit')
    other = api.nvim_get_current_win()
    api.nvim_win_set_buf(other, proposed)
  end)
  vim.wo[other][0].winbar = ' proposed'
  pairs_of[win] = { win = other, bufnr = bufnr, client_id = client.id }
  if api.nvim_buf_line_count(proposed) > 1 then -- it was there already
    M.refreshed(proposed)
  end
end

--- Opens the proposed text beside the current file, or closes it.
M.toggle = actions.with_client(function(c)
  local win = api.nvim_get_current_win()
  for file, pair in pairs(pairs_of) do
    if pair.win == win then
      return close(file)
    end
  end
  if is_open(win) then
    return close(win)
  end
  local file = state.file(c, api.nvim_win_get_buf(win))
  if not file then
    return notify.info('nothing is proposed for this file')
  end
  open(c, win, file)
end)

--- A proposed text was read again.
---@param bufnr integer
function M.refreshed(bufnr)
  for win, pair in pairs(pairs_of) do
    if is_open(win) and api.nvim_win_get_buf(pair.win) == bufnr then
      for _, w in ipairs({ win, pair.win }) do
        vim.fn.win_execute(w, vim.wo[w].diff and 'diffupdate' or 'diffthis')
      end
    end
  end
end

---@param client vim.lsp.Client
---@param bufnr integer
---@return galley.File? in which something waits
local function pending_in(client, bufnr)
  local file = state.file(client, bufnr)
  return file and vim.iter(file.changes):any(state.is_pending) and file or nil
end

--- With the style "split" the current file is shown beside its proposal as long as something waits in it.
---@param client_id integer
function M.changed(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  for win, pair in pairs(pairs_of) do
    local is_over = client and pair.client_id == client_id and not pending_in(client, pair.bufnr)
    if is_over or not is_open(win) then
      close(win)
    end
  end
  if config.get().preview.style ~= 'split' or not client then
    return
  end
  local win = api.nvim_get_current_win()
  local bufnr = api.nvim_win_get_buf(win)
  local file = vim.bo[bufnr].buftype == '' and pending_in(client, bufnr)
  if file and not is_open(win) then
    open(client, win, file)
  end
end

local function all_changed()
  for id in pairs(state.all()) do
    M.changed(id)
  end
end

--- The style is another now.
function M.restyle()
  if config.get().preview.style ~= 'split' then
    for win in pairs(pairs_of) do
      close(win)
    end
  end
  all_changed()
end

local function tidy(ev)
  for win in pairs(pairs_of) do
    if not is_open(win) then
      close(win)
    end
  end
  if ev.event == 'BufWinEnter' and config.get().preview.style == 'split' then
    all_changed()
  end
end
local events = { 'WinClosed', 'BufWinEnter' }
editor.on(events, 'the proposed text goes with its file', vim.schedule_wrap(tidy))

return M
