-- However the plugin is installed, it does the same.
local case = require('harness').case

local before = 'one\ntimeout: 30\nthree\n'

local function works(t, n)
  n:ask('replace "timeout: 30" with "timeout: 60" in f.txt')
  n:letters({ A = 'staged' })
  n:shows('timeout: 60')
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:eq(n:text(), 'one\ntimeout: 60\nthree\n')
  t:eq(n:lua("return #vim.lsp.get_clients({ name = 'galley' })"), 1, 'servers')
end

case('setup: a native package', function(t)
  works(t, t:neovim({ files = { ['f.txt'] = before }, open = 'f.txt', package = 'start/galley' }))
end)

case('setup: a native package with setup() in init.lua', function(t)
  works(
    t,
    t:neovim({
      files = { ['f.txt'] = before },
      open = 'f.txt',
      package = 'start/galley',
      setup = "require('galley').setup({ keys = true })",
    })
  )
end)

case('setup: :packadd behind the start, as mini.deps does later', function(t)
  local n = t:neovim({ files = { ['f.txt'] = before }, open = 'f.txt', package = 'opt/galley' })
  n:lua("vim.cmd('packadd galley') require('galley').setup({})")
  works(t, n)
end)

case('setup: loaded late with its options, as lazy.nvim does at an event', function(t)
  local n = t:neovim({ files = { ['f.txt'] = before }, open = 'f.txt', package = 'opt/galley' })
  n:lua([[
    local folder = vim.fn.globpath(vim.o.packpath, 'pack/*/opt/galley', true, true)[1]
    vim.opt.runtimepath:append(folder)
    vim.cmd.source(folder .. '/plugin/galley.lua')
    require('galley').setup({ keys = true })
  ]])
  works(t, n)
end)

case('setup: vim.g.galley', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = before },
    open = 'f.txt',
    setup = 'vim.g.galley = { keys = { apply = "<Space>a" } }',
  })
  n:ask('replace "timeout: 30" with "timeout: 60" in f.txt')
  n:letters({ A = 'staged' })
  n:keys('j<Space>a')
  n:letters({ A = 'applied' })
end)

case('setup: wrong options are told, and the rest holds', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = before },
    open = 'f.txt',
    setup = "require('galley').setup({ stile = 1, preview = { style = 'pretty' } })",
  })
  n:await('a message', 'return #inside.messages > 0')
  n:cmd('Galley messages')
  n:shows('stile')
  n:shows('preview.style')
  n:cmd('quit')
  if n:waits() then -- it may be too long for the line
    n:type('<CR>')
  end
  works(t, n)
end)

case('setup: without autostart :Galley start begins', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = before },
    open = 'f.txt',
    setup = "require('galley').setup({ autostart = false })",
  })
  n:keys('l')
  t:eq(
    n:lua("return #vim.lsp.get_clients({ name = 'galley', _uninitialized = true })"),
    0,
    'servers'
  )
  n:cmd('Galley start')
  works(t, n)
end)

case('setup: light and dark', function(t)
  local n = t:neovim(before)
  for _, background in ipairs({ 'light', 'dark' }) do
    n:cmd('set background=' .. background)
    for _, scheme in ipairs({ 'default', 'habamax', 'morning', 'quiet' }) do
      n:cmd('colorscheme ' .. scheme)
      local bare = n:lua([[
        local bare = {}
        for _, name in ipairs({ 'Add', 'Delete', 'Reason', 'SignAdd', 'SignDelete', 'Conflict' }) do
          local colours = vim.api.nvim_get_hl(0, { name = 'Galley' .. name, link = false })
          if next(colours) == nil then bare[#bare + 1] = name end
        end
        return bare
      ]])
      t:eq(bare, {}, 'groups without colours in ' .. scheme .. ', ' .. background)
    end
  end
  n:cmd('highlight GalleyAdd guibg=#123456')
  n:cmd('doautocmd ColorScheme')
  t:eq(
    n:lua("return vim.api.nvim_get_hl(0, { name = 'GalleyAdd' }).bg"),
    0x123456,
    "the user's own colour"
  )
end)

case('setup: without the plugin, the one file for init', function(t)
  local plain = vim.fs.normalize(vim.fn.getcwd() .. '/../../nvim-plain.lua')
  local n = t:neovim({
    files = { ['f.txt'] = before },
    open = 'f.txt',
    plugin = false,
    setup = ("vim.cmd('filetype on') dofile('%s')"):format(plain),
  })
  n:await('galley is attached', 'return inside.client() ~= nil')
  n:cmd('Galley ask replace "timeout: 30" with "timeout: 60" in f.txt')
  n:await('a diagnostic', 'return #vim.diagnostic.get(0) == 1')
  n:shows('60')
  n:cmd('Galley next')
  n:await('the cursor is there', "return vim.fn.line('.') == 2")
  n:cmd('Galley apply A')
  n:await('it is applied', "return vim.fn.getline(2) == 'timeout: 60'")
  n:agrees()
  n:keys('u')
  n:await('it is back', 'return #vim.diagnostic.get(0) == 1')
  n:cmd('Galley commit longer')
  n:await(
    'it is committed',
    "return vim.fn.getline(2) == 'timeout: 60' and #vim.diagnostic.get(0) == 0"
  )
end)

case('setup: a linked package finds the program in its clone', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = before },
    open = 'f.txt',
    package = 'start/galley',
    link = true,
    setup = "vim.env.PATH = '/nowhere'",
  })
  works(t, n)
end)
