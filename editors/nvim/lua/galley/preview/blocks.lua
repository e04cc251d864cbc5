-- From the display lines of a change to blocks: which lines of the buffer would go, and which would come behind them.
local compat = require('galley.compat')
local versions = require('galley.versions')

local M = {}

---@class galley.Stretch what differs within a line, in bytes
---@field s integer
---@field e integer

---@class galley.Block
---@field row integer 0-based, the first old line, or the line that new ones come before
---@field old integer how many lines would go
---@field new string[] the lines that would come
---@field gone table<integer, galley.Stretch[]> by old line
---@field come table<integer, galley.Stretch[]> by new line

--- What is marked of a line. An old one of which something is written out or left out has other bytes in the buffer.
---@param line galley.Line
---@param encoding string
---@return galley.Stretch[]
local function bytes(line, encoding)
  if line.sign == '-' and line.text:find('⟦', 1, true) then
    return {}
  end
  local function byte(character)
    return compat.byte(line.text, character, encoding)
  end
  return vim.tbl_map(function(mark)
    return { s = byte(mark[1]), e = byte(mark[2]) }
  end, line.marks)
end

--- A block without lines.
---@param row integer
---@return galley.Block
function M.at(row)
  return { row = row, old = 0, new = {}, gone = {}, come = {} }
end

---@param bufnr integer
---@param change galley.Change
---@param encoding string
---@return galley.Block[]
function M.of(bufnr, change, encoding)
  local out, block = {}, nil ---@type galley.Block[], galley.Block?
  local row = versions.is_bare(bufnr) and 1 or 0 -- behind the line before; the line of a bare buffer stands for none
  for _, l in ipairs(change.kind == 'delete_file' and {} or change.lines) do
    if l.sign == ' ' or l.text == '' and l.sign == '!' then
      row, block = l.line or row, nil
    elseif l.sign ~= '!' then
      if not block then
        block = M.at(l.sign == '-' and l.line - 1 or row)
        out[#out + 1] = block
      end
      if l.sign == '-' then
        block.old = l.line - block.row -- with those that are folded
        block.gone[block.old] = bytes(l, encoding)
      else
        table.insert(block.new, l.text)
        block.come[#block.new] = bytes(l, encoding)
      end
    end
  end
  return out
end

--- All that the blocks of a change are made from, but its place.
---@param change galley.Change
---@param base integer row that it is told from
---@return string
function M.key(change, base)
  local out = {}
  for _, l in ipairs(change.lines) do
    if l.sign ~= ' ' then
      local at = l.sign == '-' and l.line - base or 0
      out[#out + 1] = ('%s%d %s %s'):format(l.sign, at, vim.json.encode(l.marks), l.text)
    end
  end
  return table.concat(out, '\n')
end

return M
