-- How wide, and from which column on, the lines of a buffer are shown: virtual lines have to look like them.
local api = vim.api

local M = {}

---@class galley.Layout
---@field key string changes whenever anything else does
---@field width integer cells for text
---@field gutter integer cells before it, in which a letter can stand; 0: there is no room, or the windows differ
---@field label integer cells before the letter
---@field anchor boolean the cells are there only as long as a sign is
---@field wrap boolean
---@field words? boolean lines are broken between words
---@field leftcol integer cells that are scrolled out to the left
---@field filetype string
---@field diff boolean a window shows the buffer in diff mode, where lines of our own would be in the way
---@field tabstop integer
---@field vartabs integer[]
---@field tab? string[] the two or three characters of a shown tab; nil: blanks
---@field caret boolean tabs are shown as ^I
---@field trail? string

---@param bufnr integer
---@param win? integer
---@return galley.Layout
local function look(bufnr, win)
  local wo = win and vim.wo[win] or vim.o
  local bo = vim.bo[bufnr]
  local function shown_as(name)
    return wo.list and wo.listchars:match('%f[%w]' .. name .. ':([^,]+)') or nil
  end
  local tab = shown_as('tab')
  return {
    width = 0,
    gutter = 0,
    label = 0,
    anchor = true,
    wrap = wo.wrap,
    words = wo.linebreak,
    leftcol = 0,
    diff = false,
    filetype = bo.filetype,
    tabstop = bo.tabstop,
    vartabs = vim.tbl_map(tonumber, vim.split(bo.vartabstop, ',', { trimempty = true })),
    tab = tab and vim.fn.split(tab, [[\zs]]),
    caret = wo.list and not tab,
    trail = shown_as('trail'),
  }
end

--- Whether the columns before the text have room for a letter, judged by the options: what is measured would change
--- with the signs themselves.
---@param win integer
---@return boolean
local function has_room(win)
  local wo = vim.wo[win]
  return wo.number
    or wo.relativenumber
    or wo.signcolumn:find('^yes') ~= nil
    or (tonumber(wo.foldcolumn) or 0) >= 2
end

---@param wins integer[]
---@param l galley.Layout
local function measure(wins, l)
  local textoff, leftcol ---@type integer?, integer?
  local same, room = true, true
  for _, win in ipairs(wins) do
    local info = vim.fn.getwininfo(win)[1]
    local width = info.width - info.textoff
    l.width = l.width == 0 and width or math.min(l.width, width)
    l.diff = l.diff or vim.wo[win].diff
    same = same and (textoff == nil or textoff == info.textoff)
    textoff = info.textoff
    room = room and has_room(win)
    if not vim.wo[win].wrap then
      local view = api.nvim_win_call(win, vim.fn.winsaveview)
      leftcol = math.min(leftcol or view.leftcol, view.leftcol)
    end
  end
  l.leftcol = leftcol or 0
  l.anchor = not room
  if same and textoff and textoff >= 2 then
    l.gutter = textoff
    local wo = vim.wo[wins[1]]
    if wo.statuscolumn ~= '' then
      l.label = 0
    elseif wo.signcolumn == 'number' and wo.number then
      l.label = math.max(0, textoff - 3)
    else
      l.label = math.min(tonumber(wo.foldcolumn) or 0, textoff - 2)
    end
  end
end

--- The windows that show a buffer as text. Those of a diff are left out, where others are.
---@param bufnr integer
---@return integer[]
function M.windows(bufnr)
  local all = vim.fn.win_findbuf(bufnr)
  local here = vim.tbl_filter(function(win)
    return api.nvim_win_get_tabpage(win) == api.nvim_get_current_tabpage()
  end, all)
  return #here > 0 and here or all
end

---@param bufnr integer
---@return galley.Layout
function M.of(bufnr)
  local wins = M.windows(bufnr)
  local l = look(bufnr, wins[1])
  measure(wins, l)
  l.width = math.max(l.width, 10)
  if #wins == 0 then
    l.width = 80
  end
  l.key = vim.inspect(l, { newline = '', indent = '' })
  return l
end

--- How many cells a tab takes at a column.
---@param l galley.Layout
---@param column integer
---@return integer
function M.tab(l, column)
  if #l.vartabs == 0 then
    return l.tabstop - column % l.tabstop
  end
  local stop = 0
  for _, n in ipairs(l.vartabs) do
    stop = stop + n
    if column < stop then
      return stop - column
    end
  end
  local last = l.vartabs[#l.vartabs]
  return last - (column - stop) % last
end

return M
