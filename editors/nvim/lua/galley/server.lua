-- The server's process, and what Neovim needs to know to talk to it.
local binary = require('galley.binary')
local compat = require('galley.compat')
local config = require('galley.config')
local ext = require('galley.ext')
local workspace = require('galley.workspace')

local M = {}

local name = 'galley'

---@param root string
---@return string[]? cmd
---@return string? problem
function M.command(root)
  local cmd, problem, words = binary.find()
  if not cmd then
    return nil, problem
  end
  local log = config.get().log_file
  vim.list_extend(cmd, { 'serve', '--workspace', root })
  vim.list_extend(cmd, log and { '--log-file', log } or {})
  return vim.list_extend(cmd, words or {})
end

--- How the servers' processes ended, by workspace.
---@type table<string, {code: integer, signal: integer}>
local ended = {}

--- Starts the process. What it ended with is told here, and not by Neovim, which would have us press Enter.
---@param root string
---@param dispatchers vim.lsp.rpc.Dispatchers
---@return vim.lsp.rpc.PublicClient
local function launch(root, dispatchers)
  local cmd, problem = M.command(root)
  if not cmd then
    error(problem, 0)
  end
  local ours = vim.tbl_extend('force', dispatchers, {
    on_exit = function(code, signal)
      ended[root] = { code = code, signal = signal }
      dispatchers.on_exit(0, 0)
    end,
  })
  return vim.lsp.rpc.start(cmd, ours, { cwd = root })
end

--- An empty table would go out as a list.
---@param t table
---@return table
local function dictionary(t)
  local out = vim.empty_dict()
  for key, value in pairs(t) do
    local is_list = type(value) == 'table' and vim.islist(value) and next(value)
    out[key] = type(value) == 'table' and not is_list and dictionary(value) or value
  end
  return out
end

--- Settings, and whether the workspace's own may do everything.
---@param root string
---@return table?
local function options(root)
  local out, trusted = dictionary(config.get().settings), config.get().trusted
  if type(trusted) == 'function' then
    trusted = trusted(root)
  end
  out.trusted = trusted
  return next(out) and out or nil
end

--- How the process of a workspace ended, told once.
---@param root string
---@return {code: integer, signal: integer}
function M.ended(root)
  local how = ended[root]
  ended[root] = nil
  return how or { code = 0, signal = 0 }
end

--- The workspace whose server a buffer gets; nil: none follows it.
---@param bufnr integer
---@param missing fun(problem: string)
---@return string?
function M.root(bufnr, missing)
  if not workspace.wants(bufnr) then
    return
  end
  local _, problem = binary.find()
  if problem then
    return missing(problem)
  end
  return workspace.root(bufnr)
end

--- What Neovim needs to know of the server. Without a root_dir: lsp/galley.lua is the same for all workspaces.
---@param hooks vim.lsp.Config what happens to it
---@param missing fun(problem: string)
---@return vim.lsp.Config
function M.config(hooks, missing)
  local settings = config.get().settings
  return vim.tbl_extend('force', hooks, {
    name = name,
    cmd = function(dispatchers, conf)
      return launch(conf.root_dir, dispatchers)
    end,
    root_dir = function(bufnr, on_dir)
      local root = M.root(bufnr, missing)
      if root then
        on_dir(root)
      end
    end,
    capabilities = vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), {
      workspace = {
        textDocumentContent = { dynamicRegistration = false },
        workspaceEdit = { resourceOperations = { 'rename' } }, -- the server makes and deletes files itself
      },
      experimental = { galley = { notifications = true, draws = true, save = true, exact = true } },
    }),
    before_init = function(params, conf)
      params.initializationOptions = options(conf.root_dir)
    end,
    settings = next(settings) and { [ext.section] = dictionary(settings) } or nil,
    handlers = require('galley.handlers'),
    commands = { -- what a code action asks for is shown as what the user asks for is
      [ext.commands.ask] = function(command, ctx)
        local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
        require('galley.ask').send(client, command.arguments[1])
      end,
    },
  })
end

--- The configuration for one workspace; on 0.11 and newer with what the user gave to vim.lsp.config().
---@param root string
---@param ... any as config() takes it
---@return vim.lsp.ClientConfig
function M.config_for(root, ...)
  local conf = compat.nvim_011 and vim.lsp.config[name] or M.config(...) ---@type vim.lsp.Config
  conf = vim.tbl_extend('force', vim.deepcopy(conf), { root_dir = root, name = name })
  if not compat.nvim_011 then -- this one gets no config
    conf.cmd = function(dispatchers)
      return launch(root, dispatchers)
    end
  end
  return conf
end

return M
