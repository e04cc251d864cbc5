-- The marks of a change in a buffer: placing them, taking them away, and where they are now.
local api = vim.api

local M = {}

local ns = api.nvim_create_namespace('galley.preview')
M.namespace = ns

---@class galley.Drawn
---@field change galley.Change
---@field file galley.File
---@field signature string all that it was drawn from, but the place
---@field base integer row of its first edit when it was drawn
---@field marks {id: integer, row: integer}[] the first three say where it is: its first and last row, its beginning
---@field exact boolean[] rows from the first on that would go
---@field above integer virtual lines above the first line
---@field folded integer lines that would come and are not shown

---@param change galley.Change
---@return string
function M.key(change)
  return change.session .. ' ' .. change.change
end

---@param bufnr integer
---@param d galley.Drawn
function M.erase(bufnr, d)
  for _, mark in ipairs(d.marks) do
    api.nvim_buf_del_extmark(bufnr, ns, mark.id)
  end
  d.marks, d.signature, d.above = {}, '', 0
end

---@param bufnr integer
---@param d galley.Drawn
---@param marks galley.Mark[]
function M.place(bufnr, d, marks)
  M.erase(bufnr, d)
  local last = api.nvim_buf_line_count(bufnr) - 1
  for _, mark in ipairs(marks) do
    local row = math.min(mark.row, last)
    local ok, id = pcall(api.nvim_buf_set_extmark, bufnr, ns, row, mark.col, mark.opts)
    if ok then
      d.marks[#d.marks + 1] = { id = id, row = row }
      d.above = mark.opts.virt_lines_above and #mark.opts.virt_lines or d.above
    end
  end
end

--- Where a mark is now.
---@param bufnr integer
---@param mark {id: integer}
---@return integer[] row and byte; empty: it is gone
local function place_of(bufnr, mark)
  return api.nvim_buf_get_extmark_by_id(bufnr, ns, mark.id, {})
end

--- Whether all marks are as they were drawn, moved by as many rows as the change itself.
---@param bufnr integer
---@param d galley.Drawn
---@param base integer
---@return boolean
function M.intact(bufnr, d, base)
  local by = base - d.base
  for _, mark in ipairs(d.marks) do
    if place_of(bufnr, mark)[1] ~= mark.row + by then
      return false
    end
  end
  return #d.marks > 0
end

--- They are where the change is now.
---@param d galley.Drawn
---@param base integer
function M.moved(d, base)
  for _, mark in ipairs(d.marks) do
    mark.row = mark.row + base - d.base
  end
  d.base = base
end

--- Where a change is now; nil: it is not drawn.
---@param bufnr integer
---@param d galley.Drawn
---@return galley.Place?
function M.where(bufnr, d)
  if #d.marks < 3 then
    return
  end
  local row, last = place_of(bufnr, d.marks[1])[1], place_of(bufnr, d.marks[2])[1]
  local at = place_of(bufnr, d.marks[3])
  local place = { change = d.change, file = d.file, bufnr = bufnr, row = row, last = last or row }
  place.start, place.col = at[1] or row, at[2] or 0
  return row and place
end

--- How many virtual lines stand below a row.
---@param bufnr integer
---@param row integer
---@return integer
function M.below(bufnr, row)
  local n, opts = 0, { details = true }
  for _, mark in ipairs(api.nvim_buf_get_extmarks(bufnr, ns, { row, 0 }, { row, -1 }, opts)) do
    n = n + (mark[4].virt_lines_above and 0 or #(mark[4].virt_lines or {}))
  end
  return n
end

--- Takes all marks out of a buffer.
---@param bufnr integer
function M.clear(bufnr)
  api.nvim_buf_clear_namespace(bufnr, ns, 0, -1)
end

return M
