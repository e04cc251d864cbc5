-- Files that come and go: the agent creates, deletes and renames them, and each is a letter like any other.
local case = require('harness').case

local files = {
  ['guide.md'] = '# Guide\n\nWait 30 seconds.\nAsk again.\n',
  ['todo.txt'] = 'write a guide\n',
}

local prompts = {
  'create docs/index.md with "# Index\\n\\n- guide.md\\n" because "one place to begin"',
  'delete todo.txt because "all of it is done"',
  'rename guide.md to docs/guide.md',
  'replace "30 seconds" with "60 seconds" in docs/guide.md',
}

local staged = { A = 'staged', B = 'staged', C = 'staged', D = 'staged' }

---The letters with some of them in other states.
local function letters(other)
  return vim.tbl_extend('force', staged, other)
end

local function begun(t, o)
  local n = t:neovim(
    vim.tbl_extend('force', { files = files, open = 'guide.md', setup = o and o.setup }, o or {})
  )
  n:ask(table.concat(prompts, ' then '))
  n:letters(staged)
  return n
end

local at = 'return vim.fn.expand("%:.") == ...'

case('files: reviewed, applied letter by letter, undone and committed', function(t)
  local n = begun(t)
  n:shows('C: rename → docs/guide.md?')
  t:eq(n:lua("return require('galley').status()"):match('^%d+ letters'), '4 letters')
  n:cmd('Galley next') -- the cursor stands on the renaming: D is next, then the other files
  n:await('D', "return vim.fn.line('.') == 3")
  n:cmd('Galley next')
  n:await('the file that is to go', at, 'todo.txt')
  n:shows('B: delete this file? · all of it is done')
  n:cmd('Galley next')
  n:await('a look at the new file', "return inside.text(0):find('+# Index', 1, true) ~= nil")
  t:eq(n:lua([[return vim.fn.bufexists('docs/index.md')]]), 0, 'a buffer of the new file')
  n:cmd('Galley apply')
  n:letters(letters({ A = 'applied' }))
  t:eq(n:file('docs/index.md'), '# Index\n\n- guide.md\n')
  n:cmd('Galley prev')
  n:await('back', at, 'todo.txt')

  n:cmd('Galley reject B not all of it')
  n:letters(letters({ A = 'applied', B = 'rejected' }))
  n:hides('delete this file?')
  n:cmd('Galley unreject B')
  n:letters(letters({ A = 'applied' }))
  n:cmd('Galley apply B')
  n:letters(letters({ A = 'applied', B = 'applied' }))
  t:eq({ n:file('todo.txt'), n:text('todo.txt') }, { nil, files['todo.txt'] })
  n:shows('the file is deleted; :write brings it back')
  n:cmd('write')
  n:letters(letters({ A = 'applied' }))
  n:hides('the file is deleted')

  n:cmd('buffer guide.md')
  n:cmd('Galley apply D')
  n:letters(letters({ A = 'applied', D = 'applied' }))
  n:keys('u')
  n:letters(letters({ A = 'applied' }))
  n:cmd('Galley apply C')
  n:letters(letters({ A = 'applied', C = 'applied' }))
  n:await('its new name', at, 'docs/guide.md')
  t:eq({ n:file('guide.md'), n:file('docs/guide.md') }, { nil, files['guide.md'] })
  n:agrees()
  n:keys('<C-r>')
  n:letters(letters({ A = 'applied', C = 'applied', D = 'applied' }))
  n:keys('u')
  n:letters(letters({ A = 'applied', C = 'applied' }))

  n:cmd('Galley commit')
  n:letters({})
  n:await('the guide is saved', 'return not vim.bo.modified')
  t:eq(n:file('docs/guide.md'), (files['guide.md']:gsub('30', '60')))
  t:eq({ n:file('guide.md'), n:file('todo.txt') }, {}, 'what is left of the old files')
  n:cmd('buffer todo.txt')
  n:shows('the file is deleted; :write brings it back')
end)

case('files: the walk goes on from where a letter was that is decided', function(t)
  local n = t:neovim({ files = { ['m1.txt'] = 'one\n', ['m3.txt'] = 'two\n' }, open = 'm1.txt' })
  n:ask(
    'replace "one" with "1" in m1.txt then create m2.txt with "new\\n" then replace "two" with "2" in m3.txt'
  )
  n:letters({ A = 'staged', B = 'staged', C = 'staged' })
  n:cmd('Galley prev')
  n:cmd('Galley prev')
  n:await('a look at the new file', "return inside.text(0):find('+new', 1, true) ~= nil")
  n:cmd('Galley apply')
  n:letters({ A = 'staged', B = 'applied', C = 'staged' })
  n:cmd('Galley next')
  n:await('the file behind it', at, 'm3.txt')
end)

case('files: a renamed file keeps its undo, cursor and what was typed and not saved', function(t)
  local n = begun(t)
  n:keys('Gotyped<Esc>ggoabove<Esc>3G$')
  n:cmd('Galley apply C')
  n:letters(letters({ C = 'applied' }))
  n:await('its new name', at, 'docs/guide.md')
  local typed = '# Guide\nabove\n\nWait 30 seconds.\nAsk again.\ntyped\n'
  t:eq(
    { n:text(), n:lua("return vim.fn.line('.')"), n:lua('return vim.bo.modified') },
    { typed, 3, true }
  )
  t:eq(n:file('docs/guide.md'), files['guide.md'], 'what was not saved is not on the disk')
  t:eq(n:lua([[return vim.fn.bufexists('guide.md')]]), 0, 'a buffer of the old name')
  n:agrees()
  n:shows('60 seconds')
  n:keys('uu')
  t:eq(n:text(), files['guide.md'])
  n:keys('<C-r><C-r>')
  n:cmd('write')
  t:eq(n:file('docs/guide.md'), typed)
  n:cmd('checktime')
  n:agrees()
  t:eq(n:lua('return vim.bo.filetype'), 'markdown')
end)

