-- Lines above the first line of a buffer: Neovim shows them only where the window was scrolled to them.
local layout = require('galley.preview.layout')

local api = vim.api

local M = {}

--- The first line of each window as it was last.
---@type table<integer, integer>
local toplines = {}

---@param win integer
---@param lines integer
local function fill(win, lines)
  local most = math.max(0, api.nvim_win_get_height(win) - 2)
  api.nvim_win_call(win, function()
    local view = vim.fn.winsaveview()
    if view.topline == 1 and view.topfill < math.min(lines, most) then
      vim.fn.winrestview({ topline = 1, topfill = math.min(lines, most) })
    end
  end)
end

--- Shows what lies above the first line, where the first line is shown.
---@param bufnr integer
---@param lines integer how many
function M.fit(bufnr, lines)
  if lines == 0 then
    return
  end
  for _, win in ipairs(layout.windows(bufnr)) do
    if vim.fn.line('w0', win) == 1 then
      fill(win, lines)
    end
  end
end

--- A window that came back to its first line shows what is above it. One that was there already is left alone: the user
--- may have scrolled those lines away.
---@param above fun(bufnr: integer): integer
function M.scrolled(above)
  for _, win in ipairs(api.nvim_tabpage_list_wins(0)) do
    local topline = vim.fn.line('w0', win)
    if topline == 1 and toplines[win] and toplines[win] > 1 then
      local lines = above(api.nvim_win_get_buf(win))
      if lines > 0 then
        fill(win, lines)
      end
    end
    toplines[win] = topline
  end
end

return M
