-- One round of drawing in a buffer: what is drawn as it is stays, the rest is drawn anew.
local blocks = require('galley.preview.blocks')
local draw = require('galley.preview.draw')
local layout = require('galley.preview.layout')
local marks = require('galley.preview.marks')
local sessions = require('galley.sessions')
local state = require('galley.state')

local M = {}

---@class galley.Turn one round of drawing in a buffer
---@field bufnr integer
---@field shown galley.Shown
---@field encoding string
---@field file galley.File
---@field inline boolean
---@field lang? string
---@field ends integer when there is no more time for colours

--- The rows that a change is about: those that would go, and those beside a place where lines would come.
---@param list galley.Block[]
---@param base integer
---@return integer first
---@return integer last
---@return boolean[] exact
local function extent(list, base)
  local first, last, exact = base, base, {}
  for _, block in ipairs(list) do
    first = math.min(first, block.old > 0 and block.row or math.max(0, block.row - 1))
    last = math.max(last, block.row + math.max(0, block.old - 1))
  end
  for _, block in ipairs(list) do
    for row = block.row, block.row + block.old - 1 do
      exact[row - first + 1] = true
    end
  end
  return first, last, exact
end

--- What a change is about to be drawn from.
---@param t galley.Turn
---@param change galley.Change
---@return galley.Paint
---@return string signature
local function sketch(t, change)
  local s, key = t.shown, marks.key(change)
  local d = s.drawn[key]
    or { signature = '', base = 0, marks = {}, exact = {}, above = 0, folded = 0 }
  s.drawn[key] = d --[[@as galley.Drawn]]
  d.change, d.file = change, t.file
  local base, col = state.place(t.bufnr, change.range.start, t.encoding)
  local p = {
    turn = t,
    change = change,
    drawn = d,
    base = base,
    col = col,
    layout = s.layout,
    edit = sessions.name(s.client_id, change),
    expanded = s.expanded[key] or false,
    active = s.active == key,
    plain = false,
    folded = 0,
  } ---@type galley.Paint
  local from = { key, change.state == 'conflict', change.reason, change.summary, s.layout.key }
  vim.list_extend(from, { t.inline, p.edit or '', t.lang or '', p.expanded, p.active })
  from[#from + 1] = blocks.key(change, base)
  return p, table.concat(vim.tbl_map(tostring, from), '\0')
end

---@param p galley.Paint
local function paint(p)
  p.blocks = blocks.of(p.turn.bufnr, p.change, p.turn.encoding)
  local first, last, exact = extent(p.blocks, p.base)
  local function place(row, col)
    return { row = row, col = col, opts = { undo_restore = false, strict = false } }
  end
  p.marks = { place(first, 0), place(last, 0), place(p.base, p.col) }
  draw.change(p)
  p.drawn.base, p.drawn.exact, p.drawn.folded = p.base, exact, p.folded
end

--- Lines of several marks at one row come in no order that could be told, so they are put into one.
---@param list galley.Mark[]
---@param lines table<string, galley.Mark> by row
---@return galley.Mark[]
local function merged(list, lines)
  return vim.tbl_filter(function(mark)
    if not mark.opts.virt_lines then
      return true
    end
    local key = mark.row .. (mark.opts.virt_lines_above and 'above' or '')
    if lines[key] then
      vim.list_extend(lines[key].opts.virt_lines, mark.opts.virt_lines)
      return false
    end
    lines[key] = mark
    return true
  end, list)
end

--- Draws changes that lie close together, if they are not drawn as they are.
---@param t galley.Turn
---@param changes galley.Change[]
local function draw_group(t, changes)
  local all, signatures, done = {}, {}, true ---@type galley.Paint[], string[], boolean
  for i, change in ipairs(changes) do
    all[i], signatures[i] = sketch(t, change)
  end
  local signature = table.concat(signatures, '\0')
  for _, p in ipairs(all) do
    done = done and p.drawn.signature == signature and marks.intact(t.bufnr, p.drawn, p.base)
  end
  if done then
    for _, p in ipairs(all) do
      marks.moved(p.drawn, p.base)
    end
    return
  end
  local lines, plain = {}, false ---@type table<string, galley.Mark>, boolean
  for _, p in ipairs(all) do
    paint(p)
    p.marks, plain = merged(p.marks, lines), plain or p.plain
  end
  for _, p in ipairs(all) do -- when each has got its lines
    marks.place(t.bufnr, p.drawn, p.marks)
    p.drawn.signature = plain and '' or signature
  end
  t.shown.more = t.shown.more or plain
end

--- The undecided changes of a file, in groups of such that may have lines at the same row.
---@param file galley.File
---@return galley.Change[][]
local function in_order(file)
  local out = {} ---@type galley.Change[][]
  local pending = vim.tbl_filter(state.is_pending, file.changes) ---@type galley.Change[]
  local last = -2
  for _, change in ipairs(pending) do
    if change.range.start.line > last + 1 then
      out[#out + 1] = {}
    end
    table.insert(out[#out], change)
    last = math.max(last, change.range['end'].line)
  end
  return out
end

--- Draws the undecided changes of a file, those in sight first.
---@param t galley.Turn
function M.all(t)
  local order, keep = in_order(t.file), {}
  local win = layout.windows(t.bufnr)[1]
  local from = win and vim.fn.line('w0', win) - 1 or 0
  for _, seen in ipairs({ true, false }) do
    for _, group in ipairs(order) do
      if (group[#group].range['end'].line >= from) == seen then
        draw_group(t, group)
        for _, change in ipairs(group) do
          keep[marks.key(change)] = true
        end
      end
    end
  end
  for key, d in pairs(t.shown.drawn) do
    if not keep[key] then
      marks.erase(t.bufnr, d)
      t.shown.drawn[key] = nil
    end
  end
end

return M
