-- Commands, lists, lines, help: what there is to see and to type.
local case = require('harness').case

local before = 'one\ntimeout: 30\nthree\n'
local files = { ['f.txt'] = before, ['g.txt'] = 'alpha\nbeta\n' }

local function staged(t, setup)
  local n = t:neovim({ files = files, open = 'f.txt', setup = setup })
  n:ask('replace "timeout: 30" with "timeout: 60" in f.txt')
  n:ask('replace "beta" with "gamma" in g.txt')
  n:letters({ A = 'staged', B = 'staged' })
  return n
end

case('commands: completion', function(t)
  local n = staged(t)
  local function completed(line)
    return n:lua('return vim.fn.getcompletion(..., "cmdline")', line)
  end
  for _, name in ipairs({
    'ask',
    'apply',
    'reject',
    'next',
    'prev',
    'commit',
    'revert',
    'preview',
    'tasks',
    'overview',
    'context',
    'history',
    'comment',
    'sessions',
    'cancel',
    'log',
  }) do
    t:ok(vim.tbl_contains(completed('Galley '), name), ':Galley <Tab> does not offer ' .. name)
  end
  t:ok(vim.tbl_contains(completed('Galley apply '), 'A'), ':Galley apply <Tab> does not offer A')
  t:ok(vim.tbl_contains(completed('Galley reject '), 'B'), ':Galley reject <Tab> does not offer B')
  t:eq(completed('Galley over'), { 'overview' })
end)

case('commands: a wrong one is told, and harms nothing', function(t)
  local n = staged(t)
  n:cmd('Galley nonsense')
  n:cmd('Galley apply Q')
  n:await('two messages', 'return #inside.messages >= 2')
  t:ok(not n:waits(), 'Neovim must not wait for a key')
  n:letters({ A = 'staged', B = 'staged' })
end)

case('commands: on the line of a letter it need not be named', function(t)
  local n = staged(t)
  n:keys('2G')
  n:cmd('Galley apply')
  n:letters({ A = 'applied', B = 'staged' })
end)

case('commands: quickfix list', function(t)
  local n = staged(t)
  n:cmd('Galley list')
  n:await('the list', 'return #vim.fn.getqflist() == 2')
  local list = n:lua([[
    return vim.tbl_map(function(item)
      return { vim.fs.basename(vim.fn.bufname(item.bufnr)), item.lnum, item.text:match('%[(%u)%]') }
    end, vim.fn.getqflist())
  ]])
  table.sort(list, function(a, b)
    return a[3] < b[3]
  end)
  t:eq(list, { { 'f.txt', 2, 'A' }, { 'g.txt', 2, 'B' } })
  n:cmd('cclose')
  n:cmd('Galley reject A')
  n:await('a list without A', 'return #vim.fn.getqflist() == 1')
end)

case('commands: a list to choose from', function(t)
  local n = staged(t)
  n:lua([[
    vim.ui.select = function(items, options, done)
      _G.offered = vim.tbl_map(options.format_item or tostring, items)
      done(items[2], 2)
    end
  ]])
  n:cmd('Galley select')
  n:await('the second one', "return vim.fn.expand('%:t') == 'g.txt' and vim.fn.line('.') == 2")
  t:eq(n:lua('return #offered'), 2)
end)

case('commands: status line and its parts', function(t)
  local n = staged(t)
  t:ok(n:lua("return require('galley').status()"):find('2 letters'), 'what waits')
  local parts = n:lua("return require('galley').get_status()")
  t:eq({ parts.pending, parts.here, parts.conflicts }, { 2, 1, 0 })
  n:await('percent of the context', "return (require('galley').get_status().context or 0) > 0")
end)

case('commands: :checkhealth', function(t)
  local n = staged(t)
  n:cmd('checkhealth galley')
  n:await('the report', "return vim.bo.filetype == 'checkhealth'")
  local report = n:text()
  t:ok(report:find('galley') and report:find('OK'), 'it says what is well: ' .. report)
  t:ok(not report:find('ERROR'), 'it finds an error: ' .. report)
  t:ok(report:find('2 changes wait for you', 1, true), 'what waits: ' .. report)
  n:cmd('quit')
  n:cmd('Galley apply A')
  n:letters({ A = 'applied', B = 'staged' })
  n:cmd('checkhealth galley')
  n:await('the report', "return vim.bo.filetype == 'checkhealth'")
  t:ok(n:text():find('1 change waits for you', 1, true), 'what waits: ' .. n:text())
end)

case('commands: help', function(t)
  local n = t:neovim({ package = 'start/galley' })
  n:cmd('helptags ALL')
  for _, topic in ipairs({ 'galley', ':Galley', 'galley-config' }) do
    n:cmd('help ' .. topic)
    n:await('the page', "return vim.bo.buftype == 'help' and vim.fn.expand('%:t') == 'galley.txt'")
  end
end)

