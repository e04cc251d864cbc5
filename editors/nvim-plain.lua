-- galley for Neovim 0.10 and newer without the plugin, in one file: copy it to ~/.config/nvim/plugin/galley.lua.
-- :Galley ask replace "30" with "60" in config.yaml · :Galley apply A · reject A · commit · next

local commands = {
  'ask',
  'cancel',
  'apply',
  'reject',
  'unreject',
  'preview',
  'next',
  'previous',
  'commit',
  'revert',
  'newSession',
}
local argument = { -- what the words behind the command are
  ask = 'prompt',
  apply = 'change',
  reject = 'change',
  unreject = 'change',
  preview = 'change',
  commit = 'summary',
  revert = 'reason',
  newSession = 'title',
}

vim.api.nvim_create_autocmd(
  'FileType',
  { -- also after :edit!, which detaches what was started by hand
    callback = function(ev)
      if vim.bo[ev.buf].buftype ~= '' then
        return
      end
      local root = vim.fs.root(ev.buf, '.git') or vim.fn.getcwd()
      vim.lsp.start({
        name = 'galley',
        cmd = { 'galley', 'serve' },
        root_dir = root,
        handlers = { -- Neovim's own would hold up everything until you answer
          ['window/showMessageRequest'] = function(_, question)
            vim.notify(question.message)
            return vim.NIL
          end,
        },
      })
    end,
  }
)

-- run sends a command with the real buffer number: only then what you typed last is sent before it.
local function run(name, words)
  local buf = vim.api.nvim_get_current_buf()
  local client = vim.lsp.get_clients({ bufnr = buf, name = 'galley' })[1]
  if not client then
    return vim.notify('galley is not attached to this buffer', vim.log.levels.WARN)
  end
  local args = words ~= '' and argument[name] and { [argument[name]] = words } or vim.empty_dict()
  if name == 'ask' or name == 'next' or name == 'previous' then
    args.uri = vim.uri_from_bufnr(buf)
  end
  if name == 'next' or name == 'previous' then
    args.position = vim.lsp.util.make_position_params(0, client.offset_encoding).position
  end
  local params = { command = 'galley.' .. name, arguments = { args } }
  local function answered(err, result)
    if err then
      return vim.notify(err.message, vim.log.levels.WARN)
    end
    if name == 'preview' then
      vim.notify(result.text)
    end
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('workspace/executeCommand', params, answered, buf)
  else
    client.request('workspace/executeCommand', params, answered, buf)
  end
end

vim.api.nvim_create_user_command('Galley', function(o)
  local name, words = o.args:match('^(%S+)%s*(.*)$')
  if not vim.tbl_contains(commands, name) then
    return vim.notify('galley: ' .. table.concat(commands, ', '))
  end
  run(name, words)
end, {
  nargs = '+',
  complete = function()
    return commands
  end,
})

-- Diagnostics draw each change with all its lines (0.11), and code lenses offer what can be done (0.12).
vim.diagnostic.config({
  virtual_lines = vim.fn.has('nvim-0.11') == 1,
  virtual_text = vim.fn.has('nvim-0.11') == 0,
})
if vim.fn.has('nvim-0.12') == 1 then
  vim.lsp.codelens.enable(true)
end
