-- One change as extmarks: old lines tinted, with its letter as sign; new lines, and what the change is for, as virtual
-- lines below.
local blocks = require('galley.preview.blocks')
local compose = require('galley.preview.compose')
local config = require('galley.config')
local keys = require('galley.keys')
local syntax = require('galley.preview.syntax')

local M = {}

---@class galley.Mark
---@field row integer
---@field col integer
---@field opts vim.api.keyset.set_extmark

---@class galley.Paint
---@field bufnr integer
---@field change galley.Change
---@field base integer row of its first edit
---@field blocks galley.Block[]
---@field layout galley.Layout
---@field inline boolean
---@field expanded boolean
---@field active boolean the cursor stands on it
---@field lang? string
---@field several boolean more than one edit is open
---@field may_parse fun(): boolean whether there is time for it
---@field plain boolean out: it is to be drawn again, with colours
---@field folded integer out: how many lines would come and are not shown

--- Changes of whole files, and the signs that are theirs.
---@type table<string, 'add'|'delete'|'change'>
local whole_files = { create = 'add', delete_file = 'delete', rename = 'change' }

local has_scroll = vim.fn.has('nvim-0.11') == 1

---@param p galley.Paint
---@param kind 'delete'|'add'|'change'|'conflict'|'below'|'above'
---@return string sign
---@return string group
local function sign(p, kind)
  local names = {
    delete = 'GalleySignDelete',
    add = 'GalleySignAdd',
    change = 'GalleySignChange',
    conflict = 'GalleySignConflict',
    below = 'GalleySignAdd',
    above = 'GalleySignAdd',
  }
  return p.change.change .. config.get().signs[kind], names[kind]
end

