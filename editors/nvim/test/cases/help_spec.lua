-- U45: every way to install that is documented is gone as it is written, and then the help is there.
local harness = require('harness')
local case = harness.case

local read, root = harness.read, harness.root

---The blocks of code in a page that put the plugin somewhere: of Markdown and of Vim's help.
local function installs(page)
  local text, found = '\n' .. read(root .. '/' .. page), {}
  local pattern = page:find('%.txt$') and '>(%l+)\n(.-)\n<' or '\n```(%l+)\n(.-)\n```'
  for language, code in text:gmatch(pattern) do
    if code:find('editors/nvim', 1, true) and not code:find('vim.lsp.config', 1, true) then
      found[#found + 1] = { language = language, code = code }
    end
  end
  return found
end

-- What the plugin managers do with what they are told, once they have fetched the repository into their folder.
local managers = [[
  local repository = ...
  local function fetched(folder)
    vim.fn.mkdir(vim.fs.dirname(folder), 'p')
    vim.uv.fs_symlink(repository, folder)
    return folder
  end
  local site = vim.fn.stdpath('data') .. '/site/pack/deps/opt/galley'
  MiniDeps = { add = function() fetched(site) vim.cmd('packadd galley') end }
  package.preload['lazy.core.loader'] = function()
    return { packadd = function(dir) vim.cmd.source(dir .. '/plugin/galley.lua') end }
  end
  function Lazy(plugin)
    plugin.dir = plugin.dir and vim.fn.expand(plugin.dir) or fetched(vim.fn.stdpath('data') .. '/lazy/galley')
    if plugin.config then
      return plugin.config(plugin)
    end
    vim.opt.runtimepath:append(plugin.dir)
    require('galley').setup(plugin.opts)
  end
  vim.api.nvim_create_user_command('Plug', function(o)
    local place, options = o.args:match("^'([^']*)',?%s*(.*)")
    local dir = place:find('^~') and vim.fn.expand(place) or fetched(vim.fn.stdpath('data') .. '/plugged/galley')
    local below = options:match("'rtp': '([^']*)'")
    vim.opt.runtimepath:append(below and dir .. '/' .. below or dir)
  end, { nargs = '+' })
]]

local function follow(install)
  if install.language == 'vim' then
    return ('vim.cmd(%q)'):format(install.code)
  elseif install.language == 'lua' and install.code:find('^%s*{') then
    return 'Lazy(' .. install.code:gsub('%-%-[^\n]*', '') .. ')'
  end
  return install.language == 'lua' and install.code or ''
end

local pages = { 'docs/neovim.md', 'editors/nvim/README.md', 'editors/nvim/doc/galley.txt' }
for _, page in ipairs(pages) do
  case('help: U45 :help galley after each install that ' .. page .. ' names', function(t)
    local all = installs(page)
    t:ok(#all >= 4, 'the page names ways to install: ' .. vim.inspect(all))
    for _, install in ipairs(all) do
      local home = t:folder()
      vim.fn.mkdir(home .. '/src', 'p')
      vim.uv.fs_symlink(root, home .. '/src/galley')
      if install.language == 'sh' then
        vim.fn.system({
          'env',
          'HOME=' .. home,
          'sh',
          '-ec',
          install.code:gsub('git clone[^\n]*', ''):gsub('go install[^\n]*', ''),
        })
      end
      local n = t:neovim({
        home = home,
        plugin = false,
        env = { XDG_DATA_HOME = home .. '/.local/share' },
        setup = ('loadstring(%q)(%q)\n'):format(managers, root) .. follow(install),
      })
      n:await('the plugin', "return vim.fn.exists(':Galley') == 2")
      for _, subject in ipairs({ 'galley', ':Galley', 'galley-run' }) do
        n:cmd('help ' .. subject)
        local at = n:lua("return { vim.fn.expand('%:t'), vim.fn.getline('.') }")
        t:eq(at[1], 'galley.txt', install.code)
        t:ok(at[2]:find('*' .. subject .. '*', 1, true), 'the line ' .. at[2])
      end
      n:quit()
    end
  end)
end

case('help: U45 the tags that come with the plugin are those of its help', function(t)
  local folder = t:folder()
  vim.fn.system({ 'cp', root .. '/editors/nvim/doc/galley.txt', folder })
  vim.cmd.helptags(folder)
  t:eq(
    read(root .. '/editors/nvim/doc/tags'),
    read(folder .. '/tags'),
    'run :helptags editors/nvim/doc; doc/tags'
  )
end)
