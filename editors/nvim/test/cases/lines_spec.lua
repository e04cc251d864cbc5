-- What a change looks like: the table that the terminal, Markdown, the hovers and the wire are checked by too.
local case = require('harness').case

local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local file = assert(io.open(here .. '/../../../../testdata/lines.json'))
local rows = vim.json.decode(file:read('*a'))
file:close()

-- What is drawn: the lines that are marked as going, from 1, and those that come, each with the line that it comes behind.
local drawn = [[
  local gone, come = {}, {}
  local ns = vim.api.nvim_get_namespaces()['galley.preview']
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, { details = true })) do
    local row, d = mark[2], mark[4]
    if d.hl_group == 'GalleyDelete' then
      gone[#gone + 1] = row + 1
    end
    for _, line in ipairs(d.virt_lines or {}) do
      local text = ''
      for _, chunk in ipairs(line) do
        text = text .. chunk[1]
      end
      if not text:find('^A: ') then
        come[#come + 1] = { d.virt_lines_above and row or row + 1, vim.trim(text) }
      end
    end
  end
  return { gone, come }
]]

local function quoted(text)
  return '"' .. text:gsub('\\', '\\\\'):gsub('"', '\\"'):gsub('\n', '\\n'):gsub('\t', '\\t') .. '"'
end

for _, row in ipairs(rows) do
  case('lines: ' .. row.name, function(t)
    local n = t:neovim(row.file)
    n:cmd('setlocal nonumber signcolumn=no')
    local step = row.new == '' and 'delete %s in f.txt' or 'replace %s with %s in f.txt'
    n:ask(step:format(quoted(row.old), quoted(row.new)))
    n:letters({ A = 'staged' })
    local come = vim.tbl_map(function(line)
      return { line[1], vim.trim(line[2]) }
    end, row.come)
    t:eq(n:lua(drawn), { row.gone, come })
  end)
end
