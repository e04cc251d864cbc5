-- Tiny on purpose: everything else is loaded when it is needed.
if vim.g.loaded_galley then
  return
end
vim.g.loaded_galley = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.api.nvim_err_writeln('galley needs Neovim 0.10 or newer')
  return
end

vim.api.nvim_create_user_command('Galley', function(cmd)
  require('galley.commands').run(cmd)
end, {
  nargs = '*',
  range = true,
  bang = true,
  desc = 'galley: ask, review, commit',
  complete = function(...)
    return require('galley.commands').complete(...)
  end,
})

for _, map in ipairs(require('galley.plugs')) do
  vim.keymap.set(map.modes, map.lhs, map.rhs, { expr = map.expr, desc = map.desc })
end

local editor = require('galley.editor')
-- A pattern without a slash would match only the last part of a name, and never fire.
editor.on('BufReadCmd', 'read a virtual document', function(ev)
  require('galley.documents').read(ev.buf)
end, { pattern = 'galley:/*' })

-- Neovim's language client is loaded when the start is over: it takes longer than all of this. A setup() in the same
-- breath comes first, also where the plugin is loaded late.
local function enable()
  require('galley.client').enable()
end
if vim.v.vim_did_enter == 1 then
  vim.schedule(enable)
else
  editor.on('VimEnter', 'begin', vim.schedule_wrap(enable), { once = true })
end
