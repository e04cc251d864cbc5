-- The server: one for each workspace, shared by all its buffers, started with the first of them, and started again when
-- it crashed.
local binary = require('galley.binary')
local compat = require('galley.compat')
local config = require('galley.config')
local editor = require('galley.editor')
local ext = require('galley.ext')
local notify = require('galley.notify')
local server = require('galley.server')
local state = require('galley.state')
local workspace = require('galley.workspace')

local api = vim.api

local M = { name = 'galley' }

--- Clients that the user has stopped, and those that have begun to work.
---@type table<integer, true>, table<integer, true>
local meant, begun = {}, {}

--- Crashes in a row, by workspace.
---@type table<string, {count: integer, since: integer, how: string, untold: boolean}>
local crashes = {}

--- What waits for a client to be ready.
---@type table<integer, fun(client: vim.lsp.Client)[]>
local waiting = {}

--- Whether it was said that the server cannot be run, and whether the user has stopped the servers.
local told_missing, stopped = false, false

-- Starting ----------------------------------------------------------------------------------------------------------

---@param problem string
local function missing(problem)
  if not told_missing then
    told_missing = true
    notify.warn(problem)
  end
end

---@param client vim.lsp.Client
local function on_init(client)
  begun[client.id] = true
  local stop = client.stop
  client.stop = function(...) -- on purpose: it is not started again
    meant[client.id] = true
    return stop(...)
  end
  require('galley.versions').watch(client)
  local crash = crashes[client.config.root_dir or '']
  if crash and crash.untold then
    crash.untold = false
    notify.warn(('the server ended (%s); it is back with your letters'):format(crash.how))
  end
  for _, fn in ipairs(waiting[client.id] or {}) do
    vim.schedule_wrap(fn)(client)
  end
  waiting[client.id] = nil
end

---@param client vim.lsp.Client
---@param bufnr integer
local function on_attach(client, bufnr)
  require('galley.versions').follow(bufnr)
  require('galley.preview').attach(client, bufnr)
end

--- It would end the same way again.
local unstartable = 'the server ended at once (%s); run it by hand, then :Galley start. It is: %s'

---@param client_id integer
local function on_exit(_, _, client_id)
  vim.schedule(function()
    local client = vim.lsp.get_client_by_id(client_id)
    local root = client and client.config.root_dir or state.workspace(client_id).root
    local how = server.ended(root)
    local crashed = (how.code ~= 0 or how.signal ~= 0) and not meant[client_id]
    local worked = begun[client_id] or crashes[root]
    require('galley.preview').forget(client_id)
    require('galley.run').forget(client_id)
    state.forget(client_id)
    waiting[client_id], meant[client_id], begun[client_id] = nil, nil, nil
    state.tell(client_id, 'exit')
    if not crashed or vim.v.exiting ~= vim.NIL or root == '' then
      return
    end
    local words = how.signal ~= 0 and ('signal ' .. how.signal) or ('exit code ' .. how.code)
    if worked then
      return M.revive(root, words)
    end
    missing(unstartable:format(words, table.concat(server.command(root) or {}, ' ')))
  end)
end

local hooks = { on_init = on_init, on_attach = on_attach, on_exit = on_exit }

--- What Neovim 0.11 and newer reads, from lsp/galley.lua.
---@return vim.lsp.Config
function M.lsp_config()
  return server.config(hooks, missing)
end

--- Attaches a buffer to the server of its workspace, which is started if it does not run.
---@param bufnr integer
---@return integer? client_id
function M.start(bufnr)
  local root = server.root(bufnr, missing)
  if root then
    return vim.lsp.start(server.config_for(root, hooks, missing), { bufnr = bufnr })
  end
end

--- Begins to follow the files that are opened, now and from now on.
function M.enable()
  require('galley.highlight').setup()
  require('galley.keys').setup()
  if config.get().autostart then
    M.autostart()
  end
end

--- Follows the files that are open, and those that are opened.
function M.autostart()
  local opts = { group = api.nvim_create_augroup('galley.attach', {}) }
  local function follow(ev)
    M.start(ev.buf)
  end
  -- Files that Neovim knows no type of have no FileType event, but galley is for them too.
  local function untyped(ev)
    if api.nvim_buf_is_valid(ev.buf) and vim.bo[ev.buf].filetype == '' then
      M.start(ev.buf)
    end
  end
  local opened = { 'BufReadPost', 'BufNewFile', 'BufFilePost' }
  editor.on(opened, 'follow files of no type', vim.schedule_wrap(untyped), opts)
  if compat.nvim_011 then
    vim.lsp.enable(M.name)
  else
    editor.on('FileType', 'follow files', follow, opts)
  end
  for _, bufnr in ipairs(api.nvim_list_bufs()) do
    if #vim.lsp.get_clients({ bufnr = bufnr, name = M.name }) == 0 then
      M.start(bufnr)
    end
  end
end

-- Stopping, and after a crash ---------------------------------------------------------------------------------------

