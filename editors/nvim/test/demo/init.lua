-- The demo's configuration: what the plugin needs and nothing else.
vim.opt.runtimepath:prepend(vim.env.PLUGIN)
vim.g.galley = { keys = true }
vim.o.number = true
vim.o.signcolumn = 'yes:1'
vim.o.swapfile = false
vim.o.statusline = " %{expand('%:~:.')}%m%=%{v:lua.require'galley'.status()} "

local keys = [[
 Four letters wait in two files; nothing is written before you say so.
   ]g  [g   the next one, the one before     gll   all as a list   gld  side by side
   gla      apply     u Ctrl-R  take back    glc   commit the rest glv  revert it
   glr glR  reject, and say why              gl<Space>  what the agent says
   glq      ask, say: replace "pool: 20" with "pool: 50" in services.yaml
 Type where you like: letters move along. On a letter's own line it is a conflict:
   glm mine · glt the agent's                :Galley <Tab>  all else    :qa!  leave]]

local wanted = {
  'replace "const defaultRetries = 3" with "const defaultRetries = 5" in internal/client/client.go',
  'replace "pause = 200" with "pause = 500" in internal/client/client.go because "five quick retries are too many"',
  'replace "up to 3 times" with "up to 5 times" in docs/guide.md',
  'append "The wait never outlasts the context\'s deadline.\\n" to docs/guide.md after "## Retries"',
}

local function show_keys()
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(keys, '\n'))
  vim.bo[buf].modifiable = false
  vim.api.nvim_buf_set_name(buf, 'keys')
  local win = vim.api.nvim_open_win(buf, false, { split = 'below', win = 0, height = 7 })
  vim.wo[win].number, vim.wo[win].signcolumn, vim.wo[win].winfixheight = false, 'no', true
  vim.wo[win].statusline = ' galley in Neovim'
end

vim.api.nvim_create_autocmd('VimEnter', {
  callback = function()
    vim.cmd.edit('internal/client/client.go')
    show_keys()
    require('galley').ask(table.concat(wanted, ' then '))
  end,
})
