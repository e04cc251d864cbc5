-- The whole walk, as a person goes it.
local case = require('harness').case

local files = {
  ['config.yaml'] = 'name: shop\ntimeout: 30\nretries: 3\n',
  ['notes.md'] = '# Notes\n\nWe wait 30 seconds.\nThree retries are enough.\n',
}

local prompts = {
  'replace "timeout: 30" with "timeout: 60" in config.yaml',
  'replace "retries: 3" with "retries: 5" in config.yaml because "networks are slow"',
  'replace "30 seconds" with "60 seconds" in notes.md',
  'append "See config.yaml.\\n" to notes.md',
}

case('walk: ask, next, apply, reject, comment, undo, redo, commit, saved', function(t)
  local n = t:neovim({ files = files, open = 'config.yaml' })
  for _, prompt in ipairs(prompts) do
    n:ask(prompt)
  end
  n:letters({ A = 'staged', B = 'staged', C = 'staged', D = 'staged' })
  n:shows('timeout: 60')
  n:shows('networks are slow')
  t:eq(n:text(), files['config.yaml'], 'the buffer')

  n:cmd('Galley next')
  n:await('the cursor is at A', "return vim.fn.line('.') == 2")
  n:cmd('Galley next')
  n:await('the cursor is at B', "return vim.fn.line('.') == 3")
  n:cmd('Galley next')
  n:await(
    'C, in the other file',
    "return vim.fn.expand('%:t') == 'notes.md' and vim.fn.line('.') == 3"
  )
  n:shows('60 seconds')
  n:cmd('Galley prev')
  n:await('B again', "return vim.fn.expand('%:t') == 'config.yaml' and vim.fn.line('.') == 3")

  n:cmd('Galley apply A')
  n:letters({ A = 'applied', B = 'staged', C = 'staged', D = 'staged' })
  t:eq(n:text('config.yaml'), 'name: shop\ntimeout: 60\nretries: 3\n')
  n:cmd('Galley comment B five are too many')
  n:await('the comment was taken', 'return inside.messages[1] ~= nil')
  n:cmd('Galley reject B three are enough')
  n:letters({ A = 'applied', B = 'rejected', C = 'staged', D = 'staged' })
  t:eq(n:text('config.yaml'), 'name: shop\ntimeout: 60\nretries: 3\n')
  t:eq(n:file('config.yaml'), files['config.yaml'], 'the file before it is saved')

  n:keys('u')
  n:letters({ A = 'staged', B = 'rejected', C = 'staged', D = 'staged' })
  t:eq(n:text('config.yaml'), files['config.yaml'], 'the buffer after u')
  n:shows('timeout: 60')
  n:keys('<C-r>')
  n:letters({ A = 'applied', B = 'rejected', C = 'staged', D = 'staged' })
  n:cmd('Galley unreject B')
  n:letters({ A = 'applied', B = 'staged', C = 'staged', D = 'staged' })
  n:cmd('Galley reject B no')
  n:letters({ A = 'applied', B = 'rejected', C = 'staged', D = 'staged' })
  n:agrees()

  n:cmd('Galley commit longer timeouts')
  n:letters({})
  n:await(
    'the buffer that was as its file is saved',
    "return not vim.bo[vim.fn.bufnr('notes.md')].modified"
  )
  t:eq(
    n:file('notes.md'),
    '# Notes\n\nWe wait 60 seconds.\nThree retries are enough.\nSee config.yaml.\n'
  )
  t:eq(n:file('config.yaml'), files['config.yaml'], 'the file whose buffer was not saved before')
  n:cmd('wall')
  t:eq(n:file('config.yaml'), 'name: shop\ntimeout: 60\nretries: 3\n')
  n:hides('networks are slow')
end)

case('walk: all letters of a file, and of files that are not open', function(t)
  local n = t:neovim({ files = files, open = 'config.yaml' })
  for _, prompt in ipairs(prompts) do
    n:ask(prompt)
  end
  n:letters({ A = 'staged', B = 'staged', C = 'staged', D = 'staged' })
  n:cmd('Galley apply all')
  n:await(
    'A and B are applied',
    "return inside.letters().A == 'applied' and inside.letters().B == 'applied'"
  )
  t:eq(n:text(), 'name: shop\ntimeout: 60\nretries: 5\n')
  t:eq(n:file('notes.md'), files['notes.md'], 'the file that is not open')
  n:keys('u')
  n:await(
    'both are back',
    "return inside.letters().A == 'staged' and inside.letters().B == 'staged'"
  )
  t:eq(n:text(), files['config.yaml'], 'one undo takes back both')
  n:cmd('Galley commit')
  n:letters({})
  t:eq(
    n:file('notes.md'),
    '# Notes\n\nWe wait 60 seconds.\nThree retries are enough.\nSee config.yaml.\n'
  )
  n:await('the open one is saved', 'return not vim.bo.modified')
  t:eq(n:file('config.yaml'), 'name: shop\ntimeout: 60\nretries: 5\n')
end)

case('walk: a revert takes away what waits', function(t)
  local n = t:neovim({ files = files, open = 'config.yaml', terminal = true })
  n:ask(prompts[1])
  n:ask(prompts[3])
  n:letters({ A = 'staged', B = 'staged' })
  n:type(':Galley revert not now<CR>')
  n:shows('Revert 2 changes of #1?')
  n:type('r')
  n:letters({})
  n:hides('timeout: 60')
  t:eq(
    { n:text(), n:lua('return vim.bo.modified'), n:file('notes.md') },
    { files['config.yaml'], false, files['notes.md'] }
  )
end)

case('walk: a proposed commit of the agent does not hold up anything', function(t)
  local n = t:neovim({ files = files, open = 'config.yaml' })
  n:ask(prompts[1] .. ' then commit "longer timeout"')
  n:letters({ A = 'staged' })
  n:keys('Gohello<Esc>')
  t:ok(not n:waits(), 'Neovim must not wait for a key')
  n:shows('timeout: 60')
  n:cmd('Galley commit')
  n:letters({})
  t:eq(n:text(), 'name: shop\ntimeout: 60\nretries: 3\nhello\n')
end)

case('walk: the user types what a letter would write', function(t)
  local n = t:neovim({ files = files, open = 'config.yaml' })
  n:ask(prompts[1])
  n:letters({ A = 'staged' })
  n:keys('/30<CR>cw60<Esc>')
  n:letters({ A = 'applied' })
  n:keys('u')
  n:letters({ A = 'staged' })
end)