--- Starts the server of a workspace again, after a while that grows.
---@param root string
---@param how string it ended
function M.revive(root, how)
  local crash, now = crashes[root], vim.uv.now()
  if not crash or now - crash.since > 60000 then
    crash = { count = 0 }
    crashes[root] = crash
  end
  crash.count, crash.since, crash.how, crash.untold = crash.count + 1, now, how, true
  if crash.count > 6 then
    local told = 'the server ended again and again (%s) and is left alone until :Galley start; '
    return notify.error(told:format(how) .. ':Galley log may say why')
  end
  vim.defer_fn(function()
    if vim.v.exiting ~= vim.NIL then
      return
    end
    local bufs = vim.tbl_filter(function(bufnr)
      return workspace.wants(bufnr) and workspace.root(bufnr) == root
    end, api.nvim_list_bufs())
    for _, bufnr in ipairs(bufs) do
      M.start(bufnr)
    end
    if #bufs == 0 then
      M.start_alone(root)
    end
  end, math.min(250 * 2 ^ (crash.count - 1), 30000))
end

--- Starts the server of a workspace though no buffer of it is open.
---@param root string
---@return integer? client_id
function M.start_alone(root)
  local _, problem = binary.find()
  if problem then
    notify.warn(problem)
    return
  end
  local all = vim.lsp.get_clients({ name = M.name, _uninitialized = true })
  local running = vim.iter(all):find(function(client)
    return client.config.root_dir == root
  end)
  if running then
    return running.id
  end
  local conf = server.config_for(root, hooks, missing)
  if compat.nvim_011 then
    return vim.lsp.start(conf, { attach = false })
  end
  ---@diagnostic disable-next-line: deprecated
  return vim.lsp.start_client(conf)
end

--- Stops the servers of all workspaces.
function M.stop()
  local clients = vim.lsp.get_clients({ name = M.name })
  stopped = true
  for _, client in ipairs(clients) do
    meant[client.id] = true
    if vim.fn.has('nvim-0.12') == 0 then -- else vim.lsp.enable() does it
      compat.stop(client)
    end
  end
  pcall(api.nvim_del_augroup_by_name, 'galley.attach')
  if compat.nvim_011 then
    vim.lsp.enable(M.name, false)
  end
  return #clients
end

--- Starts what was stopped, or given up.
function M.begin()
  crashes, told_missing, stopped = {}, false, false
  M.autostart()
end

function M.restart()
  M.stop()
  local tries = 0
  local function again()
    tries = tries + 1
    if #vim.lsp.get_clients({ name = M.name, _uninitialized = true }) > 0 and tries < 100 then
      return vim.defer_fn(again, 50)
    end
    M.begin()
  end
  again()
end

-- Talking -----------------------------------------------------------------------------------------------------------

--- The client that a buffer, or else the place where the user stands, belongs to.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.get(bufnr)
  bufnr = bufnr and bufnr ~= 0 and bufnr or api.nvim_get_current_buf()
  local own = vim.lsp.get_clients({ bufnr = bufnr, name = M.name })[1]
  if own then
    return own
  end
  local all = vim.lsp.get_clients({ name = M.name })
  local id, root = vim.b[bufnr].galley_client, workspace.root(bufnr)
  local found = vim.iter(all):find(function(client)
    return client.id == id or not id and client.config.root_dir == root
  end)
  return found or #all == 1 and all[1] or nil
end

--- Calls fn with the client of the buffer; the server of its workspace is started if none runs.
---@param bufnr integer
---@param fn fun(client: vim.lsp.Client)
function M.ensure(bufnr, fn)
  local client = M.get(bufnr)
  if client then
    return fn(client)
  end
  local id = M.start(bufnr)
    or M.start_alone(workspace.root(bufnr) or vim.fs.normalize(vim.uv.cwd() or '.'))
  if not id then
    return
  end
  if stopped then
    M.begin()
  end
  client = vim.lsp.get_client_by_id(id)
  if client and client.initialized then
    return fn(client)
  end
  waiting[id] = vim.list_extend(waiting[id] or {}, { fn })
end

--- A request. What was typed is sent before it, in all buffers: Neovim does so where no buffer is named, but with
--- buffer 0 it does not at all.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param handler fun(err?: lsp.ResponseError, result?: any)
function M.request(client, method, params, handler)
  if not compat.request(client, method, params, handler) then
    handler({ code = 0, message = 'the server does not answer; :Galley restart starts it again' })
  end
end

--- Runs a command of the server's.
---@param client vim.lsp.Client
---@param command string
---@param argument? table
---@param handler fun(err?: lsp.ResponseError, result?: any)
function M.execute(client, command, argument, handler)
  local arguments = argument and next(argument) and { argument } or {}
  local params = { command = command, arguments = arguments }
  M.request(client, 'workspace/executeCommand', params, handler)
end

--- Asks for the state of all changes, and draws it. What was typed is sent before it.
---@param client vim.lsp.Client
function M.sync(client)
  M.execute(client, ext.commands.changes, nil, function(err, result)
    if not err and type(result) == 'table' then
      require('galley.handlers')[ext.methods.changes](nil, result, { client_id = client.id })
    end
  end)
end

return M
