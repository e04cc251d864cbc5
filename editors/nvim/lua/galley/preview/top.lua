-- Which virtual lines are in sight: those above the first line of a buffer, which Neovim shows only where the window
-- was scrolled to them, and those of a change that was gone to.
local layout = require('galley.preview.layout')
local marks = require('galley.preview.marks')

local api = vim.api

local M = {}

--- The first line of each window as it was last.
---@type table<integer, integer>
local toplines = {}

--- Shows what lies above the first line in a window, where the first line is shown.
---@param win integer
---@param lines integer how many
local function fill(win, lines)
  if lines == 0 or vim.fn.line('w0', win) > 1 then
    return
  end
  lines = math.min(lines, math.max(0, api.nvim_win_get_height(win) - 2))
  api.nvim_win_call(win, function()
    if vim.fn.winsaveview().topfill < lines then
      vim.fn.winrestview({ topline = 1, topfill = lines })
    end
  end)
end

--- The same in all windows of a buffer.
---@param bufnr integer
---@param lines integer
function M.fit(bufnr, lines)
  for _, win in ipairs(lines > 0 and layout.windows(bufnr) or {}) do
    fill(win, lines)
  end
end

--- Rows of the window that lines take, with the virtual lines between them.
---@param win integer
---@param first integer 0-based
---@param last integer
---@return integer
local function rows(win, first, last)
  if last < first then
    return 0
  end
  return api.nvim_win_text_height(win, { start_row = first, start_vcol = 0, end_row = last }).all
end

--- Brings lines into sight with the virtual lines that belong to them: all, or as many as the window has room for.
---@param win integer
---@param first integer 0-based
---@param last integer
---@param above integer virtual lines above the first line of the buffer
function M.whole(win, first, last, above)
  local bufnr = api.nvim_win_get_buf(win)
  local needed = rows(win, first, last) + marks.below(bufnr, last)
  local room = api.nvim_win_get_height(win)
  local from = vim.fn.line('w0', win) - 1
  local filled = first == 0 and above or 0
  if from <= first and rows(win, from, first - 1) + filled + needed <= room then
    return
  end
  from = first
  while from > 0 and rows(win, from - 1, first - 1) + needed <= room do
    from = from - 1
  end
  api.nvim_win_call(win, function()
    vim.fn.winrestview({
      topline = from + 1,
      topfill = math.max(0, math.min(filled, room - needed)),
    })
  end)
end

--- A window that came back to its first line shows what is above it. One that was there already is left alone: the user
--- may have scrolled those lines away.
---@param above fun(bufnr: integer): integer
function M.scrolled(above)
  for _, win in ipairs(api.nvim_tabpage_list_wins(0)) do
    local topline = vim.fn.line('w0', win)
    if topline == 1 and (toplines[win] or 1) > 1 then
      fill(win, above(api.nvim_win_get_buf(win)))
    end
    toplines[win] = topline
  end
end

return M
