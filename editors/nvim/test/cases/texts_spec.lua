-- Texts of every kind: what is applied, taken back, applied again and saved is right to the byte.
local case = require('harness').case

local function crlf(text)
  return (text:gsub('\n', '\r\n'))
end

-- Each: what it is, the file, the instruction, the file with it, and what else must be seen while the letter waits.
local texts = {
  { 'one line', 'one\ntwo\nthree\n', 'replace "two" with "2"', 'one\n2\nthree\n' },
  {
    'several lines',
    'one\ntwo\nthree\n',
    'replace "two\\nthree" with "2\\n2b\\n3"',
    'one\n2\n2b\n3\n',
  },
  {
    'multibyte',
    'x = "😀é"; ß = 1\nzwölf\n',
    'replace "ß = 1" with "ß = 2 — ”ok“ 日本"',
    'x = "😀é"; ß = 2 — ”ok“ 日本\nzwölf\n',
  },
  {
    'combining and wide',
    'a\nnoe\204\136l 日本 b\n',
    'replace "日本 b" with "日本語 c"',
    'a\nnoe\204\136l 日本語 c\n',
  },
  {
    'tabs',
    'if x {\n\tone\n\t\ttwo\n}\n',
    'replace "\\t\\ttwo" with "\\t\\ttwo\\n\\tthree"',
    'if x {\n\tone\n\t\ttwo\n\tthree\n}\n',
  },
  { 'CRLF', crlf('one\ntwo\nthree\n'), 'replace "two" with "2\\n2b"', crlf('one\n2\n2b\nthree\n') },
  { 'CRLF, no final newline', crlf('one\ntwo'), 'replace "two" with "2\\n3"', crlf('one\n2\n3') },
  { 'no final newline', 'one\ntwo', 'replace "two" with "2"', 'one\n2' },
  {
    'no final newline, at the end',
    'one\ntwo',
    'replace "two" with "two\\nthree"',
    'one\ntwo\nthree',
  },
  {
    'insertion at the end',
    'one\ntwo\n',
    'append "three\\n" to',
    'one\ntwo\nthree\n',
    shows = 'three',
  },
  {
    'insertion at the top',
    'one\ntwo\n',
    'replace "one" with "zero\\none"',
    'zero\none\ntwo\n',
    shows = 'zero',
  },
  {
    'deletion at the top',
    'one\ntwo\nthree\nfour\n',
    'delete "one\\ntwo\\n" in',
    'three\nfour\n',
    shows = 'A-',
  },
  { 'deletion at the end', 'one\ntwo\nthree\n', 'delete "three\\n" in', 'one\ntwo\n' },
  { 'deletion of all', 'one\ntwo\n', 'delete "one\\ntwo\\n" in', '' },
  { 'an empty file', '', 'append "one\\n" to', 'one\n', shows = 'one' },
  { 'a file of one empty line', '\n', 'append "one\\n" to', 'one\n' },
  {
    'dollars and backslashes',
    'one\n',
    [[replace "one" with '$1 $& \1 \\ %s']],
    [[$1 $& \1 \\ %s]] .. '\n',
  },
  {
    'a byte order mark',
    '\239\187\191one\ntwo\n',
    'replace "two" with "2"',
    '\239\187\191one\n2\n',
  },
  {
    'a long line',
    ('x'):rep(20000) .. ' end\n',
    'replace "end" with "END"',
    ('x'):rep(20000) .. ' END\n',
  },
  { 'blanks at line ends', 'one  \ntwo\t\n', 'replace "two" with "2  "', 'one  \n2  \t\n' },
}

-- In Neovim a text of nothing and one of an empty line look alike.
local function seen(text)
  return text == '\n' and '' or text
end

local function instruction(text)
  local step = text[3]
  return step .. (step:find('^replace') and ' in f.txt' or ' f.txt')
end

for _, text in ipairs(texts) do
  local what, before, _, after = unpack(text)
  local bare = before:gsub('^\239\187\191', '') -- Neovim keeps the mark out of its buffers
  local result = after:gsub('^\239\187\191', '')
  case('texts: ' .. what, function(t)
    local n = t:neovim(before)
    n:ask(instruction(text))
    n:letters({ A = 'staged' })
    n:shows(text.shows or 'A')
    n:agrees()
    t:eq(seen(n:text()), seen(bare), 'the buffer, while the letter waits')
    n:cmd('Galley apply A')
    n:letters({ A = 'applied' })
    t:eq(seen(n:text()), seen(result), 'the buffer, applied')
    n:keys('u')
    n:letters({ A = 'staged' })
    t:eq(seen(n:text()), seen(bare), 'the buffer, taken back')
    n:agrees()
    n:keys('<C-r>')
    n:letters({ A = 'applied' })
    n:cmd('set nofixendofline | write')
    t:eq(n:file('f.txt'), after, 'the file')
    n:cmd('Galley commit')
    n:letters({})
    n:await(
      'the server believes the same',
      [[
      local text, err = inside.believed(...)
      local mine = inside.text(0)
      return (text or err) == mine or (text == '\n' or text == '') and (mine == '' or mine == '\n')
    ]],
      n:uri('f.txt')
    )
  end)
end

case('texts: a letter that is rejected leaves no trace', function(t)
  local n = t:neovim('one\ntwo\n')
  n:ask('replace "two" with "2" in f.txt')
  n:letters({ A = 'staged' })
  local tick = n:lua('return vim.b.changedtick')
  n:cmd('Galley reject A no')
  n:letters({ A = 'rejected' })
  t:eq(
    { n:lua('return vim.b.changedtick'), n:lua('return vim.bo.modified'), n:text() },
    { tick, false, 'one\ntwo\n' }
  )
  n:keys('u')
  t:eq(n:text(), 'one\ntwo\n')
end)
