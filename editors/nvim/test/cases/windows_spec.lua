-- Windows, buffers, files.
local case = require('harness').case

local before = 'one\ntimeout: 30\nthree\n'
local applied = 'one\ntimeout: 60\nthree\n'
local prompt = 'replace "timeout: 30" with "timeout: 60" in f.txt'

---How many rows of the screen hold a text and nothing else but signs.
local function count(n, text)
  local found = 0
  for _, row in ipairs(n:screen()) do
    found = found + (row:find('^[%s%-+A]*' .. vim.pesc(text) .. '$') and 1 or 0)
  end
  return found
end

case('windows: a split shows a letter twice', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:cmd('Galley run')
  n:cmd('quit')
  n:cmd('split')
  t:await('the new text in both windows', function()
    return count(n, 'timeout: 60') == 2
  end)
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:await('the old text in no window', function()
    return count(n, 'timeout: 30') == 0 and count(n, 'timeout: 60') == 2
  end)
end)

case('windows: a symbolic link to an open file is the same text', function(t)
  local n = t:neovim(before)
  n:lua("vim.uv.fs_symlink('f.txt', 'link.txt')")
  n:ask(prompt)
  n:cmd('split link.txt')
  n:keys('Oabove<Esc>')
  n:agrees()
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:eq(n:text('f.txt'), 'above\n' .. applied)
  n:cmd('wall')
  t:eq(n:file('f.txt'), 'above\n' .. applied)
  t:eq(n:lua("return vim.uv.fs_lstat('link.txt').type"), 'link')
end)

case('windows: two files in two windows', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = before, ['g.txt'] = before },
    open = { '-o', 'f.txt', 'g.txt' },
  })
  n:ask(prompt)
  n:ask('replace "three" with "3" in g.txt')
  n:letters({ A = 'staged', B = 'staged' })
  n:keys('Oin f<Esc><C-w>jOin g<Esc>')
  n:agrees()
  n:cmd('Galley apply A')
  n:cmd('Galley apply B')
  n:letters({ A = 'applied', B = 'applied' })
  t:eq({ n:text('f.txt'), n:text('g.txt') }, { 'in f\n' .. applied, 'in g\none\ntimeout: 30\n3\n' })
  n:keys('u')
  n:letters({ A = 'applied', B = 'staged' })
end)

case('windows: hidden buffers are applied to, and shown when they come back', function(t)
  local n = t:neovim({ files = { ['f.txt'] = before, ['g.txt'] = 'g\n' }, open = 'f.txt' })
  n:ask(prompt)
  n:keys('Oabove<Esc>')
  n:cmd('edit g.txt')
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:eq(n:text('f.txt'), 'above\n' .. applied)
  t:eq(n:text(), 'g\n')
end)

case('windows: :q with a letter applied and not saved', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  local refusal = n:lua("local done, err = pcall(vim.cmd, 'quit') return done and 'done' or err")
  t:ok(refusal:find('E37'), ':q does not refuse: ' .. refusal)
  n:cmd('write')
  t:eq(n:file('f.txt'), applied)
end)

case(
  'windows: :q! throws away what was applied and not saved, and the letter waits again',
  function(t)
    local n = t:neovim(before)
    n:ask(prompt)
    n:ask('replace "three" with "3" in f.txt')
    n:cmd('Galley apply A')
    n:letters({ A = 'applied', B = 'staged' })
    n:quit()
    local again = t:neovim({ home = n.home, open = 'f.txt' })
    again:letters({ A = 'staged', B = 'staged' })
    again:shows('timeout: 60')
    t:eq(again:text(), before)
  end
)

case('windows: a letter that only waits leaves the buffer unmodified for :q', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:shows('timeout: 60')
  pcall(n.cmd, n, 'qall')
  t:await('Neovim has ended', function()
    return not n:alive()
  end)
  t:eq(n:file('f.txt'), before)
  local again = t:neovim({ home = n.home, open = 'f.txt' })
  again:letters({ A = 'staged' })
  again:shows('timeout: 60')
end)

