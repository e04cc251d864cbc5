-- Virtual lines: text with highlights, as wide as the buffer shows it, broken where the window ends.
local layout = require('galley.preview.layout')

local M = {}

---@alias galley.Chunk {[1]: string, [2]: string|string[]}
---@alias galley.Span {s: integer, e: integer, group: string}

---@class galley.Row
---@field chunks galley.Chunk[]
---@field width integer

--- Cuts a line where highlights begin and end.
---@param text string
---@param base string
---@param spans galley.Span[] later ones go over earlier ones
---@return galley.Chunk[]
local function segments(text, base, spans)
  if #spans == 0 then
    return { { text, { base } } }
  end
  local at = { [0] = true, [#text] = true }
  for _, span in ipairs(spans) do
    at[math.min(span.s, #text)], at[math.min(span.e, #text)] = true, true
  end
  local cuts = vim.tbl_keys(at)
  table.sort(cuts)
  local out = {} ---@type galley.Chunk[]
  for i = 1, #cuts - 1 do
    local s, e, groups = cuts[i], cuts[i + 1], { base }
    for _, span in ipairs(spans) do
      if span.s <= s and span.e >= e then
        groups[#groups + 1] = span.group
      end
    end
    out[#out + 1] = { text:sub(s + 1, e), groups }
  end
  return out
end

---@class galley.Writer
---@field rows galley.Row[]
---@field column integer cells since the beginning of the line
---@field skip integer cells that are scrolled out
local Writer = {}
Writer.__index = Writer

---@param l galley.Layout
---@return galley.Writer
local function writer(l)
  local w = { rows = {}, column = 0, skip = l.wrap and 0 or l.leftcol, layout = l }
  return setmetatable(w, Writer):feed()
end

--- Begins another row.
function Writer:feed()
  self.rows[#self.rows + 1] = { chunks = {}, width = 0 }
  return self
end

---@param text string
---@param width integer
---@param groups string[]
function Writer:put(text, width, groups)
  local row = self.rows[#self.rows]
  local last = row.chunks[#row.chunks]
  if last and last[2] == groups then
    last[1] = last[1] .. text
  else
    row.chunks[#row.chunks + 1] = { text, groups }
  end
  row.width = row.width + width
end

--- Adds something that is not broken.
---@param text string
---@param width integer
---@param groups string[]
function Writer:add(text, width, groups)
  local l = self.layout
  self.column = self.column + width
  if self.skip > 0 then
    local hidden = math.min(self.skip, width)
    self.skip, width = self.skip - hidden, width - hidden
    text = (' '):rep(width)
  end
  local row = self.rows[#self.rows]
  if l.wrap and row.width + width > l.width and row.width > 0 then
    self:feed()
  end
  self:put(text, width, groups)
end

--- Adds characters of one cell each.
---@param text string
---@param groups string[]
function Writer:plain(text, groups)
  local l = self.layout
  local hidden = math.min(self.skip, #text)
  self.skip, self.column = self.skip - hidden, self.column + hidden
  text = text:sub(hidden + 1)
  while text ~= '' do
    local row = self.rows[#self.rows]
    local room = l.wrap and l.width - row.width or #text
    if l.words and room < #text and text:sub(room + 1, room + 1) ~= ' ' then -- back to where a word begins
      local head = text:sub(1, math.max(room, 0)):match('^.* ')
      room = head and #head or row.width > 0 and 0 or room
    end
    if room <= 0 then
      self:feed()
    else
      self:put(text:sub(1, room), math.min(room, #text), groups)
      self.column = self.column + math.min(room, #text)
      text = text:sub(room + 1)
    end
  end
end

---@param groups string[]
function Writer:tab(groups)
  local l = self.layout
  if l.caret then
    return self:add('^I', 2, vim.list_extend(vim.list_slice(groups), { 'SpecialKey' }))
  end
  local width = layout.tab(l, self.column)
  if not l.tab then
    return self:add((' '):rep(width), width, groups)
  end
  local first, second, last = l.tab[1], l.tab[2] or ' ', l.tab[3]
  local text = first .. second:rep(width - 1)
  if last then
    text = width == 1 and last or first .. second:rep(width - 2) .. last
  end
  self:add(text, width, vim.list_extend(vim.list_slice(groups), { 'Whitespace' }))
end

---@param text string
---@param groups string[]
function Writer:text(text, groups)
  local at = 1
  while at <= #text do
    local s, e = text:find('^[\32-\126]+', at)
    if s then
      self:plain(text:sub(s, e), groups)
    elseif text:byte(at) == 9 then
      e = at
      self:tab(groups)
    elseif text:byte(at) < 32 or text:byte(at) == 127 then
      e = at
      self:add('^' .. string.char((text:byte(at) + 64) % 128), 2, groups)
    else -- a character with all that combines with it
      local char = vim.fn.matchstr(text:sub(at), '^.') ---@type string
      if char == '' or not pcall(vim.fn.strdisplaywidth, char) then
        char = text:sub(at, at)
      end
      e = at + #char - 1
      self:add(char, vim.api.nvim_strwidth(char), groups)
    end
    at = e + 1
  end
end

--- The rows that a line takes in the window.
---@param text string
---@param base string highlight of the whole
---@param spans galley.Span[]
---@param l galley.Layout
---@return galley.Row[]
function M.rows(text, base, spans, l)
  local w = writer(l)
  local trail = l.trail and text:find('%s+$') or nil
  for _, segment in ipairs(segments(trail and text:sub(1, trail - 1) or text, base, spans)) do
    w:text(segment[1], segment[2] --[=[@as string[]]=])
  end
  if trail then
    local blank = { base, 'Whitespace' }
    for char in text:sub(trail):gmatch('.') do
      if char == ' ' then
        w:add(l.trail --[[@as string]], 1, blank)
      else
        w:text(char, { base })
      end
    end
  end
  return w.rows
end

--- One virtual line: what stands before the text, the text, and its colour up to the window's end.
---@param row galley.Row
---@param label string? a letter and its sign, for the columns before the text
---@param group string of the label
---@param base string? of the rest of the line; nil: none
---@param l galley.Layout
---@return galley.Chunk[]
function M.line(row, label, group, base, l)
  local out = {} ---@type galley.Chunk[]
  if l.gutter > 0 then
    if l.label > 0 then
      out[1] = { (' '):rep(l.label), 'GalleyGutter' }
    end
    label = label or ''
    local width = vim.api.nvim_strwidth(label)
    out[#out + 1] = { label, group }
    out[#out + 1] = { (' '):rep(math.max(0, l.gutter - l.label - width)), 'GalleyGutter' }
  end
  vim.list_extend(out, row.chunks)
  if base and row.width < l.width then
    out[#out + 1] = { (' '):rep(l.width - row.width), base }
  end
  return out
end

return M