case('commands: keys are mapped only when they are asked for', function(t)
  local n = t:neovim(before)
  local count = [[
    local mine = {}
    for _, map in ipairs(vim.api.nvim_get_keymap('n')) do
      if (map.rhs or ''):find('<Plug>(galley-', 1, true) then mine[#mine + 1] = map.lhs end
    end
    return #mine
  ]]
  t:eq(n:lua(count), 0, 'maps')
  n:lua("require('galley').setup({ keys = true })")
  t:ok(n:lua(count) > 5, 'maps with keys = true')
end)

case('commands: the keys do what they say', function(t)
  local n = staged(t, "require('galley').setup({ keys = true })")
  n:keys(']g')
  n:await('the cursor is at A', "return vim.fn.line('.') == 2")
  n:keys('gla')
  n:letters({ A = 'applied', B = 'staged' })
  n:keys(']g')
  n:await('the other file', "return vim.fn.expand('%:t') == 'g.txt'")
  n:keys('glr')
  n:letters({ A = 'applied', B = 'rejected' })
end)

case('commands: styles', function(t)
  local n = staged(t)
  n:shows('timeout: 60')
  n:cmd('Galley style signs')
  n:hides('timeout: 60')
  n:shows('A~')
  n:cmd('Galley style inline')
  n:shows('timeout: 60')
  n:cmd('Galley toggle')
  n:hides('timeout: 60')
  n:cmd('Galley toggle')
  n:shows('timeout: 60')
end)

case('commands: sessions', function(t)
  local n = staged(t)
  local first = n:lua("return inside.last('galley/changes').session")
  n:cmd('Galley new another one')
  n:await('the new session', "return inside.last('galley/changes').session ~= ...", first)
  n:lua([[
    vim.ui.select = function(items, options, done)
      _G.offered = vim.tbl_map(options.format_item or tostring, items)
      done(nil)
    end
  ]])
  n:cmd('Galley sessions')
  n:await('two sessions', 'return offered and #offered == 2')
end)

case('commands: those of a selection, a dot, and a text object', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = 'one\ntwo\nthree\nfour\nfive\n' },
    open = 'f.txt',
    setup = "require('galley').setup({ keys = true, run = { open = 'none' } })",
  })
  for _, word in ipairs({ 'one', 'two', 'four', 'five' }) do
    n:ask(('replace "%s" with "%s" in f.txt'):format(word, word:upper()))
  end
  n:letters({ A = 'staged', B = 'staged', C = 'staged', D = 'staged' })
  n:keys('ggVjgla')
  n:letters({ A = 'applied', B = 'applied', C = 'staged', D = 'staged' })
  n:keys('4Gglr')
  n:letters({ A = 'applied', B = 'applied', C = 'rejected', D = 'staged' })
  n:keys('G.')
  n:letters({ A = 'applied', B = 'applied', C = 'rejected', D = 'rejected' })
  t:eq(n:text(), 'ONE\nTWO\nthree\nfour\nfive\n')
  n:keys('glu')
  n:letters({ A = 'applied', B = 'applied', C = 'rejected', D = 'staged' })
  n:keys('Gyig')
  t:eq(n:lua("return vim.fn.getreg('0')"), 'five\n', 'the text object')
end)

case('commands: a reason is asked for', function(t)
  local n = staged(t)
  n:keys('2G')
  n:type(':Galley! reject<CR>')
  t:await('the question', function()
    return n:call('nvim_get_mode').mode == 'c'
  end)
  n:type('too long<CR>')
  n:letters({ A = 'rejected', B = 'staged' })
  local sent = n:lua([[
    for _, m in ipairs(inside.wire) do
      if m[2] == 'workspace/executeCommand' and m[3]:find('galley.reject', 1, true) then
        return vim.json.decode(m[3]).arguments[1]
      end
    end
  ]])
  t:eq(sent.reason, 'too long')
end)

case('commands: progress is told as LspProgress', function(t)
  local n = t:neovim({
    files = files,
    open = 'f.txt',
    setup = [[
      progress = {}
      vim.api.nvim_create_autocmd('LspProgress', {
        callback = function(ev) table.insert(progress, ev.data.params.value.kind) end,
      })
    ]],
  })
  n:ask('replace "timeout: 30" with "timeout: 60" in f.txt')
  n:await(
    'a beginning and an end',
    "return vim.tbl_contains(progress, 'begin') and vim.tbl_contains(progress, 'end')"
  )
end)

case("commands: the server's log", function(t)
  local n = staged(t)
  n:cmd('Galley log')
  n:await('the file', "return vim.api.nvim_buf_get_name(0):find('galley%.log$') ~= nil")
end)

