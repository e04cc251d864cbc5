-- What the agent says: a window that follows its runs.
local actions = require('galley.actions')
local config = require('galley.config')
local documents = require('galley.documents')
local ext = require('galley.ext')
local notify = require('galley.notify')
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

---@type galley.RunWindow?
local view

local words = {
  thinking = 'thinking',
  tool = 'working',
  waiting = 'waiting',
  done = 'done',
  failed = 'failed',
  cancelled = 'stopped',
}

-- Rendering ---------------------------------------------------------------------------------------------------------

---@return galley.RunState?
local function newest()
  local runs = view and state.workspace(view.client_id).runs or {}
  return runs[#runs]
end

---@return string
local function title()
  local run = newest()
  if not run then
    return ' galley '
  end
  local step = run.step
      and run.step > 0
      and not state.is_over(run)
      and (' · step %d'):format(run.step)
    or ''
  local tool = run.state == 'tool' and run.tool and ' · ' .. run.tool or ''
  return (' galley · %s%s%s '):format(words[run.state] or run.state, tool, step)
end

--- What keys do in the window.
---@return string
local function help()
  local running = view and state.running(view.client_id) ~= nil
  return (running and ' Ctrl-C stops it' or ' Enter goes there') .. ' · i asks more · q closes '
end

--- Title and height.
---@param win integer
---@param rows integer of text
local function frame(win, rows)
  local conf = api.nvim_win_get_config(win)
  local most = config.get().run.height
  if conf.relative == '' then
    local bar = (title() .. '%=' .. help()):gsub('%%([^=])', '%%%%%1')
    vim.wo[win][0].winbar = bar
    local height = math.min(rows + 1, most)
    if api.nvim_win_get_height(win) < height then
      panes.quietly(function()
        api.nvim_win_set_height(win, height)
      end)
    end
    return
  end
  conf.title, conf.footer = title(), help()
  conf.height = math.max(1, math.min(rows, most))
  api.nvim_win_set_config(win, conf)
end

--- Writes down how it stands now. The window stays at the end, unless the user has gone elsewhere in it.
local function render()
  if not view or not view.bufnr or not api.nvim_buf_is_valid(view.bufnr) then
    return
  end
  local bufnr = view.bufnr
  local lines = transcript.lines(view.client_id)
  view.lines = lines
  local following = {} ---@type integer[]
  for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
    if api.nvim_win_get_cursor(win)[1] == api.nvim_buf_line_count(bufnr) then
      following[#following + 1] = win
    end
  end
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
  if win and api.nvim_win_is_valid(win) then
    frame(win, panes.rows(texts, win))
  end
  for _, w in ipairs(following) do
    api.nvim_win_set_cursor(w, { #lines, 0 })
    api.nvim_win_call(w, function()
      vim.cmd('normal! zb')
    end)
  end
end

local function render_soon()
  if not view or view.timer then
    return
  end
  local v = view
  v.timer = assert(vim.uv.new_timer())
  v.timer:start(
    pace,
    0,
    vim.schedule_wrap(function()
      if v.timer then
        v.timer:close()
        v.timer = nil
      end
      if view == v then
        render()
      end
    end)
  )
end

--- Asks once for what was said in the current session before the server was started.
local function recall()
  local v = view --[[@as galley.RunWindow]]
  local w, client = state.workspace(v.client_id), vim.lsp.get_client_by_id(v.client_id)
  local session = w.changes and w.changes.session or ''
  if session == '' or w.earlier[session] or not client then
    return
  end
  w.earlier[session] = {}
  actions.execute(client, ext.commands.runs, { session = session }, {
    quiet = true,
    done = function(messages)
      for _, message in ipairs(messages) do
        state.put_run(v.client_id, message, w.earlier[session]).earlier = true
      end
      render()
    end,
  })
end

-- The window --------------------------------------------------------------------------------------------------------

--- Goes to what the line at the cursor tells of: the letter at the cursor or the first one, else the file.
---@return boolean gone
local function go()
  local v = view --[[@as galley.RunWindow]]
  local line = v.lines and v.lines[api.nvim_win_get_cursor(0)[1]]
  local call, client = line and line.call, vim.lsp.get_client_by_id(v.client_id)
  if not call or not call.path or not client then
    return false
  end
  local here = vim.fn.expand('<cword>')
  local letters = call.letters or {}
  local letter = vim.list_contains(letters, here) and here or letters[1]
  local change, file = state.find(v.client_id, letter or '', call.path)
  local jump = require('galley.jump')
  if change and file then
    return jump.to(client, jump.place_of(client, change, file.uri, change.range))
  end
  local path = vim.fs.joinpath(state.workspace(v.client_id).root, call.path)
  return vim.uv.fs_stat(path) ~= nil and jump.to(client, vim.uri_from_fname(path))
end

M.cancel = actions.with_client(function(c)
  local run = state.running(c.id)
  actions.execute(c, ext.commands.cancel, run and { run = run.run } or nil)
end)

---@param bufnr integer
local function keys(bufnr)
  local function map(lhs, fn, desc)
    vim.keymap.set('n', lhs, fn, { buffer = bufnr, nowait = true, desc = 'galley: ' .. desc })
  end
  local function ask()
    require('galley.ask').ask({ box = true })
  end
  map('q', M.close, 'close')
  map('<C-c>', M.cancel, 'stop the run')
  for _, lhs in ipairs({ 'i', 'a', 'o' }) do
    map(lhs, ask, 'ask more')
  end
  map('<CR>', function()
    return go() or ask()
  end, 'go to the letter or the file of the line, else ask more')
end

---@return integer
local function buffer()
  local v = view --[[@as galley.RunWindow]]
  if v.bufnr and api.nvim_buf_is_valid(v.bufnr) then
    return v.bufnr
  end
  local bufnr = api.nvim_create_buf(false, true)
  v.bufnr = bufnr
  vim.b[bufnr].galley_client = v.client_id
  vim.bo[bufnr].bufhidden = 'hide'
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].undolevels = -1
  vim.bo[bufnr].filetype = 'galley-run'
  pcall(api.nvim_buf_set_name, bufnr, 'galley-run://' .. v.client_id)
  keys(bufnr)
  return bufnr
end

-- When the last window of a file is closed, this one goes first: it must not be what remains.
api.nvim_create_autocmd('QuitPre', {
  group = api.nvim_create_augroup('galley.run', {}),
  desc = 'galley: close the window of runs with the last file',
  callback = function()
    local own = view and view.win
    if not own or not api.nvim_win_is_valid(own) or api.nvim_get_current_win() == own then
      return
    end
    for _, win in ipairs(api.nvim_list_wins()) do
      local floats = api.nvim_win_get_config(win).relative ~= ''
      if win ~= own and win ~= api.nvim_get_current_win() and not floats then
        return
      end
    end
    M.close()
  end,
})

---@return boolean
function M.is_open()
  return view ~= nil and view.win ~= nil and api.nvim_win_is_valid(view.win)
end

--- Opens the window.
---@param client_id integer
---@param opts? {enter?: boolean, how?: 'float'|'split'}
function M.open(client_id, opts)
  opts = opts or {}
  if not view or view.client_id ~= client_id then
    M.close()
    view = { client_id = client_id }
  end
  M.stay()
  local from = api.nvim_get_current_buf()
  if M.is_open() then
    if opts.enter then
      api.nvim_set_current_win(view.win --[[@as integer]])
    end
  else
    local how = opts.how or config.get().run.open
    local enter = opts.enter or false
    view.win = how == 'split' and panes.split(buffer(), enter)
      or panes.float(buffer(), title(), enter)
    vim.wo[view.win][0].wrap, vim.wo[view.win][0].linebreak = true, true
    vim.wo[view.win][0].cursorline = false
  end
  if from ~= view.bufnr and vim.bo[from].buftype == '' then
    vim.b[view.bufnr].galley_asked_from = from
  end
  recall()
  render()
end

function M.close()
  if not view then
    return
  end
  M.stay()
  local win = view.win
  view.win = nil
  if win and api.nvim_win_is_valid(win) then
    if #api.nvim_list_wins() == 1 then
      vim.cmd('enew')
    else
      panes.quietly(function()
        api.nvim_win_close(win, true)
      end)
    end
  end
end

--- Opens the window and goes there; closes it from there.
---@param client_id integer
function M.toggle(client_id)
  if M.is_open() and view and api.nvim_get_current_win() == view.win then
    return M.close()
  end
  M.open(client_id, { enter = true })
end

--- It does not close by itself any more.
function M.stay()
  if view and view.closing then
    view.closing:stop()
    view.closing:close()
    view.closing = nil
  end
end

--- The window goes by itself if nobody is in it, and what the run said at last could be read in it.
local function close_later()
  local after = config.get().run.close_after
  local v = view
  if not v or not v.win or after == 0 or not api.nvim_win_is_valid(v.win) then
    return
  end
  local run = newest()
  local rows = run
      and panes.rows(vim.split(transcript.last_words(run), '\n', { plain = true }), v.win)
    or 0
  if api.nvim_get_current_win() == v.win or rows >= api.nvim_win_get_height(v.win) then
    return
  end
  M.stay()
  v.closing = assert(vim.uv.new_timer())
  v.closing:start(
    after,
    0,
    vim.schedule_wrap(function()
      if
        view == v
        and v.win
        and api.nvim_win_is_valid(v.win)
        and api.nvim_get_current_win() ~= v.win
      then
        M.close()
      end
    end)
  )
end

-- What others call --------------------------------------------------------------------------------------------------

--- A prompt was sent.
---@param client_id integer
---@param name string
---@param prompt string
function M.asked(client_id, name, prompt)
  local run = state.run(client_id, name)
  run.prompt = run.prompt and run.prompt .. '\n' .. prompt or prompt
  if config.get().run.open ~= 'none' then
    M.open(client_id)
  end
  M.changed(client_id, run)
end

--- A run goes on, or ended.
---@param client_id integer
---@param run galley.RunState
function M.changed(client_id, run)
  local over = state.is_over(run)
  if view and view.client_id == client_id and M.is_open() then
    if over then
      render()
      close_later()
    else
      render_soon()
    end
  elseif over and not run.told then
    local text = transcript.last_words(run)
    if run.state == 'done' and text ~= '' then
      notify.info(text)
    end
  end
  run.told = run.told or over
end

--- Letters are others, or the session is.
---@param client_id integer
function M.decided(client_id)
  if view and view.client_id == client_id and M.is_open() then
    recall()
    render_soon()
  end
end

--- The server is gone.
---@param client_id integer
function M.forget(client_id)
  if view and view.client_id == client_id then
    M.close()
    if view.bufnr and api.nvim_buf_is_valid(view.bufnr) then
      api.nvim_buf_delete(view.bufnr, { force = true })
    end
    view = nil
  end
end

return M
