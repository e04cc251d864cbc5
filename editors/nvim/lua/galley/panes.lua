-- Windows beside the text: they come and go without moving it.
local config = require('galley.config')

local api = vim.api

local M = {}

--- Text stays where it is when a window below it comes, grows or goes.
---@param fn fun()
function M.quietly(fn)
  local before = vim.o.splitkeep
  vim.o.splitkeep = 'screen'
  fn()
  vim.o.splitkeep = before
end

--- How many rows texts take in a window.
---@param texts string[]
---@param win integer
---@return integer
function M.rows(texts, win)
  local width, rows = math.max(1, api.nvim_win_get_width(win)), 0
  for _, text in ipairs(texts) do
    rows = rows + math.max(1, math.ceil(vim.fn.strdisplaywidth(text) / width))
  end
  return rows
end

---@param bufnr integer
---@param title string
---@param enter boolean
---@return integer win
function M.float(bufnr, title, enter)
  local conf = config.get().run
  local width = math.max(20, math.min(conf.width, vim.o.columns - 4))
  return api.nvim_open_win(bufnr, enter, {
    relative = 'editor',
    anchor = 'SE',
    row = vim.o.lines - vim.o.cmdheight - (vim.o.laststatus > 0 and 1 or 0),
    col = vim.o.columns,
    width = width,
    height = 1,
    border = 'rounded',
    title = title,
    footer = '',
    style = 'minimal',
    zindex = 40,
    noautocmd = not enter,
  })
end

---@param bufnr integer
---@param enter boolean
---@return integer win
function M.split(bufnr, enter)
  local before, win = api.nvim_get_current_win(), 0
  M.quietly(function()
    vim.cmd(('keepalt botright %dsplit'):format(math.min(4, config.get().run.height)))
    win = api.nvim_get_current_win()
    api.nvim_win_set_buf(win, bufnr)
    local wo = vim.wo[win][0]
    wo.winfixheight, wo.signcolumn, wo.foldcolumn = true, 'no', '0'
    wo.number, wo.relativenumber, wo.list, wo.spell = false, false, false, false
    if not enter then
      api.nvim_set_current_win(before)
    end
  end)
  return win
end

return M
