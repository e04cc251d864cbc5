-- Walking from change to change, over all files and around.
local actions = require('galley.actions')
local jump = require('galley.jump')
local notify = require('galley.notify')
local preview = require('galley.preview')
local state = require('galley.state')
local target = require('galley.target')

local api = vim.api

local M = {}

--- The byte of a line that the cursor can reach for a spot: it cannot stand behind the end, but a change can.
---@param row integer
---@param col integer
---@return integer
local function reachable(row, col)
  local line = api.nvim_buf_get_lines(0, row, row + 1, false)[1] or ''
  return col < #line and col or #line - #vim.fn.matchstr(line, '.$')
end

--- How far behind the cursor a change lies; below zero: before it. In the document of a change the user is at its
--- place.
---@param c vim.lsp.Client
---@return fun(change: galley.Change, file: galley.File): integer
local function distances(c)
  local bufnr, cursor = api.nvim_get_current_buf(), api.nvim_win_get_cursor(0)
  local shown, file_shown = state.find(c.id, target.of_document() or '')
  local own = file_shown or state.file(c, bufnr)
  local root = state.workspace(c.id).root
  local path = own and own.path or api.nvim_buf_get_name(bufnr):sub(#root + 2)
  return function(change, file)
    if file.path ~= path then
      return file.path < path and -1 or 1
    elseif shown then
      local at, here = change.range.start, shown.range.start
      return at.line ~= here.line and at.line - here.line or at.character - here.character
    end
    local row, col = preview.start(c, bufnr, change)
    local by = row + 1 - cursor[1]
    return by ~= 0 and by or reachable(row, col) - cursor[2]
  end
end

--- To the next change or the one before.
---@type fun(step: 1|-1, count?: integer)
M.go = actions.with_client(function(c, step, count)
  local stops = state.pending(c.id)
  if #stops == 0 then
    return notify.info('nothing waits for a decision')
  end
  for _ = 1, count or 1 do
    local distance, before, reached = distances(c), 0, 0
    for i, stop in ipairs(stops) do
      local by = distance(stop.change, stop.file)
      before = by < 0 and i or before
      reached = by <= 0 and i or reached
    end
    local to = stops[((step > 0 and reached or before - 1) % #stops) + 1]
    if not jump.change(c, to.change, to.file) then
      return
    end
  end
end)

return M