case('files: a commit takes all of them at once', function(t)
  local n = begun(t)
  n:cmd('Galley commit')
  n:letters({})
  n:await('its new name', at, 'docs/guide.md')
  n:await('the guide is saved', 'return not vim.bo.modified')
  t:eq(
    { n:file('docs/guide.md'), n:file('docs/index.md'), n:file('guide.md'), n:file('todo.txt') },
    { (files['guide.md']:gsub('30', '60')), '# Index\n\n- guide.md\n' }
  )
end)

case('files: a new file that is in a buffer already, and one that the user makes too', function(t)
  local n = begun(t)
  n:cmd('edit docs/index.md')
  n:shows('A: create this file? · one place to begin')
  n:shows('- guide.md')
  n:keys('imine<Esc>')
  n:letters(letters({ A = 'conflict' }))
  n:shows('you made this file, too')
  n:shows('‹ yours')
  n:shows('- guide.md')
  n:keys('u')
  n:letters(staged)
  n:keys('<C-r>')
  n:letters(letters({ A = 'conflict' }))
  n:cmd('Galley resolve agent')
  n:letters(letters({ A = 'applied' }))
  t:eq(n:text(), '# Index\n\n- guide.md\n')
  n:keys('u')
  n:letters(staged)
  n:cmd('Galley reject A')
  n:letters(letters({ A = 'rejected' }))
  t:eq(n:text(), 'mine\n')
end)

case('files: a file that the user changed is not deleted under their text', function(t)
  local n = begun(t)
  n:cmd('edit todo.txt')
  n:keys('omore<Esc>')
  n:letters(letters({ B = 'conflict' }))
  n:shows('you changed this file; delete it?')
  n:cmd('Galley resolve mine')
  n:letters(letters({ B = 'rejected' }))
  n:cmd('write')
  t:eq(n:file('todo.txt'), 'write a guide\nmore\n')
end)

case('files: the editor does what a rename asks for, or nothing', function(t)
  local n = begun(t)
  n:write('taken.md', 'taken\n')
  local function asked(...)
    return n:lua(
      [[
        local client, changes = inside.client(), { ... }
        return require('galley.edits').apply(client, { edit = { documentChanges = changes } })
      ]],
      ...
    )
  end
  local function rename(to)
    return { kind = 'rename', oldUri = n:uri('guide.md'), newUri = n:uri(to) }
  end
  local edit = {
    textDocument = {
      uri = n:uri('guide.md'),
      version = n:lua("return require('galley.versions').of(0)"),
    },
    edits = {
      {
        range = { start = { line = 0, character = 0 }, ['end'] = { line = 0, character = 1 } },
        newText = '=',
      },
    },
  }
  for _, why in ipairs({
    { { edit, rename('taken.md') }, 'there is a file taken.md already' },
    { { rename('todo.txt') }, 'there is a file todo.txt already' },
    { { edit, rename('no/guide.md/' .. ('n'):rep(300)) }, 'ENAMETOOLONG' },
    { { edit, { kind = 'delete', uri = n:uri('todo.txt') } }, 'an edit of kind delete' },
    { { { kind = 'create', uri = n:uri('new.txt') } }, 'an edit of kind create' },
    { { { kind = 'rename', oldUri = n:uri('todo.txt'), newUri = n:uri('t') } }, 'is not open' },
  }) do
    local answer = asked(unpack(why[1]))
    t:eq(answer.applied, false)
    t:ok(answer.failureReason:find(why[2], 1, true), answer.failureReason)
  end
  t:eq({ n:text(), n:file('guide.md') }, { files['guide.md'], files['guide.md'] })
  t:eq({ n:file('taken.md'), n:file('todo.txt') }, { 'taken\n', files['todo.txt'] })
  t:eq(vim.fn.isdirectory(n:path('no')), 0, 'a folder that was made in vain')
  t:eq(
    n:lua([[
    return inside.client().config.capabilities.workspace.workspaceEdit.resourceOperations
  ]]),
    { 'rename' }
  )
end)

case('files: the list and its choice know files that are not there yet', function(t)
  local n = begun(t)
  n:cmd('Galley list')
  n:shows('[A] create docs/index.md')
  n:shows('[B] delete todo.txt')
  n:shows('[C] rename guide.md')
  n:cmd('cclose')
  n:lua([[
    vim.ui.select = function(items, _, chosen)
      for _, item in ipairs(items) do
        if item.change.change == 'A' then chosen(item) end
      end
    end
  ]])
  n:cmd('Galley select')
  n:await('a look at the new file', "return inside.text(0):find('+# Index', 1, true) ~= nil")
end)

case('files: as they look', function(t)
  local n = begun(t, {
    terminal = true,
    size = { 76, 18 },
    setup = [[
      vim.cmd('highlight StatusLine guifg=#e0e2ea guibg=#4f5258 gui=NONE')
      vim.cmd('highlight StatusLineNC guifg=#c4c6cd guibg=#2c2e33 gui=NONE')
      vim.o.laststatus, vim.o.statusline = 2, " %t%m%=%{v:lua.require'galley'.status()} "
      require('galley').setup({ keys = true, run = { open = 'none' } })
    ]],
  })
  n:keys('[g')
  n:await('a look at the new file', "return inside.text(0):find('+# Index', 1, true) ~= nil")
  n:keys(']g')
  n:await('the guide', at, 'guide.md')
  n:keys('<C-l>')
  t:screen(n, 'files')
end)
