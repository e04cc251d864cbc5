-- A small window to write a prompt of several lines in, with the prompts of before.
local editor = require('galley.editor')
local history = require('galley.history')

local api = vim.api

local M = {}

---@param bufnr integer
---@return integer win
local function window(bufnr)
  local width = math.max(20, math.min(vim.o.columns - 6, 90))
  return api.nvim_open_win(bufnr, true, {
    relative = 'editor',
    anchor = 'SW',
    row = vim.o.lines - vim.o.cmdheight - 1,
    col = math.floor((vim.o.columns - width) / 2),
    width = width,
    height = 1,
    border = 'rounded',
    title = ' ask galley ',
    footer = ' Enter asks · Ctrl-J new line · Up, Down earlier prompts · Esc leaves ',
    style = 'minimal',
    zindex = 60,
  })
end

--- Opens the box; got is called with the prompt, or with nil.
---@param got fun(prompt?: string)
function M.open(got)
  local bufnr = api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].filetype = 'galley-prompt'
  local win = window(bufnr)
  local all = history.all()
  local at, draft = #all + 1, ''
  local over = false

  local function finish(prompt)
    if over then
      return
    end
    over = true
    vim.cmd('stopinsert')
    if editor.is_window(win) then
      api.nvim_win_close(win, true)
    end
    got(prompt)
  end

  local function leave()
    finish()
  end

  local function text()
    return table.concat(api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
  end

  local function fit()
    if editor.is_window(win) then
      local lines = api.nvim_buf_line_count(bufnr)
      api.nvim_win_set_height(win, math.min(8, lines))
      if lines <= 8 then -- it was scrolled before there was room
        vim.fn.winrestview({ topline = 1 })
      end
    end
  end

  local function recall(step)
    local to = at + step
    if to < 1 or to > #all + 1 then
      return
    end
    if at == #all + 1 then
      draft = text()
    end
    at = to
    local lines = vim.split(at == #all + 1 and draft or all[at], '\n', { plain = true })
    api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
    fit()
    api.nvim_win_set_cursor(win, { #lines, #lines[#lines] })
  end

  local here = { buffer = bufnr }
  editor.map(bufnr, { 'n', 'i' }, { '<CR>' }, 'ask', function()
    finish(text())
  end)
  editor.map(bufnr, 'i', { '<C-j>' }, 'new line', '<CR>')
  editor.map(bufnr, { 'n', 'i' }, { '<Up>' }, 'the prompt before', function()
    recall(-1)
  end)
  editor.map(bufnr, { 'n', 'i' }, { '<Down>' }, 'the prompt behind', function()
    recall(1)
  end)
  editor.map(bufnr, { 'n', 'i' }, { '<C-c>' }, 'leave', leave)
  editor.map(bufnr, 'n', { '<Esc>', 'q' }, 'leave', leave)
  editor.on({ 'TextChanged', 'TextChangedI' }, 'fit the box', fit, here)
  editor.on('WinLeave', 'leave the box', vim.schedule_wrap(leave), here)
  vim.cmd('startinsert')
end

return M
