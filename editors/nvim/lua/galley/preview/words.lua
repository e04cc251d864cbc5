-- What is different within lines: a diff over words.
local compat = require('galley.compat')

local M = {}

local most = 4000 -- words, above that lines are shown as a whole

---@class galley.Word
---@field text string
---@field line integer 1-based
---@field s integer 0-based byte
---@field e integer behind its last byte

--- Words, blanks, and every other character by itself; the end of a line is one too.
---@param lines string[]
---@return galley.Word[]
local function split(lines)
  local out = {} ---@type galley.Word[]
  for n, line in ipairs(lines) do
    local at, len = 1, #line
    while at <= len do
      local s, e = line:find('^[%w_\128-\255]+', at)
      if not s then
        s, e = line:find('^%s+', at)
      end
      if not s then
        s, e = at, at
      end
      out[#out + 1] = { text = line:sub(s, e), line = n, s = s - 1, e = e }
      at = e + 1
    end
    if n < #lines then
      out[#out + 1] = { text = '\r', line = n, s = len, e = len }
    end
  end
  return out
end

---@param words galley.Word[]
---@return string
local function joined(words)
  local out = {}
  for i, w in ipairs(words) do
    out[i] = w.text
  end
  return table.concat(out, '\n') .. '\n'
end

---@param words galley.Word[]
---@param from integer
---@param to integer
---@return integer letters that are no blanks
local function weight(words, from, to)
  local n = 0
  for i = from, to do
    if not words[i].text:find('^%s') then
      n = n + #words[i].text
    end
  end
  return n
end

--- Joins spans that only blanks lie between.
---@param words galley.Word[]
---@param hunks integer[][]
---@param first integer index of a hunk's start
---@param count integer
---@return table<integer, {s: integer, e: integer}[]> by line
local function spans(words, hunks, first, count)
  local out = {} ---@type table<integer, {s: integer, e: integer}[]>
  for _, h in ipairs(hunks) do
    for i = h[first], h[first] + h[count] - 1 do
      local w = words[i]
      if w.e > w.s then
        out[w.line] = out[w.line] or {}
        local last = out[w.line][#out[w.line]]
        if last and (last.e == w.s) then
          last.e = w.e
        else
          table.insert(out[w.line], { s = w.s, e = w.e })
        end
      end
    end
  end
  return out
end

--- The parts of old and new lines that differ, by line; nil where the lines have too little in common for that to help.
---@param old string[]
---@param new string[]
---@return table<integer, {s: integer, e: integer}[]>? old
---@return table<integer, {s: integer, e: integer}[]>? new
function M.diff(old, new)
  if #old == 0 or #new == 0 then
    return
  end
  local a, b = split(old), split(new)
  if #a == 0 or #b == 0 or #a > most or #b > most then
    return
  end
  local hunks =
    compat.diff(joined(a), joined(b), { result_type = 'indices', algorithm = 'minimal' })
  ---@cast hunks integer[][]
  local gone, come = 0, 0
  for _, h in ipairs(hunks) do
    gone = gone + weight(a, h[1], h[1] + h[2] - 1)
    come = come + weight(b, h[3], h[3] + h[4] - 1)
  end
  local all, fresh = weight(a, 1, #a), weight(b, 1, #b)
  if all - gone < 0.3 * math.min(all, fresh) then
    return
  end
  return spans(a, hunks, 1, 2), spans(b, hunks, 3, 4)
end

return M
