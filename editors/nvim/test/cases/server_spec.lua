-- The server: found, lost, started again.
local case = require('harness').case

local before = 'one\ntimeout: 30\nthree\n'
local applied = 'one\ntimeout: 60\nthree\n'
local prompt = 'replace "timeout: 30" with "timeout: 60" in f.txt'

local kill = [[
  for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    local of = vim.api.nvim_get_proc(pid)
    if of and of.name == 'galley' then vim.uv.kill(pid, 'sigkill') return pid end
  end
]]

case('server: after kill -9 it is back, with all letters, over what was typed', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:ask('replace "three" with "3" in f.txt')
  n:letters({ A = 'staged', B = 'staged' })
  n:keys('Oabove<Esc>')
  local first = n:lua('return inside.client().id')
  t:ok(n:lua(kill), 'the server runs')
  n:keys('Otop<Esc>')
  n:await(
    'another server',
    'local c = inside.client() return c and c.initialized and c.id ~= ...',
    first
  )
  n:letters({ A = 'staged', B = 'staged' })
  n:shows('timeout: 60')
  n:agrees()
  n:cmd('Galley apply A')
  n:letters({ A = 'applied', B = 'staged' })
  t:eq(n:text(), 'top\nabove\n' .. applied)
end)

case('server: what is typed while it is away, and after, is known to it', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:letters({ A = 'staged' })
  t:ok(n:lua(kill), 'the server runs')
  n:await('no server', 'return #vim.lsp.get_clients({ bufnr = 0, _uninitialized = true }) == 0')
  n:keys('Otop<Esc>')
  n:await('another server', 'local c = inside.client() return c and c.initialized')
  n:keys('Oover<Esc>')
  n:letters({ A = 'staged' })
  n:agrees()
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:eq(n:text(), 'over\ntop\n' .. applied)
  n:cmd('edit!')
  n:cmd('Galley reject A')
  n:agrees()
end)

case('server: killed again and again', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:letters({ A = 'staged' })
  for _ = 1, 3 do
    local id = n:lua('return inside.client().id')
    n:lua(kill)
    n:await(
      'another server',
      'local c = inside.client() return c and c.initialized and c.id ~= ...',
      id
    )
  end
  n:letters({ A = 'staged' })
  n:cmd('Galley commit')
  n:await('the text of what was committed', 'return inside.text(0) == ...', applied)
  n:letters({})
end)

case('server: killed while an edit is on its way', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:letters({ A = 'staged' })
  local id = n:lua('return inside.client().id')
  n:lua(
    "inside.faults['← workspace/applyEdit'] = function(edit, go_on) "
      .. kill:gsub('return pid', '')
      .. ' go_on(edit) end'
  )
  n:cmd('Galley apply A')
  n:await(
    'another server',
    'local c = inside.client() return c and c.initialized and c.id ~= ...',
    id
  )
  n:await('a sound state', "local s = inside.letters().A return s == 'staged' or s == 'applied'")
  local state = n:lua('return inside.letters().A')
  n:await(
    'text and letter agree',
    'return inside.text(0) == (inside.letters().A == "applied" and ... or select(2, ...))',
    applied,
    before
  )
  t:say('the letter is %s then', state)
end)

case('server: :Galley stop, start, restart', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:letters({ A = 'staged' })
  n:shows('timeout: 60')
  n:cmd('Galley stop')
  n:await('no client', 'return inside.client() == nil')
  n:hides('timeout: 60')
  n:cmd('Galley start')
  n:await('a client', 'return inside.client() ~= nil')
  n:shows('timeout: 60')
  local id = n:lua('return inside.client().id')
  n:cmd('Galley restart')
  n:await(
    'another server',
    'local c = inside.client() return c and c.initialized and c.id ~= ...',
    id
  )
  n:shows('timeout: 60')
  n:agrees()
end)

