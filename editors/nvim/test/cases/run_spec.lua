-- Runs, with a scripted model: what the agent says is shown while it says it, and holds up nothing.
local case = require('harness').case

local before = 'one\ntimeout: 30\nthree\n'

local function call(name, arguments)
  return { name = name, arguments = arguments }
end

local stage = call(
  'memory_notebook_replace',
  { path = 'f.txt', old_text = 'timeout: 30', new_text = 'timeout: 60' }
)

local function start(t, replies, setup)
  local env, release = t:model(replies)
  local n =
    t:neovim({ files = { ['f.txt'] = before }, open = 'f.txt', env = env, setup = setup or '' })
  n:await('galley is attached', 'return inside.client() ~= nil')
  return n, release
end

case('run: the window follows the agent, and typing goes on', function(t)
  local n, release = start(t, {
    { text = 'Let me look at the file.', calls = { call('memo_read', { path = 'f.txt' }) } },
    { text = 'I raise it.', calls = { stage }, hold = true },
    { text = 'A waits for you now.' },
  })
  n:cmd('Galley ask raise the timeout')
  n:shows('raise the timeout')
  n:shows('Let me look at the file.')
  n:shows('memo_read')
  t:eq(n:lua("return vim.fn.bufname() == 'f.txt'"), true, 'the cursor stays in the file')
  n:keys('Gotyped meanwhile<Esc>')
  release()
  n:shows('A waits for you now.')
  n:shows('timeout: 60')
  n:letters({ A = 'staged' })
  t:eq(n:text(), before .. 'typed meanwhile\n')
  n:agrees()
end)

case('run: the status line says what goes on', function(t)
  local n, release = start(t, {
    { text = 'I raise it.', calls = { stage } },
    { text = 'Done.', hold = true },
  }, 'vim.o.statusline = \'%f %{%v:lua.require("galley").status()%}\'')
  n:cmd('Galley ask raise the timeout')
  n:shows('thinking')
  n:shows('1 letter')
  release()
  n:await( -- a line that does not say "thinking" may be one of the step before
    'the end of the run',
    "local run = inside.last('galley/run') return run and run.state == 'done'"
  )
  n:hides('thinking')
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  n:hides('1 letter')
end)

case('run: cancel stops it, and what is staged stays', function(t)
  local n = start(t, {
    { text = 'I raise it.', calls = { stage } },
    { text = 'This is never said.', hold = true },
  })
  n:cmd('Galley ask raise the timeout')
  n:letters({ A = 'staged' })
  n:cmd('Galley cancel')
  n:await(
    'the end of the run',
    "local run = inside.last('galley/run') return run and run.state == 'cancelled'"
  )
  n:shows('stopped')
  n:letters({ A = 'staged' })
  n:hides('never said')
end)

case('run: it can be opened, read, and closed again', function(t)
  local n = start(
    t,
    { { text = 'The answer is 42.' } },
    "require('galley').setup({ run = { open = 'none' } })"
  )
  n:cmd('Galley ask what is the answer?')
  n:await(
    'the end of the run',
    "local run = inside.last('galley/run') return run and run.state == 'done'"
  )
  n:cmd('Galley run')
  n:shows('The answer is 42.')
  n:shows('what is the answer?')
  t:eq(
    n:lua("return vim.fn.bufname():find('galley%-run') ~= nil"),
    true,
    'the cursor is in the window'
  )
  n:keys('q')
  t:eq(
    { n:lua('return vim.fn.bufname()'), n:lua('return #vim.api.nvim_list_wins()') },
    { 'f.txt', 1 },
    'buffer and windows'
  )
end)

case('run: a model that fails says why', function(t)
  local n = start(t, { { status = 401, body = '{"error":{"message":"no such key"}}' } })
  n:cmd('Galley ask something')
  n:await(
    'the end of the run',
    "local run = inside.last('galley/run') return run and run.state == 'failed'"
  )
  n:shows('failed')
  t:ok(not n:waits(), 'Neovim must not wait for a key')
end)

case('run: a remark about a letter reaches the agent', function(t)
  local n = start(t, {
    { text = 'I raise it.', calls = { stage } },
    { text = 'A waits.' },
    { text = 'I have read it.', want = { 'sixty is too much' } },
  })
  n:cmd('Galley ask raise the timeout')
  n:letters({ A = 'staged' })
  n:await(
    'the end of the run',
    "local run = inside.last('galley/run') return run and run.state == 'done'"
  )
  n:cmd('Galley comment A sixty is too much')
  n:cmd('Galley ask go on')
  n:shows('I have read it.')
end)

case('run: with a range it is told where the user stands', function(t)
  local n = start(t, { { text = 'I see.' } })
  n:cmd('2Galley ask what is this?')
  n:shows('I see.')
  local sent = n:lua([[
    for _, m in ipairs(inside.wire) do
      if m[2] == 'workspace/executeCommand' and m[3]:find('galley.ask') then
        return vim.json.decode(m[3]).arguments[1]
      end
    end
  ]])
  t:eq(
    { sent.range.start.line, sent.range['end'].line, sent.uri },
    { 1, 1, n:uri('f.txt') },
    'the place'
  )
end)

case('run: prompts are remembered', function(t)
  local n = start(t, { { text = 'One.' }, { text = 'Two.' } })
  n:cmd('Galley ask the first prompt')
  n:shows('One.')
  n:type(':Galley ask<CR>')
  n.t:await('the question', function()
    return n:call('nvim_get_mode').mode == 'c'
  end)
  n:type('<Up><CR>')
  n:shows('Two.')
end)
