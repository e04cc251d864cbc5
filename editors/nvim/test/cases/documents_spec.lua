-- galley's own documents.
local case = require('harness').case

local before = 'one\ntimeout: 30\nthree\n'
local prompt = 'replace "timeout: 30" with "timeout: 60" in f.txt'

for _, name in ipairs({ 'overview', 'tasks', 'context', 'history', 'prompt' }) do
  case('documents: :Galley ' .. name, function(t)
    local n = t:neovim(before)
    n:ask('task "raise it" then ' .. prompt)
    n:cmd('Galley ' .. name)
    n:await(
      'the document',
      "return vim.api.nvim_buf_get_name(0):find('^galley:/.*/' .. ... .. '%.md$') and inside.text(0) ~= ''",
      name
    )
    local uri = n:lua('return vim.api.nvim_buf_get_name(0)')
    n:await(
      'what the server says',
      [[
      local answer = inside.request('workspace/textDocumentContent', { uri = ... }, vim.fn.bufnr('f.txt'))
      return answer and answer.text == inside.text(0)
    ]],
      uri
    )
    t:eq(
      { n:lua('return vim.bo.modifiable'), n:lua('return vim.bo.modified') },
      { false, false },
      'may it be changed'
    )
    n:cmd('quit')
    t:eq(n:text(), before)
  end)
end

case('documents: they follow what happens', function(t)
  local n = t:neovim(before)
  n:ask('task "the first goal"')
  n:cmd('Galley tasks')
  n:shows('the first goal')
  n:cmd('wincmd p')
  n:ask('task "another goal"')
  n:shows('another goal')
end)

case('documents: the memory, its lists, and the real file of a page', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:await(
    'the files are known',
    [[
    local names = vim.fn.getcompletion('Galley memory ', 'cmdline')
    return vim.list_contains(names, 'overview.md') and vim.list_contains(names, 'detail/')
  ]]
  )
  n:cmd('Galley memory overview.md')
  n:await(
    'its page',
    "return inside.text(0):find('## Known facts') ~= nil and not vim.bo.modifiable"
  )
  n:keys('e')
  n:await(
    'the real file',
    "return vim.api.nvim_buf_get_name(0):find('/working%-memory/overview%.md$') ~= nil and vim.bo.modifiable"
  )
  n:lua([[
    vim.cmd('/## Known facts/')
    vim.api.nvim_buf_set_lines(0, vim.fn.line('.'), vim.fn.line('.'), false, { '- written by hand' })
    vim.cmd('write')
  ]])
  n:await(
    'the page follows',
    [[
    for _, page in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_get_name(page):find('^galley:.*/overview%.md$') then
        return inside.text(page):find('written by hand') ~= nil
      end
    end
  ]]
  )
  n:lua("vim.fn.writefile({ '# The ports' }, vim.fn.expand('%:p:h') .. '/detail/ports.md')")
  n:await(
    'the new file is known',
    [[
    return vim.list_contains(vim.fn.getcompletion('Galley memory de', 'cmdline'), 'detail/ports.md')
  ]]
  )
  n:cmd('Galley memory detail/')
  n:await('the list', "return inside.text(0):find('ports.md') ~= nil")
  n:lua("vim.fn.search('ports.md')")
  n:keys('<CR>')
  n:await('the file of the line', "return inside.text(0) == '# The ports\\n'")
end)

case('documents: the status line says how pressing it is to make room', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = before },
    open = 'f.txt',
    setup = "vim.g.galley = { settings = { ['model.context_window'] = 6000 } }",
  })
  n:ask(prompt)
  n:await('the level', "return (require('galley').status()):find('%d+%% %l+') ~= nil")
  local status = n:lua("return require('galley').get_status()")
  t:ok(
    vim.list_contains({ 'light', 'medium', 'heavy', 'emergency' }, status.level),
    'the level is ' .. tostring(status.level)
  )
end)

case('documents: :Galley compact says what came of it', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:cmd('Galley compact tools')
  n:await('why nothing goes', "return vim.inspect(inside.messages):find('long enough') ~= nil")
  n:cmd('Galley compact everything')
  n:await(
    'what there is',
    "return vim.inspect(inside.messages):find('conversation, tools or all') ~= nil"
  )
end)

case('documents: :Galley restore brings back what :Galley compact took', function(t)
  local n = t:neovim(before)
  n:ask('task "begin"')
  n:cmd('Galley restore')
  n:await('that there is nothing', "return vim.inspect(inside.messages):find('nothing') ~= nil")
  for _ = 1, 8 do
    n:ask('task "' .. ('what was asked at length, '):rep(60) .. '"')
  end
  n:cmd('Galley compact conversation')
  n:await('what was saved', "return vim.inspect(inside.messages):find('nothing is lost') ~= nil")
  n:cmd('Galley restore 1')
  n:await(
    'which cannot',
    "return vim.inspect(inside.messages):find('there is no compaction') ~= nil"
  )
  n:cmd('Galley restore')
  n:await('what came', "return vim.inspect(inside.messages):find('%d+ messages came back') ~= nil")
end)

case('documents: the cursor stays where it was', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:cmd('Galley history')
  n:await('the document', "return vim.fn.line('$') > 5")
  n:keys('3G')
  local line = n:lua('return vim.api.nvim_get_current_line()')
  n:lua("return inside.command('galley.comment', { change = 'A', text = 'why 60?' })")
  n:lua("return inside.command('galley.reject', { change = 'A' })")
  n:await('more of it', "return inside.text(0):find('reject') ~= nil")
  t:eq(
    { n:lua("return vim.fn.line('.')"), n:lua('return vim.api.nvim_get_current_line()') },
    { 3, line }
  )
end)

case('documents: a change as a patch', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:keys('j')
  n:cmd('Galley preview A')
  n:await(
    'the patch',
    "return vim.bo.filetype == 'diff' and inside.text(0):find('%+timeout: 60') ~= nil"
  )
end)

case('documents: side by side', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:cmd('Galley diff')
  n:await(
    'two windows in diff mode',
    [[
    local shown = 0
    for _, win in ipairs(vim.api.nvim_list_wins()) do shown = shown + (vim.wo[win].diff and 1 or 0) end
    return shown == 2
  ]]
  )
  n:shows('timeout: 60')
  n:shows('timeout: 30')
end)

case('documents: side by side, while both sides change', function(t)
  local lines = {}
  for i = 1, 60 do
    lines[i] = 'line ' .. i
  end
  local n = t:neovim({ files = { ['f.txt'] = table.concat(lines, '\n') .. '\n' }, open = 'f.txt' })
  n:ask('replace "line 12" with "LINE 12" in f.txt')
  n:letters({ A = 'staged' })
  n:cmd('Galley diff')
  n:shows('LINE 12')
  n:ask('replace "line 30" with "LINE 30\\nmore" in f.txt')
  n:shows('LINE 30')
  n:keys('ggOtyped<Esc>')
  n:screen()
  n:cmd('Galley apply A')
  n:letters({ A = 'applied', B = 'staged' })
  n:screen()
  n:cmd('Galley reject B')
  n:letters({ A = 'applied', B = 'rejected' })
  n:await(
    'it is closed when nothing waits',
    'return not vim.wo.diff and #vim.api.nvim_list_wins() == 1'
  )
end)

case('documents: by their address', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:cmd('edit galley:/sessions/current/changes/1.diff')
  n:await('the patch', "return inside.text(0):find('%+timeout: 60') ~= nil")
  n:cmd('edit galley:/sessions/current/nothing.md')
  n:await('a word about it', "return inside.text(0) ~= '' or #inside.messages > 0")
end)