---@param p galley.Paint
---@param block galley.Block
---@return 'delete'|'change'|'conflict'
local function kind_of(p, block)
  if p.change.state == 'conflict' then
    return 'conflict'
  end
  return (p.inline or #block.new == 0) and 'delete' or 'change'
end

--- Whether what differs within the lines is marked.
---@param p galley.Paint
---@return boolean
local function marked(p)
  return p.inline and config.get().preview.words
end

---@param out galley.Mark[]
---@param p galley.Paint
---@param block galley.Block
local function old_lines(out, p, block)
  local text, group = sign(p, kind_of(p, block))
  local conflict = p.change.state == 'conflict'
  local tint, word = 'GalleyDelete', 'GalleyDeleteWord'
  if conflict then
    tint, word = 'GalleyConflict', 'GalleyConflictWord'
  end
  local priority = config.get().preview.priority
  for i = 1, block.old do
    local row = block.row + i - 1
    local opts = {
      sign_text = text,
      sign_hl_group = group,
      priority = priority,
      undo_restore = false,
    } ---@type vim.api.keyset.set_extmark
    if conflict and i == 1 and p.inline then
      opts.virt_text, opts.virt_text_pos = { { ' ‹ yours', 'GalleyConflictNote' } }, 'eol'
    end
    out[#out + 1] = { row = row, col = 0, opts = opts }
    if p.inline then -- a mark of its own: a sign would stand on the line where the colour ends, too
      out[#out + 1] = {
        row = row,
        col = 0,
        opts = {
          end_row = row + 1,
          end_col = 0,
          hl_group = tint,
          hl_eol = true,
          priority = priority,
          undo_restore = false,
          invalidate = true,
          strict = false,
        },
      }
    end
    for _, span in ipairs(marked(p) and block.gone[i] or {}) do
      out[#out + 1] = {
        row = row,
        col = span.s,
        opts = {
          end_row = row,
          end_col = span.e,
          hl_group = word,
          priority = priority + 1,
          undo_restore = false,
          invalidate = true,
          strict = false,
        },
      }
    end
  end
end

---@param p galley.Paint
---@param block galley.Block
---@return galley.Span[][]
local function colours(p, block)
  local out = {} ---@type galley.Span[][]
  local parsed = {} ---@type galley.Span[][]
  if p.lang and #block.new > 0 then
    local known = syntax.known(p.lang, block)
    if not known and p.may_parse() then
      known = syntax.spans(p.bufnr, p.lang, block)
    end
    p.plain = p.plain or not known
    parsed = known or {}
  end
  for i = 1, #block.new do
    out[i] = vim.list_extend({}, parsed[i] or {})
    for _, span in ipairs(marked(p) and block.come[i] or {}) do
      table.insert(out[i], { s = span.s, e = span.e, group = 'GalleyAddWord' })
    end
    for s, e in block.new[i]:gmatch('()⟦.-⟧()') do -- what could not be seen, or is left out
      table.insert(out[i], { s = s - 1, e = e - 1, group = 'SpecialKey' })
    end
  end
  return out
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
    local text = ('… %d more line%s'):format(
      #block.new - shown,
      #block.new - shown == 1 and '' or 's'
    )
    text = text .. keys.hint({ 'expand' }, '  ')
    for _, row in ipairs(compose.rows(text, 'GalleyFold', {}, M.unscrolled(p.layout))) do
      lines[#lines + 1] = compose.line(row, nil, 'GalleyGutter', nil, p.layout)
    end
  end
end

--- Sentences stay where they are when the text is scrolled to the side.
---@param l galley.Layout
---@return galley.Layout
function M.unscrolled(l)
  return setmetatable({ leftcol = 0, wrap = true, words = true }, { __index = l })
end

--- What a change of a whole file asks, or what is in its way.
---@param c galley.Change
---@return string?
local function question(c)
  local conflict = c.state == 'conflict'
  if c.kind == 'create' then
    return conflict and 'you made this file, too' or 'create this file?'
  elseif c.kind == 'delete_file' then
    return conflict and 'you changed this file; delete it?' or 'delete this file?'
  elseif c.kind == 'rename' then
    return (conflict and 'rename → %s is not possible as things are' or 'rename → %s?'):format(
      vim.fn.fnamemodify(vim.uri_to_fname(c.to), ':.')
    )
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
  if p.several then
    out[#out + 1] = ('#%d'):format(c.edit)
  end
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
  local full = ('%s: %s%s%s'):format(
    p.change.change,
    text,
    text ~= '' and hints ~= '' and '   ' or '',
    hints
  )
  local group = p.change.state == 'conflict' and 'GalleyConflictNote' or 'GalleyReason'
  local spans = { { s = 0, e = 2, group = p.active and 'GalleyLetterActive' or 'GalleyLetter' } }
  if hints ~= '' then
    spans[2] = { s = #full - #hints, e = #full, group = 'GalleyHint' }
  end
  for _, row in ipairs(compose.rows(full, group, spans, M.unscrolled(p.layout))) do
    lines[#lines + 1] = compose.line(row, nil, 'GalleyGutter', nil, p.layout)
  end
end

--- Where lines would come.
---@param out galley.Mark[]
---@param p galley.Paint
---@param block galley.Block
local function sign_of_insertion(out, p, block)
  local beside = block.row == 0 and 'above' or 'below'
  local text, group = sign(
    p,
    p.change.state == 'conflict' and 'conflict'
      or whole_files[p.change.kind]
      or p.inline and beside
      or 'add'
  )
  out[#out + 1] = {
    row = math.max(0, block.row - 1),
    col = 0,
    opts = {
      sign_text = text,
      sign_hl_group = group,
      priority = config.get().preview.priority - 1, -- a line's own sign goes first
      undo_restore = false,
    },
  }
end

---@param out galley.Mark[]
---@param p galley.Paint
---@param block galley.Block
---@param last boolean
local function virtual(out, p, block, last)
  local lines = {} ---@type galley.Chunk[][]
  new_lines(lines, p, block)
  if last then
    reason(lines, p)
  end
  if #lines == 0 then
    return
  end
  local row = block.row + block.old - 1
  local opts = {
    virt_lines = lines,
    virt_lines_above = row < 0,
    virt_lines_leftcol = p.layout.gutter > 0,
    virt_lines_overflow = has_scroll and 'trunc' or nil,
    priority = config.get().preview.priority,
    undo_restore = false,
  } ---@type vim.api.keyset.set_extmark
  out[#out + 1] = { row = math.max(0, row), col = 0, opts = opts }
end

--- The marks of a change.
---@param p galley.Paint
---@return galley.Mark[]
function M.marks(p)
  local out = {} ---@type galley.Mark[]
  local lines = vim.api.nvim_buf_line_count(p.bufnr)
  -- What changes no line, but the end of the last one, has its sentence all the same; a whole file's is at the top.
  local whole = whole_files[p.change.kind]
  local list = #p.blocks > 0 and p.blocks
    or { blocks.at(whole and 0 or math.min(p.base + 1, lines)) }
  for i, block in ipairs(list) do
    old_lines(out, p, block)
    if block.old == 0 and (p.layout.anchor or whole or not p.inline) then
      sign_of_insertion(out, p, block)
    end
    if p.inline then
      virtual(out, p, block, i == #list)
    end
  end
  return out
end

return M
