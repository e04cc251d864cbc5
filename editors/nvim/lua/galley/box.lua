-- A small window to write a prompt of several lines in, with the prompts of before.
local history = require('galley.history')

local api = vim.api

local M = {}

---@param lines string[]
---@return integer
local function height_of(lines)
  return math.min(8, math.max(1, #lines))
end

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
    if api.nvim_win_is_valid(win) then
      api.nvim_win_close(win, true)
    end
    got(prompt)
  end

  local function text()
    return table.concat(api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
  end

  local function fit()
    if api.nvim_win_is_valid(win) then
      api.nvim_win_set_height(win, height_of(api.nvim_buf_get_lines(bufnr, 0, -1, false)))
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

  local function map(modes, lhs, fn)
    vim.keymap.set(modes, lhs, fn, { buffer = bufnr, nowait = true })
  end
  map({ 'n', 'i' }, '<CR>', function()
    finish(text())
  end)
  map('i', '<C-j>', '<CR>')
  map({ 'n', 'i' }, '<Up>', function()
    recall(-1)
  end)
  map({ 'n', 'i' }, '<Down>', function()
    recall(1)
  end)
  map({ 'n', 'i' }, '<C-c>', function()
    finish()
  end)
  map('n', '<Esc>', function()
    finish()
  end)
  map('n', 'q', function()
    finish()
  end)
  api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, { buffer = bufnr, callback = fit })
  api.nvim_create_autocmd('WinLeave', {
    buffer = bufnr,
    callback = function()
      vim.schedule(function()
        finish()
      end)
    end,
  })
  vim.cmd('startinsert')
end

return M