case('server: where it is missing, one message says what to do', function(t)
  -- A package lies in no checkout, in whose bin/ the server would be found.
  local n = t:neovim({
    files = { ['f.txt'] = before },
    open = 'f.txt',
    package = 'start/galley',
    setup = "vim.env.PATH = '/nowhere'",
  })
  n:await('a message', 'return #inside.messages > 0')
  local message = n:lua('return table.concat(inside.messages, "\\n")')
  t:ok(
    message:find('checkhealth galley', 1, true),
    'the message does not say what to do: ' .. message
  )
  n:cmd('checkhealth galley')
  n:await('the report', "return vim.bo.filetype == 'checkhealth'")
  t:ok(n:text():find('go install', 1, true), 'the report does not say what to do: ' .. n:text())
  n:cmd('edit other.txt')
  n:keys('ihello<Esc>')
  local told = vim.tbl_filter(function(text)
    return text:find('not there', 1, true)
  end, n:lua('return inside.messages'))
  t:eq(#told, 1, 'how often it is told')
  n:cmd('silent! Galley ask something')
  n:keys('ihello<Esc>')
end)

for what, cmd in pairs({
  ['U87 a cmd that ends in serve'] = "{ exe, 'serve' }",
  ['U87 a cmd with words behind serve'] = "{ exe, 'serve', '--stdio' }",
  ['U87 a cmd with an option before serve'] = "{ exe, '--no-color', 'serve' }",
  ['U87 a cmd that is a name'] = 'exe',
}) do
  case('server: ' .. what .. ' runs one server, and its health is looked at', function(t)
    local n = t:neovim({
      files = { ['f.txt'] = before },
      open = 'f.txt',
      setup = ([[
        local exe = vim.fn.exepath('galley')
        require('galley').setup({ cmd = %s })
      ]]):format(cmd),
    })
    n:ask(prompt)
    n:letters({ A = 'staged' })
    n:cmd('checkhealth galley')
    n:await('the report', "return vim.bo.filetype == 'checkhealth'")
    t:ok(not n:text():find('ERROR', 1, true), 'it is not well: ' .. n:text())
  end)
end

case('server: U87 a cmd that does not serve is told once, and is not tried again', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = before, ['g.txt'] = before },
    open = 'f.txt',
    setup = [[
      require('galley').setup({ cmd = { vim.fn.exepath('galley'), 'no-such-word' } })
    ]],
  })
  n:await('a message', 'return #inside.messages > 0')
  n:cmd('edit g.txt')
  n:await(
    'the end of the second',
    [[
    local ends = 0
    for _, m in ipairs(inside.wire) do
      ends = ends + (m[2] == 'exit' and 1 or 0)
    end
    return ends == 2 and #vim.lsp.get_clients({ name = 'galley', _uninitialized = true }) == 0
  ]]
  )
  local messages = n:lua('return inside.messages')
  t:eq(#messages, 1, 'messages: ' .. vim.inspect(messages))
  t:ok(messages[1]:find('run it by hand', 1, true), 'it does not say what to do: ' .. messages[1])
end)

case(
  'server: files outside of the workspace, and buffers that are no files, are left alone',
  function(t)
    local n = t:neovim({
      files = { ['f.txt'] = before, ['../elsewhere.txt'] = 'x\n', ['.git/HEAD'] = '' },
      open = 'f.txt',
    })
    n:await(
      'galley is attached',
      "return #vim.lsp.get_clients({ bufnr = 0, name = 'galley' }) == 1"
    )
    n:cmd('enew')
    n:keys('ihello<Esc>')
    t:eq(
      n:lua("return #vim.lsp.get_clients({ bufnr = 0, name = 'galley' })"),
      0,
      'servers of a buffer without a name'
    )
    n:cmd('help')
    t:eq(
      n:lua("return #vim.lsp.get_clients({ bufnr = 0, name = 'galley' })"),
      0,
      'servers of a help page'
    )
    t:eq(n:lua("return #vim.lsp.get_clients({ name = 'galley' })"), 1, 'servers')
  end
)

case('server: one for a workspace, whatever is opened in it', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = before, ['a/g.lua'] = 'return 1\n', ['.git/HEAD'] = '' },
    open = 'f.txt',
  })
  n:cmd('edit a/g.lua')
  n:await('galley is attached', "return #vim.lsp.get_clients({ bufnr = 0, name = 'galley' }) == 1")
  n:cmd('split f.txt')
  n:await('galley is attached', "return #vim.lsp.get_clients({ bufnr = 0, name = 'galley' }) == 1")
  t:eq(n:lua("return #vim.lsp.get_clients({ name = 'galley' })"), 1, 'servers')
end)

case('server: it ends with Neovim', function(t)
  local n = t:neovim(before)
  n:await('galley is attached', 'return inside.client() ~= nil')
  local pid = n:lua(kill:gsub("vim.uv.kill%(pid, 'sigkill'%)", ''))
  t:ok(pid, 'the server runs')
  n:quit()
  t:await('the end of the server', function()
    return vim.uv.kill(pid, 0) ~= 0
  end)
end)

case('server: it ends when Neovim is killed', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:letters({ A = 'staged' })
  local pid = n:lua(kill:gsub("vim.uv.kill%(pid, 'sigkill'%)", ''))
  n:kill()
  t:await('the end of the server', function()
    return vim.uv.kill(pid, 0) ~= 0
  end)
  local again = t:neovim({ home = n.home, open = '-n', setup = "vim.cmd.edit('f.txt')" })
  again:letters({ A = 'staged' })
end)
