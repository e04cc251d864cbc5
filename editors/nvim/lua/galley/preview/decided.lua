-- For a moment, what has become of a change is shown at its place.
local config = require('galley.config')
local editor = require('galley.editor')
local marks = require('galley.preview.marks')
local state = require('galley.state')

local api = vim.api

local M = {}

local ns = api.nvim_create_namespace('galley.decided')

---@type table<string, {bufnr: integer, ids: integer[], timer: uv.uv_timer_t}>
local notes = {}

---@param bufnr integer
---@param change galley.Change
function M.clear(bufnr, change)
  local key = bufnr .. marks.key(change)
  local note = notes[key]
  if not note then
    return
  end
  notes[key] = nil
  editor.stop(note.timer)
  if api.nvim_buf_is_valid(bufnr) then
    for _, id in ipairs(note.ids) do
      api.nvim_buf_del_extmark(bufnr, ns, id)
    end
  end
end

--- The rows of what has become of a change. Lines that were inserted behind the end of another are on the next one.
---@param bufnr integer
---@param change galley.Change
---@param was galley.Change as it waited
---@param encoding string
---@return integer first
---@return integer last
local function rows_of(bufnr, change, was, encoding)
  local count = api.nvim_buf_line_count(bufnr)
  local first, col = state.place(bufnr, change.range.start, encoding)
  local last, ecol = state.place(bufnr, change.range['end'], encoding)
  local line = api.nvim_buf_get_lines(bufnr, first, first + 1, false)[1] or ''
  if change.state == 'applied' and col >= #line and was.newText:find('^\r?\n') then
    first = first + 1
  end
  if ecol == 0 and last > first then
    last = last - 1
  end
  return math.min(first, count - 1), math.min(math.max(first, last), count - 1)
end

---@param bufnr integer
---@param change galley.Change
---@param was galley.Change as it waited
---@param encoding string
function M.show(bufnr, change, was, encoding)
  local time = config.get().preview.decided
  if time == 0 then
    return
  end
  M.clear(bufnr, change)
  local first, last = rows_of(bufnr, change, was, encoding)
  local words = change.state == 'rejected' and 'rejected'
    or change.by and 'applied: you typed the same'
    or 'applied'
  local ids = {} ---@type integer[]
  local function mark(row, opts)
    opts.undo_restore = false
    ids[#ids + 1] = api.nvim_buf_set_extmark(bufnr, ns, row, 0, opts)
  end
  for row = first, change.state == 'applied' and last or -1 do
    mark(row, {
      end_row = row + 1,
      end_col = 0,
      strict = false,
      hl_group = 'GalleyApplied',
      hl_eol = true,
    })
  end
  local text = (' %s %s'):format(change.change, words)
  mark(first, { virt_text = { { text, 'GalleyDecided' } }, virt_text_pos = 'eol' })
  local timer = vim.defer_fn(function()
    M.clear(bufnr, change)
  end, time)
  notes[bufnr .. marks.key(change)] = { bufnr = bufnr, ids = ids, timer = timer }
end

return M
