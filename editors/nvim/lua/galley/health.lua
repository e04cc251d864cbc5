-- :checkhealth galley
local binary = require('galley.binary')
local config = require('galley.config')
local editor = require('galley.editor')
local state = require('galley.state')

local M = {}

local h = vim.health

local function neovim()
  h.start('Neovim')
  local v = vim.version()
  local text = ('Neovim %d.%d.%d'):format(v.major, v.minor, v.patch)
  if vim.fn.has('nvim-0.10') == 0 then
    return h.error(text .. '; galley needs 0.10 or newer')
  end
  h.ok(text)
  for _, complaint in ipairs(config.complaints) do
    h.error('options: ' .. complaint, { 'see :help galley-config' })
  end
  if #config.complaints == 0 then
    h.ok('options can be read')
  end
end

---@param cmd string[]
---@param ... string
---@return vim.SystemCompleted|{} result without a code where it could not be run
local function call(cmd, ...)
  local ok, process = pcall(vim.system, vim.list_extend({ unpack(cmd) }, { ... }), { text = true })
  return ok and process:wait(20000) or {}
end

---@return string[]?
local function program()
  h.start('The program galley')
  local cmd, problem = binary.find()
  if not cmd then
    h.error(problem --[[@as string]], {
      'go install github.com/galley-ls/galley/cmd/galley@latest',
      'put it on your PATH, or set the option cmd to where it is',
      'then :Galley start',
      'looked for at: ' .. table.concat(binary.candidates(), ', '),
    })
    return
  end
  local result = call(cmd, 'version')
  if result.code ~= 0 then
    h.error(cmd[1] .. ' does not tell its version', { vim.trim(result.stderr or '') })
    return
  end
  h.ok(('%s: %s'):format(table.concat(cmd, ' '), vim.trim(result.stdout)))
  return cmd
end

---@param client vim.lsp.Client
local function one_server(client)
  local bufs = editor.count(vim.tbl_count(client.attached_buffers), 'buffer')
  local version = (client.server_info or {}).version or '?'
  local told = '%s: version %s, %s, positions in %s'
  h.ok(told:format(client.config.root_dir or '?', version, bufs, client.offset_encoding))
  local caps = client.server_capabilities or {}
  local commands = vim.tbl_get(caps, 'executeCommandProvider', 'commands') or {}
  local missing = vim.tbl_filter(function(name)
    return not vim.list_contains(commands, name)
  end, vim.tbl_values(require('galley.ext').commands))
  if #missing > 0 then
    table.sort(missing)
    h.warn('the server lacks ' .. table.concat(missing, ', '), { 'is it older than the plugin?' })
  end
  if vim.tbl_get(caps, 'workspace', 'textDocumentContent') == nil then
    h.warn('the server has no documents of its own: :Galley overview and the like stay empty')
  end
  local has_said = state.workspace(client.id).changes.seq
  local pending = editor.waiting(#state.pending(client.id))
  h.info(pending .. (has_said and '' or '; it has said nothing yet'))
end

local function servers()
  h.start('Servers')
  local clients = vim.lsp.get_clients({ name = 'galley' })
  if #clients == 0 then
    local advice =
      { 'open a file of a project, or :Galley start', ':Galley log says why one ended' }
    h.warn('none runs', advice)
  end
  for _, client in ipairs(clients) do
    one_server(client)
  end
end

--- What it says of the terminal's programs is of no use here.
local elsewhere = { galley = true, Programs = true, Terminal = true }

local told = { ok = h.ok, warning = h.warn, problem = h.error }

--- What galley doctor says of settings, folders and the model, where the program has it. The model is not asked:
--- that takes time, and may cost money.
---@param cmd string[]
local function doctor(cmd)
  local ok, report = pcall(vim.json.decode, call(cmd, 'doctor', '--json', '--offline').stdout or '')
  if not ok or type(report) ~= 'table' or type(report.checks) ~= 'table' then
    return
  end
  local group ---@type string?
  for _, check in ipairs(report.checks) do
    if not elsewhere[check.group] then
      if check.group ~= group then
        group = check.group
        h.start('galley doctor: ' .. tostring(group))
      end
      local tell = told[check.state] or h.info
      local next_steps = type(check.next) == 'table' and table.concat(check.next, '\n') or ''
      local takes_advice = next_steps ~= '' and tell ~= h.ok and tell ~= h.info
      tell(check.what, takes_advice and { next_steps } or nil)
    end
  end
end

local function syntax()
  h.start('Colours of new lines')
  if not config.get().preview.syntax then
    return h.info('off (preview.syntax)')
  end
  local seen = {}
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local filetype, is_file = vim.bo[bufnr].filetype, vim.bo[bufnr].buftype == ''
    if vim.api.nvim_buf_is_loaded(bufnr) and is_file and filetype ~= '' and not seen[filetype] then
      seen[filetype] = true
      if require('galley.preview.syntax').language(bufnr) then
        h.ok(filetype .. ': by tree-sitter')
      else
        h.info(filetype .. ': there is no tree-sitter parser, new lines are shown plainly')
      end
    end
  end
  if next(seen) == nil then
    h.info('no file is open')
  end
end

local function keys()
  h.start('Keys')
  if not config.get().keys then
    return h.info('none are mapped; the option keys = true maps some, :help galley-keys')
  end
  local taken = require('galley.keys').taken
  for _, key in ipairs(taken) do
    local said = '%s (%s) was mapped already: %s; it is not mapped to %s'
    local advice = ("keys = { %s = '…' } names another one"):format(key.name)
    h.warn(said:format(key.lhs, key.mode, key.by, key.name), { advice })
  end
  if #taken == 0 then
    h.ok('all are mapped')
  end
end

function M.check()
  neovim()
  local cmd = program()
  servers()
  if cmd then
    doctor(cmd)
  end
  syntax()
  keys()
end

return M
