-- What takes a motion, or is repeated with a dot.
local M = {}

local api = vim.api

--- Has g@ call a function of this room: that is the thing that a dot repeats.
---@param name 'apply'|'reject'|'ask'
---@param motion string empty: it is typed
---@return string keys
function M.start(name, motion)
  vim.o.operatorfunc = ("v:lua.require'galley.operators'.%s"):format(name)
  return 'g@' .. motion
end

for _, what in ipairs({ 'apply', 'reject' }) do
  M[what] = function()
    require('galley.actions').decide(what)
  end
end

--- Asks about the text of a motion or a selection.
---@param kind 'char'|'line'|'block'
function M.ask(kind)
  local from, to = api.nvim_buf_get_mark(0, '['), api.nvim_buf_get_mark(0, ']')
  local line = api.nvim_buf_get_lines(0, to[1] - 1, to[1], false)[1] or ''
  local last = #vim.fn.matchstr(line:sub(to[2] + 1), '^.') -- bytes of the last character
  local range = {
    first = { from[1] - 1, kind == 'char' and from[2] or 0 },
    last = { to[1] - 1, kind == 'char' and math.min(#line, to[2] + last) or #line },
  }
  vim.schedule(function()
    require('galley.ask').ask({ range = range })
  end)
end

--- Selects the lines of the change at the cursor.
function M.select()
  local row = api.nvim_win_get_cursor(0)[1] - 1
  local place = require('galley.preview').at(api.nvim_get_current_buf(), row)
  if not place then
    return
  end
  if api.nvim_get_mode().mode:find('^[vV\22]') then
    vim.cmd('normal! \27')
  end
  api.nvim_win_set_cursor(0, { place.row + 1, 0 })
  vim.cmd('normal! V')
  api.nvim_win_set_cursor(0, { place.last + 1, 0 })
end

return M
