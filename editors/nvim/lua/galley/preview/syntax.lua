-- Colours of lines that are not in the buffer yet, as tree-sitter has them for the language.
local api = vim.api

local M = {}

local whole = 64 * 1024 -- up to so many bytes the whole file is parsed, with the new lines in it
local around = 200 -- lines, in longer ones

local skip = { spell = true, nospell = true, conceal = true, none = true }

---@type table<string, galley.Span[][]>
local cache = {}
local cached = 0

--- The language of a buffer, if there is a parser and a query for it.
---@param bufnr integer
---@return string?
function M.language(bufnr)
  local filetype = vim.bo[bufnr].filetype
  if filetype == '' then
    return
  end
  local lang = vim.treesitter.language.get_lang(filetype) or filetype
  local ok, added = pcall(vim.treesitter.language.add, lang)
  if not ok or added == false or added == nil and vim.fn.has('nvim-0.11') == 1 then
    return
  end
  local found, query = pcall(vim.treesitter.query.get, lang, 'highlights')
  return found and query and lang or nil
end

--- The text to parse, and the row at which the new lines stand in it.
---@param bufnr integer
---@param block galley.Block
---@return string source
---@return integer row
local function source(bufnr, block)
  local count = api.nvim_buf_line_count(bufnr)
  local size = api.nvim_buf_get_offset(bufnr, count)
  local first = size <= whole and 0 or math.max(0, block.row - around)
  local last = size <= whole and count or math.min(count, block.row + block.old + around)
  local lines = api.nvim_buf_get_lines(bufnr, first, block.row, false)
  local row = #lines
  vim.list_extend(lines, block.new)
  vim.list_extend(lines, api.nvim_buf_get_lines(bufnr, block.row + block.old, last, false))
  return table.concat(lines, '\n') .. '\n', row
end

---@param out galley.Span[][]
---@param lines string[]
---@param first integer row of the first of the lines in the source
---@param range integer[] of a node
---@param group string
local function mark(out, lines, first, range, group)
  local srow, scol, erow, ecol = unpack(range)
  for row = math.max(srow, first), math.min(erow, first + #lines - 1) do
    local line = row - first + 1
    local s = row == srow and scol or 0
    local e = row == erow and ecol or #lines[line]
    if e > s then
      table.insert(out[line], { s = s, e = e, group = group })
    end
  end
end

---@param lang string
---@param text string
---@param first integer
---@param lines string[]
---@return galley.Span[][]
local function parse(lang, text, first, lines)
  local out = {} ---@type galley.Span[][]
  for i = 1, #lines do
    out[i] = {}
  end
  local parser = vim.treesitter.get_string_parser(text, lang)
  parser:parse({ first, first + #lines })
  parser:for_each_tree(function(tree, ltree)
    local own = ltree:lang()
    local query = vim.treesitter.query.get(own, 'highlights')
    local srow, _, erow = tree:root():range()
    if not query or erow < first or srow >= first + #lines then
      return
    end
    for id, node in query:iter_captures(tree:root(), text, first, first + #lines) do
      local name = query.captures[id]
      if not skip[name] and name:sub(1, 1) ~= '_' then
        mark(out, lines, first, { node:range() }, '@' .. name .. '.' .. own)
      end
    end
  end)
  return out
end

--- The spans of each new line. Slow the first time: nil where they are not known, and there is no time.
---@param bufnr integer
---@param lang string
---@param block galley.Block
---@param may_parse boolean
---@return galley.Span[][]?
function M.spans(bufnr, lang, block, may_parse)
  local key = lang .. '\0' .. table.concat(block.new, '\n')
  if not cache[key] and may_parse then
    if cached >= 300 then
      cache, cached = {}, 0
    end
    local text, first = source(bufnr, block)
    local ok, out = pcall(parse, lang, text, first, block.new)
    cache[key] = ok and out or {}
    cached = cached + 1
  end
  return cache[key]
end

return M
