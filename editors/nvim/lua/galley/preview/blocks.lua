-- From the edits of a change to lines: which lines of the buffer would go, and which would come in their place.
local compat = require('galley.compat')
local edits = require('galley.edits')
local state = require('galley.state')
local versions = require('galley.versions')

local api = vim.api

local M = {}

---@class galley.Block
---@field row integer 0-based, the first old line, or the line that new ones come before
---@field old integer how many lines would go
---@field new string[] the lines that would come

---@class galley.Piece
---@field srow integer
---@field scol integer
---@field erow integer
---@field ecol integer
---@field text string
---@field ends boolean it reaches behind the last line

---@param bufnr integer
---@param edit galley.Edit
---@param encoding string
---@return galley.Piece
local function piece(bufnr, edit, encoding)
  local count = api.nvim_buf_line_count(bufnr)
  local srow, scol = state.place(bufnr, edit.range.start, encoding)
  local erow, ecol = state.place(bufnr, edit.range['end'], encoding)
  return {
    srow = srow,
    scol = scol,
    erow = erow,
    ecol = ecol,
    text = edit.newText,
    ends = erow >= count,
  }
end

--- The edits that a change is drawn from. In a conflict it is the agent's text over the user's; a new file is drawn
--- over all that its buffer holds.
---@param bufnr integer
---@param change galley.Change
---@return galley.Edit[]
local function edits_of(bufnr, change)
  if change.kind == 'create' then
    local stop = { line = api.nvim_buf_line_count(bufnr), character = 0 }
    local range = { start = change.range.start, ['end'] = stop }
    return {
      { range = range, newText = change.conflict and change.conflict.agent or change.newText },
    }
  elseif state.whole[change.kind] then
    return {}
  end
  if change.state == 'conflict' and change.conflict then
    local c = change.conflict --[[@as galley.Conflict]]
    if c.mine == change.oldText or #change.edits == 0 then
      return { { range = change.range, newText = c.agent } }
    end
  end
  local out = {} ---@type galley.Edit[]
  for _, edit in ipairs(change.edits) do
    local last = out[#out]
    local at = edit.range.start
    local before = last and last.range['end']
    if
      not before
      or before.line < at.line
      or before.line == at.line and before.character <= at.character
    then
      out[#out + 1] = edit
    end
  end
  return out
end

--- Edits that share lines, or lie on lines that follow one another, are one group.
---@param pieces galley.Piece[]
---@return galley.Piece[][]
local function groups(pieces)
  local out = {} ---@type galley.Piece[][]
  for _, p in ipairs(pieces) do
    local group = out[#out]
    local last = group and group[#group]
    if last and p.srow <= last.erow + 1 then
      group[#group + 1] = p
    else
      out[#out + 1] = { p }
    end
  end
  return out
end

--- The text of whole lines with edits made in it.
---@param lines string[]
---@param first integer row of the first of them
---@param group galley.Piece[]
---@return string
local function replaced(lines, first, group)
  local starts, at = {}, 0 ---@type integer[], integer
  for i, line in ipairs(lines) do
    starts[i] = at
    at = at + #line + 1
  end
  local text = table.concat(lines, '\n') .. '\n'
  if #lines == 0 then
    text = ''
  end
  local function offset(row, col)
    local start = starts[row - first + 1]
    return start and start + col or #text
  end
  local out, done = {}, 0 ---@type string[], integer
  for _, p in ipairs(group) do
    local s, e = offset(p.srow, p.scol), offset(p.erow, p.ecol)
    out[#out + 1] = text:sub(done + 1, s)
    out[#out + 1] = p.text
    done = e
  end
  out[#out + 1] = text:sub(done + 1)
  return table.concat(out)
end

---@param bufnr integer
---@param lines string[]
---@param first integer
---@param group galley.Piece[]
---@return galley.Block[]
local function compare(bufnr, lines, first, group)
  if versions.is_bare(bufnr) then -- its one line stands for none
    lines, first = {}, 1
  end
  local new = edits.lines(bufnr, replaced(lines, first, group))
  if new[#new] == '' then
    new[#new] = nil
  end
  local a = #lines > 0 and table.concat(lines, '\n') .. '\n' or ''
  local b = #new > 0 and table.concat(new, '\n') .. '\n' or ''
  local hunks = compat.diff(a, b, { result_type = 'indices', algorithm = 'histogram' })
  ---@cast hunks integer[][]
  local out = {} ---@type galley.Block[]
  for _, h in ipairs(hunks) do
    out[#out + 1] = {
      row = first + (h[2] > 0 and h[1] - 1 or h[1]),
      old = h[2],
      new = vim.list_slice(new, h[3], h[3] + h[4] - 1),
    }
  end
  return out
end

--- Input of a change's blocks, to see whether they must be made again: rows, lines and texts.
---@param bufnr integer
---@param change galley.Change
---@param encoding string
---@return galley.Piece[][] groups
---@return string[][] lines of each group
---@return string key without the place
function M.input(bufnr, change, encoding)
  local pieces = {} ---@type galley.Piece[]
  for _, edit in ipairs(edits_of(bufnr, change)) do
    pieces[#pieces + 1] = piece(bufnr, edit, encoding)
  end
  local all, texts, key = groups(pieces), {}, {}
  for i, group in ipairs(all) do
    local first, last = group[1].srow, group[#group].erow
    texts[i] = api.nvim_buf_get_lines(bufnr, first, last + 1, false)
    vim.list_extend(key, texts[i])
    for _, p in ipairs(group) do
      key[#key + 1] = ('%d %d %d %d %s'):format(
        p.srow - pieces[1].srow,
        p.scol,
        p.erow - p.srow,
        p.ecol,
        p.text
      )
    end
  end
  return all, texts, table.concat(key, '\n')
end

---@param bufnr integer
---@param all galley.Piece[][]
---@param texts string[][]
---@return galley.Block[]
function M.make(bufnr, all, texts)
  local out = {} ---@type galley.Block[]
  for i, group in ipairs(all) do
    vim.list_extend(out, compare(bufnr, texts[i], group[1].srow, group))
  end
  return out
end

return M