case('commands: U86 a comment asks by its code action, and goes with the same edit', function(t)
  local text = 'one\n# galley: replace "timeout: 30" with "timeout: 60"\ntimeout: 30\n'
  local n = t:neovim({
    files = { ['f.txt'] = text },
    open = 'f.txt',
    setup = 'vim.g.galley = { run = { height = 20, close_after = 0 } }',
  })
  n:await('galley is attached', 'return inside.client() ~= nil')
  n:keys('j')
  n:lua([[
    vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.title:find('Ask galley to') end })
  ]])
  n:letters({ A = 'staged', B = 'staged' })
  n:shows('that is the comment in f.txt, line 2')
  n:cmd('Galley apply all')
  n:letters({ A = 'applied', B = 'applied' })
  t:eq(n:text(), 'one\ntimeout: 60\n')
end)

case('commands: U68 a commit takes what is folded once it was looked at', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = 'one\ntwo\nthree\n' },
    open = 'f.txt',
    setup = "require('galley').setup({ preview = { max_lines = 3 }, run = { open = 'none' } })",
  })
  n:ask('replace "three\\n" with "a\\nb\\nc\\nd\\ne\\n" in f.txt')
  n:letters({ A = 'staged' })
  n:cmd('Galley commit')
  n:shows('3 lines of A are folded')
  n:letters({ A = 'staged' })
  n:cmd('Galley preview')
  n:await(
    'the patch',
    "return vim.fn.expand('%:t') == '1.diff' or vim.fn.expand('%:t') == 'A.diff'"
  )
  n:cmd('Galley commit')
  n:await('it is in the text', "return vim.fn.getbufline('f.txt', 3)[1] == 'a'")
end)

case('commands: U68 all does not apply what is folded', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = 'one\ntwo\nthree\n' },
    open = 'f.txt',
    setup = "require('galley').setup({ preview = { max_lines = 3 }, run = { open = 'none' } })",
  })
  n:ask('replace "one" with "1" in f.txt')
  n:ask('replace "three\\n" with "a\\nb\\nc\\nd\\ne\\n" in f.txt')
  n:letters({ A = 'staged', B = 'staged' })
  n:cmd('Galley apply all')
  n:letters({ A = 'applied', B = 'staged' })
  n:await(
    'it is said',
    [[
    return vim.iter(inside.messages):any(function(m)
      return vim.inspect(m):find('3 lines of B are folded', 1, true) ~= nil
    end)
  ]]
  )
  n:cmd('Galley commit')
  n:await(
    'it is said again',
    [[
    return #vim.iter(inside.messages):filter(function(m)
      return vim.inspect(m):find('3 lines of B are folded', 1, true) ~= nil
    end):totable() == 2
  ]]
  )
  n:letters({ A = 'applied', B = 'staged' })
  n:keys('3G')
  n:cmd('Galley expand')
  n:cmd('Galley apply all')
  n:letters({ A = 'applied', B = 'applied' })
  t:eq(n:text(), '1\ntwo\na\nb\nc\nd\ne\n')
end)

local function two_lines(t)
  local n = t:neovim({ files = { ['f.txt'] = 'a\nb\nc\nd\n' }, open = 'f.txt' })
  n:ask('replace "b\\nc" with "B\\nC" in f.txt')
  n:letters({ A = 'staged' })
  return n
end

case('commands: a part of a letter is applied, or rejected', function(t)
  local n = two_lines(t)
  n:cmd('3Galley apply')
  n:letters({ A = 'staged', B = 'applied' })
  t:eq(n:text(), 'a\nb\nC\nd\n')
  n:keys('2GV:Galley reject not this<CR>')
  n:letters({ A = 'rejected', B = 'applied' })
  t:eq(n:text(), 'a\nb\nC\nd\n')
end)

case('commands: a letter is cut', function(t)
  local n = two_lines(t)
  n:cmd('2Galley split')
  n:letters({ A = 'staged', B = 'staged' })
  n:cmd('2Galley split')
  n:await(
    'that it is all',
    [[
    return vim.iter(inside.messages):any(function(m) return m:find('that is all of B', 1, true) ~= nil end)
  ]]
  )
end)

case('commands: what a letter makes is edited in a file', function(t)
  local n = two_lines(t)
  n:cmd('Galley edit A')
  n:await(
    'the file',
    "return vim.api.nvim_get_current_line() == 'B' and vim.fn.expand('%:p'):find('/views/A%-') ~= nil"
  )
  n:keys('jcwmine<Esc>')
  n:cmd('write')
  n:await(
    'the next revision',
    [[
    local c = require('galley.client').get()
    return c and require('galley.state').find(c.id, 'A').revision == 2
  ]]
  )
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  n:cmd('buffer f.txt')
  t:eq(n:text(), 'a\nB\nmine\nd\n')
end)
