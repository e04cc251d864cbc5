-- The page of the window that follows runs: what it shows, and what its keys do.
local config = require('galley.config')
local client = require('galley.client')
local documents = require('galley.documents')
local editor = require('galley.editor')
local ext = require('galley.ext')
local panes = require('galley.panes')
local state = require('galley.state')
local transcript = require('galley.transcript')

local api = vim.api

local M = {}

local ns = api.nvim_create_namespace('galley.run')

local pace = 60 -- milliseconds between two renderings

---@class galley.RunWindow
---@field client_id integer
---@field bufnr? integer
---@field win? integer
---@field lines? galley.Told[]
---@field timer? uv.uv_timer_t
---@field closing? uv.uv_timer_t

local words = { tool = 'working', cancelled = 'stopped' } -- other states are called what they are

--- The newest run.
---@param view galley.RunWindow
---@return galley.RunState?
function M.newest(view)
  local runs = state.workspace(view.client_id).runs
  return runs[#runs]
end

---@param view galley.RunWindow
---@return string
function M.title(view)
  local run = M.newest(view)
  if not run then
    return ' galley '
  end
  local goes_on = run.step > 0 and not state.is_over(run)
  local step = goes_on and (' · step %d'):format(run.step) or ''
  local tool = run.state == 'tool' and run.tool and ' · ' .. run.tool or ''
  return (' galley · %s%s%s '):format(words[run.state] or run.state, tool, step)
end

--- What keys do in the window.
---@param view galley.RunWindow
---@return string
local function help(view)
  local running = state.running(view.client_id) ~= nil
  return (running and ' Ctrl-C stops it' or ' Enter goes there') .. ' · i asks more · q closes '
end

--- Title and height.
---@param view galley.RunWindow
---@param win integer
---@param rows integer of text
local function frame(view, win, rows)
  local conf = api.nvim_win_get_config(win)
  local most = config.get().run.height
  if conf.relative == '' then
    local bar = (M.title(view) .. '%=' .. help(view)):gsub('%%([^=])', '%%%%%1')
    vim.wo[win][0].winbar = bar
    local height = math.min(rows + 1, most)
    if api.nvim_win_get_height(win) < height then
      panes.quietly(function()
        api.nvim_win_set_height(win, height)
      end)
    end
    return
  end
  conf.title, conf.footer = M.title(view), help(view)
  conf.height = math.max(1, math.min(rows, most))
  api.nvim_win_set_config(win, conf)
end

--- Writes down how it stands now. The window stays at the end, unless the user has gone elsewhere in it.
---@param view galley.RunWindow
function M.render(view)
  if not view.bufnr or not api.nvim_buf_is_valid(view.bufnr) then
    return
  end
  local bufnr = view.bufnr
  local lines = transcript.lines(view.client_id)
  view.lines = lines
  local following = vim.tbl_filter(function(win)
    return api.nvim_win_get_cursor(win)[1] == api.nvim_buf_line_count(bufnr)
  end, vim.fn.win_findbuf(bufnr))
  local texts = vim.tbl_map(function(line)
    return line.text
  end, lines)
  documents.set_lines(bufnr, texts)
  api.nvim_buf_clear_namespace(bufnr, ns, 0, -1)
  for i, line in ipairs(lines) do
    if line.group then
      api.nvim_buf_set_extmark(bufnr, ns, i - 1, 0, { end_col = #line.text, hl_group = line.group })
    end
  end
  local win = view.win
  if win and editor.is_window(win) then
    frame(view, win, panes.rows(texts, win))
  end
  for _, w in ipairs(following) do
    api.nvim_win_set_cursor(w, { #lines, 0 })
    vim.fn.win_execute(w, 'normal! zb')
  end
end

---@param v galley.RunWindow
function M.render_soon(v)
  v.timer = v.timer or vim.defer_fn(function()
    v.timer = nil
    M.render(v)
  end, pace)
end

--- Asks once for what was said in the current session before the server was started.
---@param v galley.RunWindow
function M.recall(v)
  local w, c = state.workspace(v.client_id), vim.lsp.get_client_by_id(v.client_id)
  local session = w.changes.session
  if session == '' or w.earlier[session] or not c then
    return
  end
  w.earlier[session] = {}
  client.execute(c, ext.commands.runs, { session = session }, function(err, messages)
    for _, message in ipairs(not err and messages or {}) do
      state.put_run(v.client_id, message, w.earlier[session]).earlier = true
    end
    M.render(v)
  end)
end

--- Goes to what the line at the cursor tells of: the letter at the cursor or the first one, else the file.
---@param v galley.RunWindow
---@return boolean gone
local function go(v)
  local line = v.lines and v.lines[api.nvim_win_get_cursor(0)[1]]
  local call, c = line and line.call, vim.lsp.get_client_by_id(v.client_id)
  if not call or not call.path or not c then
    return false
  end
  local here = vim.fn.expand('<cword>')
  local letters = call.letters or {}
  local letter = vim.list_contains(letters, here) and here or letters[1]
  local change, file = state.find(v.client_id, letter or '', call.path)
  local jump = require('galley.jump')
  if change and file then
    return jump.change(c, change, file)
  end
  local path = vim.fs.joinpath(state.workspace(v.client_id).root, call.path)
  return vim.uv.fs_stat(path) ~= nil and jump.to(c, vim.uri_from_fname(path))
end

---@param view galley.RunWindow
---@param bufnr integer
local function keys(view, bufnr)
  local function ask()
    require('galley.ask').ask({ box = true })
  end
  local function enter()
    return go(view) or ask()
  end
  editor.map(bufnr, 'n', { 'q' }, 'close', require('galley.run').close)
  editor.map(bufnr, 'n', { '<C-c>' }, 'stop the run', require('galley.run').cancel)
  editor.map(bufnr, 'n', { 'i', 'a', 'o' }, 'ask more', ask)
  editor.map(bufnr, 'n', { '<CR>' }, 'to the letter or the file of the line, else ask more', enter)
end

--- The buffer, made where there is none.
---@param v galley.RunWindow
---@return integer
function M.buffer(v)
  if v.bufnr and api.nvim_buf_is_valid(v.bufnr) then
    return v.bufnr
  end
  local bufnr = api.nvim_create_buf(false, true)
  v.bufnr = bufnr
  vim.b[bufnr].galley_client = v.client_id
  local bo = vim.bo[bufnr]
  bo.bufhidden, bo.modifiable, bo.undolevels, bo.filetype = 'hide', false, -1, 'galley-run'
  pcall(api.nvim_buf_set_name, bufnr, 'galley-run://' .. v.client_id)
  keys(v, bufnr)
  return bufnr
end

return M
