-- The walk as it looks, in a terminal: the demo that `make nvim-demo` opens. docs/neovim.md shows these screens.
local Neovim = require('neovim')
local harness = require('harness')
local case = harness.case

local read, root = harness.read, harness.root

-- What the two versions colour differently by themselves.
local alike = [[
  vim.cmd('highlight StatusLine guifg=#e0e2ea guibg=#4f5258 gui=NONE')
  vim.cmd('highlight StatusLineNC guifg=#c4c6cd guibg=#2c2e33 gui=NONE')
  vim.cmd('highlight Folded guifg=#9b9ea4 guibg=#2c2e33')
]]

---The demo in a terminal. What goes away by itself stays here.
local function demo(t, size)
  local files = {}
  for name, kind in vim.fs.dir(root .. '/testdata/demo', { depth = 5 }) do
    if kind == 'file' then
      files[name] = read(root .. '/testdata/demo/' .. name)
    end
  end
  local n = t:neovim({
    files = files,
    terminal = true,
    plugin = false,
    size = size or { 88, 30 },
    env = { PLUGIN = root .. '/editors/nvim' },
    setup = alike .. ([[
      dofile('%s/editors/nvim/test/demo/init.lua')
      vim.g.galley = { keys = true, preview = { decided = 600000 }, run = { close_after = 0 } }
    ]]):format(root),
  })
  n:letters({ A = 'staged', B = 'staged', C = 'staged', D = 'staged' })
  n:shows('galley · done')
  n:keys('gl<Space>q') -- which steps of a quick run are seen in its window is a matter of chance
  return n
end

case('screens: the walk', function(t)
  local n = demo(t)
  t:screen(n, 'walk-1-asked')
  n:keys(']g')
  n:await('the cursor is at A', "return vim.fn.line('.') == 12")
  t:screen(n, 'walk-2-next')
  n:keys('gla')
  n:letters({ A = 'applied', B = 'staged', C = 'staged', D = 'staged' })
  n:keys(']g')
  n:await('the cursor is at B', "return vim.fn.line('.') == 15")
  n:type('glR')
  n:shows('Why not B')
  n:type('keep 200 ms, the server asks for it<CR>')
  n:letters({ A = 'applied', B = 'rejected', C = 'staged', D = 'staged' })
  n:keys('<C-l>')
  t:screen(n, 'walk-3-decided')
  n:keys('u')
  n:letters({ A = 'staged', B = 'rejected', C = 'staged', D = 'staged' })
  n:keys('<C-l>')
  t:screen(n, 'walk-4-undone')
  n:keys('<C-r>')
  n:letters({ A = 'applied', B = 'rejected', C = 'staged', D = 'staged' })
  n:keys(']g')
  n:await('the guide', "return vim.fn.expand('%:t') == 'guide.md'")
  n:keys('ggOReviewed for version 2.<Esc>')
  n:agrees()
  n:keys('<C-l>')
  t:screen(n, 'walk-5-typed')
  n:keys('/3 times<CR>cwthree<Esc>')
  n:letters({ A = 'applied', B = 'rejected', C = 'conflict', D = 'staged' })
  n:keys('<C-l>')
  t:screen(n, 'walk-6-conflict')
  n:keys('glt')
  n:letters({ A = 'applied', B = 'rejected', C = 'applied', D = 'staged' })
  n:type('glc')
  n:letters({})
  n:cmd('wall')
  n:keys('<C-l>')
  t:screen(n, 'walk-7-committed')
  t:ok(
    n:file('docs/guide.md'):find('Reviewed for version 2.\r\n', 1, true),
    'the guide keeps its line ends'
  )
end)

case('screens: a run', function(t)
  local env, release = t:model({
    {
      text = 'Let me read the file first.',
      calls = { { name = 'memo_read', arguments = { path = 'config.yaml' } } },
      hold = true,
    },
    {
      text = 'A minute is enough for the slow ones.',
      calls = {
        {
          name = 'memory_notebook_replace',
          arguments = { path = 'config.yaml', old_text = 'timeout: 30', new_text = 'timeout: 60' },
        },
      },
      hold = true,
    },
    { text = 'The timeout is 60 seconds now, in config.yaml.', hold = true },
  })
  local n = t:neovim({
    files = { ['config.yaml'] = 'name: shop\ntimeout: 30\nretries: 3\n' },
    open = 'config.yaml',
    terminal = true,
    size = { 76, 18 },
    env = env,
    setup = alike
      .. "vim.o.laststatus = 2 require('galley').setup({ keys = true, run = { close_after = 0 } })",
  })
  n:await('galley is attached', 'return inside.client() ~= nil')
  n:cmd('Galley ask give the slow requests a minute')
  n:shows('give the slow requests a minute')
  release()
  n:shows('Let me read the file first.')
  release()
  n:shows('A minute is enough')
  n:letters({ A = 'staged' })
  t:screen(n, 'run-1-going')
  release()
  n:shows('now, in config.yaml.')
  n:shows('done: 1 change')
  t:screen(n, 'run-2-done')
end)

