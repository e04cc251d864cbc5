-- What the agent says: a window that follows its runs.
local actions = require('galley.actions')
local config = require('galley.config')
local editor = require('galley.editor')
local ext = require('galley.ext')
local notify = require('galley.notify')
local panes = require('galley.panes')
local page = require('galley.runpage')
local state = require('galley.state')
local transcript = require('galley.transcript')

local api = vim.api

local M = {}

---@type galley.RunWindow?
local view

-- The window --------------------------------------------------------------------------------------------------------

M.cancel = actions.with_client(function(c)
  local run = state.running(c.id)
  actions.execute(c, ext.commands.cancel, run and { run = run.run } or nil)
end)

-- When the last window of a file is closed, this one goes first: it must not be what remains.
editor.on('QuitPre', 'close the window of runs with the last file', function()
  local current, own = api.nvim_get_current_win(), view and view.win
  if not editor.is_window(own) or current == own then
    return
  end
  for _, win in ipairs(api.nvim_list_wins()) do
    if win ~= own and win ~= current and api.nvim_win_get_config(win).relative == '' then
      return
    end
  end
  M.close()
end)

---@return boolean
function M.is_open()
  return view ~= nil and editor.is_window(view.win)
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
  if M.is_open() and opts.enter then
    api.nvim_set_current_win(view.win --[[@as integer]])
  elseif not M.is_open() then
    local how = opts.how or config.get().run.open
    local enter = opts.enter or false
    view.win = how == 'split' and panes.split(page.buffer(view), enter)
      or panes.float(page.buffer(view), page.title(view), enter)
    local wo = vim.wo[view.win][0]
    wo.wrap, wo.linebreak, wo.cursorline = true, true, false
  end
  if from ~= view.bufnr and vim.bo[from].buftype == '' then
    vim.b[view.bufnr].galley_asked_from = from
  end
  page.recall(view)
  page.render(view)
end

function M.close()
  if not view then
    return
  end
  M.stay()
  local win = view.win
  view.win = nil
  if editor.is_window(win) and #api.nvim_list_wins() == 1 then
    vim.cmd('enew')
  elseif editor.is_window(win) then
    panes.quietly(function()
      api.nvim_win_close(win --[[@as integer]], true)
    end)
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
  editor.stop(view and view.closing)
end

--- The window goes by itself if nobody is in it, and what the run said at last could be read in it.
local function close_later()
  local v, after = view, config.get().run.close_after
  if not v or after == 0 or not M.is_open() then
    return
  end
  local run, win = page.newest(v), v.win --[[@as integer]]
  local said = vim.split(run and transcript.last_words(run) or '', '\n', { plain = true })
  if api.nvim_get_current_win() == win or panes.rows(said, win) >= api.nvim_win_get_height(win) then
    return
  end
  M.stay()
  v.closing = vim.defer_fn(function()
    if view == v and M.is_open() and api.nvim_get_current_win() ~= v.win then
      M.close()
    end
  end, after)
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
  M.told(client_id, run)
end

--- A run goes on, or ended.
---@param client_id integer
---@param run galley.RunState
function M.told(client_id, run)
  local over = state.is_over(run)
  if view and view.client_id == client_id and M.is_open() then
    if over then
      page.render(view)
      close_later()
    else
      page.render_soon(view)
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
function M.changed(client_id)
  if view and view.client_id == client_id and M.is_open() then
    page.recall(view)
    page.render_soon(view)
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
