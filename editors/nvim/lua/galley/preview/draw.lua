-- One change as extmarks: old lines tinted, with its letter as sign; new lines, and what the change is for, as virtual
-- lines below.
local blocks = require('galley.preview.blocks')
local compat = require('galley.compat')
local compose = require('galley.preview.compose')
local config = require('galley.config')
local editor = require('galley.editor')
local keys = require('galley.keys')
local syntax = require('galley.preview.syntax')

local M = {}

---@class galley.Mark
---@field row integer
---@field col integer
---@field opts vim.api.keyset.set_extmark

---@class galley.Paint
---@field turn galley.Turn
---@field change galley.Change
---@field drawn galley.Drawn
---@field base integer row of its first edit
---@field col integer
---@field blocks galley.Block[]
---@field layout galley.Layout
---@field edit? string what its edit is called, where there are several
---@field expanded boolean
---@field active boolean the cursor stands on it
---@field marks galley.Mark[] out: how it is drawn
---@field plain boolean out: it is to be drawn again, with colours
---@field folded integer out: how many lines would come and are not shown

--- Changes of whole files, and the signs that are theirs.
---@type table<string, 'add'|'delete'|'change'>
local whole_files = { create = 'add', delete_file = 'delete', rename = 'change' }

---@param p galley.Paint
---@param row integer
---@param col integer
---@param opts vim.api.keyset.set_extmark
local function put(p, row, col, opts)
  opts.priority = opts.priority or config.get().preview.priority
  opts.undo_restore = false
  p.marks[#p.marks + 1] = { row = row, col = col, opts = opts }
end

--- A mark over text. It is one of its own: a sign would stand on the line where the colour ends, too.
---@param p galley.Paint
---@param row integer
---@param col integer
---@param opts vim.api.keyset.set_extmark
local function tint(p, row, col, opts)
  put(p, row, col, vim.tbl_extend('force', { invalidate = true, strict = false }, opts))
end

---@param p galley.Paint
---@param kind 'delete'|'add'|'change'|'conflict'|'below'|'above'
---@return string sign
---@return string group
local function sign(p, kind)
  local group = (kind == 'below' or kind == 'above') and 'add' or kind
  group = 'GalleySign' .. group:gsub('^%l', string.upper)
  return p.change.change .. config.get().signs[kind], group
end

--- What is marked within a line.
---@param p galley.Paint
---@param stretches? galley.Stretch[]
---@return galley.Stretch[]
local function marked(p, stretches)
  return p.turn.inline and config.get().preview.words and stretches or {}
end

---@param p galley.Paint
---@param block galley.Block
local function old_lines(p, block)
  local conflict, inline = p.change.state == 'conflict', p.turn.inline
  local kind = conflict and 'conflict' or (inline or #block.new == 0) and 'delete' or 'change'
  local text, group = sign(p, kind)
  local colour = conflict and 'GalleyConflict' or 'GalleyDelete'
  local priority = config.get().preview.priority + 1
  for i = 1, block.old do
    local row = block.row + i - 1
    local opts = { sign_text = text, sign_hl_group = group } ---@type vim.api.keyset.set_extmark
    if conflict and i == 1 and inline then
      opts.virt_text, opts.virt_text_pos = { { ' ‹ yours', 'GalleyConflictNote' } }, 'eol'
    end
    put(p, row, 0, opts)
    if inline then
      tint(p, row, 0, { end_row = row + 1, end_col = 0, hl_group = colour, hl_eol = true })
    end
    for _, span in ipairs(marked(p, block.gone[i])) do
      local word = { end_row = row, end_col = span.e, hl_group = colour .. 'Word' }
      word.priority = priority
      tint(p, row, span.s, word)
    end
  end
end

---@param p galley.Paint
---@param block galley.Block
---@return galley.Span[][]
local function colours(p, block)
  local out = {} ---@type galley.Span[][]
  local parsed = {} ---@type galley.Span[][]
  local t = p.turn
  if t.lang and #block.new > 0 then
    local known = syntax.spans(t.bufnr, t.lang, block, vim.uv.hrtime() < t.ends)
    p.plain = p.plain or not known
    parsed = known or {}
  end
  for i = 1, #block.new do
    out[i] = vim.list_extend({}, parsed[i] or {})
    for _, span in ipairs(marked(p, block.come[i])) do
      table.insert(out[i], { s = span.s, e = span.e, group = 'GalleyAddWord' })
    end
    for s, e in block.new[i]:gmatch('()⟦.-⟧()') do -- what could not be seen, or is left out
      table.insert(out[i], { s = s - 1, e = e - 1, group = 'SpecialKey' })
    end
  end
  return out
end

--- A sentence as virtual lines. It stays where it is when the text is scrolled to the side.
---@param lines galley.Chunk[][]
---@param p galley.Paint
---@param text string
---@param group string
---@param spans galley.Span[]
local function sentence(lines, p, text, group, spans)
  local unscrolled = setmetatable(
    { leftcol = 0, wrap = true, words = true },
    { __index = p.layout }
  )
  for _, row in ipairs(compose.rows(text, group, spans, unscrolled)) do
    lines[#lines + 1] = compose.line(row, nil, 'GalleyGutter', nil, p.layout)
  end
end

---@param lines galley.Chunk[][]
---@param p galley.Paint
---@param block galley.Block
local function new_lines(lines, p, block)
  local most = config.get().preview.max_lines
  local shown = #block.new
  if most > 0 and shown > most and not p.expanded then
    shown = math.max(1, most - 1)
  end
  local label, group = sign(p, 'add')
  local coloured = colours(p, block)
  for i = 1, shown do
    for n, row in ipairs(compose.rows(block.new[i], 'GalleyAdd', coloured[i], p.layout)) do
      if n == 1 and i == 1 and p.change.state == 'conflict' then
        row.chunks[#row.chunks + 1] = { "  ‹ the agent's", { 'GalleyAdd', 'GalleyConflictNote' } }
        row.width = row.width + 14
      end
      lines[#lines + 1] = compose.line(row, n == 1 and label or nil, group, 'GalleyAdd', p.layout)
    end
  end
  if shown < #block.new then
    p.folded = p.folded + #block.new - shown
    local text = '… ' .. editor.count(#block.new - shown, 'more line')
    sentence(lines, p, text .. keys.hint({ 'expand' }, '  '), 'GalleyFold', {})
  end
end

--- What changes of whole files ask, and what is in their way.
---@type table<string, [string, string]>
local questions = {
  create = { 'create this file?', 'you made this file, too' },
  delete_file = { 'delete this file?', 'you changed this file; delete it?' },
  rename = { 'rename → %s?', 'rename → %s is not possible as things are' },
}

---@param c galley.Change
---@return string?
local function question(c)
  local conflict, words = c.state == 'conflict', questions[c.kind]
  if words then
    return words[conflict and 2 or 1]:format(editor.name(c.to or ''))
  elseif conflict then
    return c.conflict and c.conflict.mine == '' and 'you deleted what it changes'
      or 'you changed the same text'
  end
end

--- What is said of a change besides its lines: why the agent wants it, and what cannot be seen.
---@param p galley.Paint
---@return string
local function words_of(p)
  local c = p.change
  local out = { question(c) } ---@type string[]
  if c.reason ~= '' and config.get().preview.reason then
    out[#out + 1] = c.reason
  end
  if #p.blocks > 1 then
    out[#out + 1] = ('%d places'):format(#p.blocks)
  end
  out[#out + 1] = p.edit
  if #out == 0 and (p.layout.gutter == 0 or #p.blocks == 0) then -- nothing else names the letter
    out[1] = c.summary
  end
  return table.concat(out, ' · ')
end

---@param p galley.Paint
---@return string
local function hints_of(p)
  if not p.active or not config.get().preview.hints then
    return ''
  end
  if p.change.state == 'conflict' then
    return keys.hint({ 'resolve_mine', 'resolve_agent', 'resolve_ask' }, '')
  end
  return keys.hint({ 'apply', 'reject' }, '')
end

---@param lines galley.Chunk[][]
---@param p galley.Paint
local function reason(lines, p)
  local text, hints = words_of(p):gsub('%s+', ' '), hints_of(p)
  if text == '' and hints == '' then
    return
  end
  local between = text ~= '' and hints ~= '' and '   ' or ''
  local full = ('%s: %s%s%s'):format(p.change.change, text, between, hints)
  local group = p.change.state == 'conflict' and 'GalleyConflictNote' or 'GalleyReason'
  local spans = { { s = 0, e = 2, group = p.active and 'GalleyLetterActive' or 'GalleyLetter' } }
  if hints ~= '' then
    spans[2] = { s = #full - #hints, e = #full, group = 'GalleyHint' }
  end
  sentence(lines, p, full, group, spans)
end

--- Where lines would come.
---@param p galley.Paint
---@param block galley.Block
local function sign_of_insertion(p, block)
  local kind = p.change.state == 'conflict' and 'conflict'
    or whole_files[p.change.kind]
    or not p.turn.inline and 'add'
    or block.row == 0 and 'above'
    or 'below'
  local opts = {} ---@type vim.api.keyset.set_extmark
  opts.sign_text, opts.sign_hl_group = sign(p, kind)
  opts.priority = config.get().preview.priority - 1 -- a line's own sign goes first
  put(p, math.max(0, block.row - 1), 0, opts)
end

---@param p galley.Paint
---@param block galley.Block
---@param last boolean
local function virtual(p, block, last)
  local lines = {} ---@type galley.Chunk[][]
  new_lines(lines, p, block)
  if last then
    reason(lines, p)
  end
  if #lines == 0 then
    return
  end
  local row = block.row + block.old - 1
  put(p, math.max(0, row), 0, {
    virt_lines = lines,
    virt_lines_above = row < 0,
    virt_lines_leftcol = p.layout.gutter > 0,
    virt_lines_overflow = compat.nvim_011 and 'trunc' or nil,
  })
end

--- Draws a change: its marks, and what is left to do.
---@param p galley.Paint
function M.change(p)
  local lines = vim.api.nvim_buf_line_count(p.turn.bufnr)
  -- What changes no line, but the end of the last one, has its sentence all the same; a whole file's is at the top.
  local whole = whole_files[p.change.kind]
  local list = #p.blocks > 0 and p.blocks
    or { blocks.at(whole and 0 or math.min(p.base + 1, lines)) }
  for i, block in ipairs(list) do
    old_lines(p, block)
    if block.old == 0 and (p.layout.anchor or whole or not p.turn.inline) then
      sign_of_insertion(p, block)
    end
    if p.turn.inline then
      virtual(p, block, i == #list)
    end
  end
end

return M