case('windows: long blocks are folded and can be seen whole', function(t)
  local lines = {}
  for i = 1, 60 do
    lines[i] = 'new line ' .. i
  end
  local n = t:neovim(before)
  n:ask(('replace "three" with "%s" in f.txt'):format(table.concat(lines, '\\n')))
  n:shows('new line 1')
  n:shows('more lines')
  n:hides('new line 50')
  n:keys('G')
  n:cmd('Galley expand')
  n:hides('more lines')
end)

case('windows: tabs are as wide as in the buffer', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = 'if x {\n\tfirst\n}\n' },
    open = 'f.txt',
    setup = 'vim.o.tabstop = 4',
  })
  n:ask('replace "first" with "second" in f.txt')
  n:shows('second')
  local columns = {}
  for _, row in ipairs(n:screen()) do
    for _, word in ipairs({ 'first', 'second' }) do
      local at = row:find(word, 1, true)
      if at and not row:find('replace', 1, true) then
        columns[word] = vim.fn.strdisplaywidth(row:sub(1, at - 1))
      end
    end
  end
  t:eq(columns.second, columns.first, 'the column of the new text')
end)

-- A proposal of so many lines at a line of a file of so many, in a window of so many rows.
local function tall(t, lines, at, new, o)
  local text, block = {}, {}
  for i = 1, lines do
    text[i] = ('line %d'):format(i)
  end
  for i = 1, new do
    block[i] = ('new %d'):format(i)
  end
  local n = t:neovim(vim.tbl_extend('force', {
    files = { ['f.txt'] = table.concat(text, '\n') .. '\n', ['g.txt'] = 'g\n' },
    open = 'f.txt',
    setup = "vim.g.galley = { keys = true, preview = { max_lines = 0 }, run = { open = 'none' } }",
  }, o or {}))
  local with = table.concat(block, '\\n')
  n:ask(('replace "line %d\\n" with "%s\\n" in f.txt'):format(at, with))
  n:letters({ A = 'staged' })
  n:lua('vim.o.laststatus = 2')
  return n
end

for what, c in pairs({
  ['in the middle of the window'] = { lines = 100, at = 18, new = 20 },
  ['below the window'] = { lines = 100, at = 60, new = 20 },
  ['at the end of the file'] = { lines = 60, at = 60, new = 22 },
  ['as tall as the window'] = { lines = 100, at = 40, new = 25 },
  ['near the top'] = { lines = 100, at = 9, new = 21 },
}) do
  case('windows: U46 ]g brings a whole tall proposal into sight, ' .. what, function(t)
    local n = tall(t, c.lines, c.at, c.new)
    n:keys(']g')
    n:shows('line ' .. c.at)
    n:shows('new 1')
    n:shows('new ' .. c.new)
    n:shows('gla apply')
  end)
end

case(
  'windows: U46 ]g shows as much of a proposal taller than the window as there is room for',
  function(t)
    local n = tall(t, 100, 50, 60)
    n:keys(']g')
    n:await('its first line at the top', "return vim.fn.line('w0') == 50")
    n:shows('new 20')
  end
)

case('windows: U46 ]g into another file brings the whole proposal into sight', function(t)
  local n = tall(t, 100, 70, 20)
  n:cmd('edit g.txt')
  n:lua("vim.cmd('bwipeout f.txt')")
  n:keys(']g')
  n:await('the file', "return vim.fn.expand('%:t') == 'f.txt'")
  n:shows('new 1')
  n:shows('new 20')
end)

case('windows: U46 what is in sight already is not moved', function(t)
  local n = tall(t, 100, 14, 5)
  n:keys(']g')
  n:await('the cursor is there', "return vim.fn.line('.') == 14")
  t:eq(n:lua("return vim.fn.line('w0')"), 1, 'the first line of the window')
end)
