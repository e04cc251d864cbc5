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
  n:shows('· read f.txt')
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

case('run: the box to ask in grows with its lines, and shows them all', function(t)
  local n =
    start(t, { { text = 'I see.' } }, "require('galley').setup({ ask = { input = 'box' } })")
  n:type(':Galley ask<CR>')
  n:await('the box', "return vim.bo.filetype == 'galley-prompt'")
  n:type('the first line<C-j>the second line<C-j>the third')
  n:shows('the third')
  n:shows('the second line')
  n:shows('the first line')
  for i = 4, 12 do
    n:type('<C-j>line ' .. i)
  end
  n:shows('line 12')
  n:type('<CR>')
  n:await(
    'the whole prompt',
    [[
    for _, m in ipairs(inside.wire) do
      if m[2] == 'workspace/executeCommand' and m[3]:find('galley.ask') then
        return #vim.split(vim.json.decode(m[3]).arguments[1].prompt, '\n') == 12
      end
    end
  ]]
  )
end)

local busy = {
  { text = 'I look first.', calls = { call('memo_read', { path = 'f.txt' }) } },
  {
    text = 'I change it, and run the tests.',
    calls = {
      call('memory_notebook_replace', { path = 'f.txt', old_text = 'nowhere', new_text = 'x' }),
      stage,
      call('write', { path = 'new.txt', content = 'one\n' }),
      call('run_command', { command = 'echo first; echo last words; exit 3' }),
    },
  },
  { text = 'A and B wait.' },
}

local told = {
  'raise the timeout',
  'I look first.',
  '· read f.txt',
  '– not found in f.txt',
  '✎ staged A in f.txt: replace "timeout: 30" → "timeout: 60"',
  '✎ staged B in new.txt',
  '– exit code 3: echo first; echo last words; exit 3',
  '    first',
  '    last words',
  'A and B wait.',
}

local function busy_neovim(t)
  local env = t:model(busy)
  env.GALLEY_TOOLS_RUN_COMMAND = 'allow'
  local n = t:neovim({
    files = { ['f.txt'] = before },
    open = 'f.txt',
    env = env,
    setup = 'vim.g.galley = { keys = true, run = { height = 20, close_after = 0 } }',
  })
  n:await('galley is attached', 'return inside.client() ~= nil')
  n:cmd('Galley ask raise the timeout')
  n:letters({ A = 'staged', B = 'staged' })
  n:shows('2 changes wait for you')
  return n
end

case(
  'run: U47 the window shows files, letters, refusals, commands with exit code and output',
  function(t)
    local n = busy_neovim(t)
    for _, text in ipairs(told) do
      n:shows(text)
    end
  end
)

case('run: U47 Enter on a line goes to its letter, or else to its file', function(t)
  local n = busy_neovim(t)
  n:cmd('Galley run')
  n:lua("vim.fn.search('staged A')")
  n:keys('<CR>')
  n:await('the cursor is at A', "return vim.fn.expand('%:t') == 'f.txt' and vim.fn.line('.') == 2")
  n:cmd('Galley run')
  n:lua("vim.fn.search('staged B')")
  n:keys('<CR>')
  n:await('the letter B as a patch', "return vim.fn.expand('%:t') == 'B.diff'")
  n:keys('q')
  n:cmd('Galley run')
  n:lua("vim.fn.search('read f.txt')")
  n:keys('<CR>')
  n:await('the file', "return vim.fn.expand('%:t') == 'f.txt'")
end)

case('run: U47 what waits is told as it is now', function(t)
  local n = busy_neovim(t)
  n:cmd('Galley reject B no')
  n:shows('✓ done: 1 change waits for you')
  n:shows('staged B in new.txt')
  n:shows('(B rejected)')
  n:cmd('Galley apply A')
  n:letters({ A = 'applied', B = 'rejected' })
  n:hides('waits for you')
  n:shows('(A applied)')
  n:shows('✓ done')
end)

case('run: U47 after a restart the conversation is there again, and goes on', function(t)
  local n = busy_neovim(t)
  n:quit()
  local env = t:model({ { text = 'Nothing more.' } })
  local again = t:neovim({
    home = n.home,
    open = 'f.txt',
    env = env,
    setup = 'vim.g.galley = { keys = true, run = { height = 22, close_after = 0 } }',
  })
  again:letters({ A = 'staged', B = 'staged' })
  again:cmd('Galley run')
  for _, text in ipairs(told) do
    again:shows(text)
  end
  again:shows('2 changes wait for you')
  again:keys('q')
  again:cmd('Galley ask is that all?')
  again:shows('Nothing more.')
  again:shows('is that all?')
  again:shows('A and B wait.')
  local lines = again:lua([[
    local bufnr = vim.fn.bufnr('galley-run://')
    local n = 0
    for _, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)) do
      n = n + ((line:find('raise the timeout') or line:find('is that all')) and 1 or 0)
    end
    return n
  ]])
  t:eq(lines, 2, 'prompts in the window')
end)

case('run: U47 another session has its own conversation', function(t)
  local n = busy_neovim(t)
  n:cmd('Galley new other')
  n:await('the new session', 'return #inside.messages > 0')
  n:cmd('Galley run')
  n:shows('Nothing was asked yet')
  n:hides('raise the timeout')
end)