case('screens: side by side', function(t)
  local n = demo(t, { 110, 26 })
  n:keys('gld')
  n:await(
    'two windows in diff mode',
    [[
    local shown = 0
    for _, win in ipairs(vim.api.nvim_list_wins()) do shown = shown + (vim.wo[win].diff and 1 or 0) end
    return shown == 2
  ]]
  )
  n:keys('<C-l>')
  t:screen(n, 'side-by-side')
end)

case('screens: shared, Neovim and a terminal on the same letters', function(t)
  local shared = { GALLEY_HOST = '' }
  local n = t:neovim({
    files = { ['config.yaml'] = 'name: shop\ntimeout: 30\nretries: 3\n' },
    open = 'config.yaml',
    terminal = true,
    size = { 76, 8 },
    env = shared,
    setup = alike .. "vim.o.laststatus = 2 require('galley').setup({ keys = true })",
  })
  n:await('galley is attached', 'return inside.client() ~= nil')
  local prompt = 'replace "30" with "60" in config.yaml'
  n:galley({ 'run', '--review', 'keep', prompt }, shared)
  n:letters({ A = 'staged' })
  n:await('the words at the end of the run', 'return #inside.messages == 1')
  n:cmd("echo ''")
  t:screen(n, 'shared-1-neovim')
  local typed = { 'sh', '-c', "echo '$ galley review'; exec galley review" }
  local env = { GALLEY_HOST = '', NO_COLOR = '1' }
  local terminal = t:program(typed, { size = { 76, 13 }, beside = n, env = env })
  terminal:shows('[q]uit')
  t:screen(terminal, 'shared-2-terminal')
  terminal:type('y<CR>')
  n:letters({ A = 'applied' })
  t:eq(n:text(), 'name: shop\ntimeout: 60\nretries: 3\n')
  terminal:kill()
end)

-- What is easily drawn wrong.
local drawn = {
  { 'top', 'one\ntwo\nthree\nfour\n', 'delete "one\\ntwo\\n" in f.txt' },
  { 'insert-top', 'one\ntwo\n', 'replace "one" with "zero\\none" in f.txt' },
  { 'insert-end', 'one\ntwo\n', 'append "three\\nfour\\n" to f.txt' },
  { 'empty', '', 'append "one\\ntwo\\n" to f.txt' },
  {
    'tabs',
    'if x {\n\tfirst(a,\tb)\n}\n',
    'replace "first(a,\\tb)" with "second(abc,\\td)" in f.txt',
  },
  { 'wide', 'x = "日本" # é\n', 'replace "日本" with "日本語 😀" in f.txt' },
  { 'long', 'short\n', 'replace "short" with "' .. ('a long line '):rep(12) .. '" in f.txt' },
}

for _, one in ipairs(drawn) do
  case('screens: drawn right, ' .. one[1], function(t)
    local n = t:neovim({
      files = { ['f.txt'] = one[2] },
      open = 'f.txt',
      terminal = true,
      size = { 60, 10 },
      setup = alike
        .. "require('galley').setup({ run = { open = 'none' }, preview = { decided = 0 } })",
    })
    n:ask(one[3])
    n:letters({ A = 'staged' })
    n:keys('<C-l>')
    t:screen(n, 'drawn-' .. one[1])
  end)
end

case('screens: drawn right, the colours of the language', function(t)
  local n = t:neovim({
    files = { ['f.lua'] = 'local a = 1\nlocal b = "two" -- three\n' },
    open = 'f.lua',
    terminal = true,
    size = { 60, 10 },
    setup = alike
      .. "require('galley').setup({ run = { open = 'none' } })"
      .. ' vim.cmd("autocmd FileType lua lua vim.treesitter.start()")',
  })
  n:ask([[replace 'local b = "two"' with 'local function b() return "2", nil end' in f.lua]])
  n:letters({ A = 'staged' })
  n:keys('<C-l>')
  t:screen(n, 'drawn-colours')
end)

---The rows of a captured screen, without the lines behind the text.
local function rows(name, first, last)
  local screen =
    read(('%s/editors/nvim/test/screens/%s.txt'):format(root, name)):gsub('%-%-%- manners.*', '')
  local lines = vim.list_slice(vim.split(screen, '\n'), first, last)
  lines = vim.tbl_filter(function(line)
    return line ~= '~'
  end, lines)
  return (table.concat(lines, '\n'):gsub('\n+$', ''))
end

for page, least in pairs({ neovim = 8, workspace = 2 }) do
  local path = ('%s/docs/%s.md'):format(root, page)
  case(('screens: docs/%s.md shows those that were captured'):format(page), function(t)
    local text = read(path)
    local made, count = text:gsub(
      '(<!%-%- screen (%S+) (%d+)%-(%d+) %-%->\n```text\n).-(```\n)',
      function(head, name, first, last, tail)
        return head .. rows(name, tonumber(first), tonumber(last)) .. '\n' .. tail
      end
    )
    t:ok(count >= least, 'there are screens in it')
    if vim.env.UPDATE == '1' and t.version == '0.12' then
      Neovim.put(path, made)
    elseif vim.env.UPDATE ~= '1' then
      t:ok(made == text, path .. ' shows other screens than were captured: run with UPDATE=1')
    end
  end)
end
