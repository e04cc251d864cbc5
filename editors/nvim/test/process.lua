-- One Neovim under test, seen from the tests: a process of its own, with its own folders, driven by keys and commands.
-- With a terminal it runs in one that the tests' own Neovim shows, else headless.

---@class Neovim
---@field t Test
---@field job integer
---@field channel integer
---@field dir string its workspace
---@field window? integer that shows its terminal
local Neovim = {}
Neovim.__index = Neovim

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
local repository = vim.fs.normalize(here .. '/../../..')
local uv = vim.uv

function Neovim.put(path, content)
  vim.fn.mkdir(vim.fs.dirname(path), 'p')
  local file = assert(io.open(path, 'wb'))
  file:write(content)
  file:close()
end

-- The user's configuration: the plugin on the runtimepath and nothing else.
local init = [[
package.path = %q .. '/?.lua;' .. package.path
_G.inside = require('inside')
inside.count_keys()
%s
%s
]]

-- Where nothing else is said: the window of a run does not stay long in the way.
local quick = 'vim.g.galley = { run = { close_after = 50 } }'

---@class NeovimOptions
---@field files? table<string, string> its workspace
---@field open? string | string[] the files it opens at the start
---@field setup? string Lua, run by init.lua: `require('galley').setup({…})` and the like
---@field terminal? boolean
---@field size? integer[] columns and lines of the screen
---@field plugin? boolean false: it is not there
---@field package? string instead it is installed as a package: start/galley, opt/galley
---@field link? boolean the package is a link to the repository
---@field home? string an earlier one's, to go on with its sessions
---@field env? table<string, string>

---@param t Test
---@param o NeovimOptions
function Neovim.start(t, o)
  local self = setmetatable({ t = t, size = o.size or { 100, 30 } }, Neovim)
  self.home = o.home or t:folder()
  self.dir = self.home .. '/workspace'
  vim.fn.mkdir(self.dir, 'p')
  for name, content in pairs(o.files or {}) do
    Neovim.put(self:path(name), content)
  end
  local plugin = (o.plugin == false or o.package) and ''
    or ('vim.opt.runtimepath:prepend(%q)'):format(repository .. '/editors/nvim')
  if o.package then
    local folder = self.home .. '/data/nvim/site/pack/plugins/' .. o.package
    if o.link then
      vim.fn.mkdir(vim.fs.dirname(folder), 'p')
      uv.fs_symlink(repository .. '/editors/nvim', folder)
    else
      Neovim.install(folder)
    end
  end
  Neovim.put(self.home .. '/config/nvim/init.lua', init:format(here, plugin, o.setup or quick))
  t.neovims[#t.neovims + 1] = self
  local cmd = { vim.env.NVIM_UNDER_TEST }
  vim.list_extend(cmd, type(o.open) == 'string' and { o.open } or o.open or {})
  self:launch(o.terminal, cmd, o.env)
  return self
end

---Copies the plugin without its tests, as a plugin manager would.
function Neovim.install(folder)
  vim.fn.mkdir(folder, 'p')
  for _, name in ipairs({ 'plugin', 'lua', 'lsp', 'doc', 'ftplugin', 'syntax' }) do
    local from = repository .. '/editors/nvim/' .. name
    if uv.fs_stat(from) then
      vim.fn.system({ 'cp', '-r', from, folder })
    end
  end
end

function Neovim:environment(more)
  local home = self.home
  return vim.tbl_extend('force', {
    PATH = repository .. '/bin:' .. vim.env.PATH,
    HOME = home,
    GALLEY_HOME = home .. '/galley',
    GALLEY_LOG_FILE = home .. '/galley.log',
    XDG_CONFIG_HOME = home .. '/config',
    XDG_CONFIG_DIRS = home .. '/none',
    XDG_DATA_HOME = home .. '/data',
    XDG_DATA_DIRS = home .. '/none',
    XDG_STATE_HOME = home .. '/state',
    XDG_CACHE_HOME = home .. '/cache',
    XDG_RUNTIME_DIR = home,
    TMPDIR = home,
    TERM = 'xterm-256color',
    COLORTERM = 'truecolor',
    LANG = 'C.UTF-8',
    LC_ALL = 'C.UTF-8',
    TZ = 'UTC',
  }, more or {})
end

function Neovim:launch(terminal, cmd, env)
  local options = { cwd = self.dir, env = self:environment(env), clear_env = true }
  if not terminal then
    table.insert(cmd, 2, '--embed')
    table.insert(cmd, 3, '--headless')
    options.rpc = true
    self.job = vim.fn.jobstart(cmd, options)
    self.pid = vim.fn.jobpid(self.job)
    self.channel = self.job
    self:started()
    self:lua('vim.o.columns, vim.o.lines = ...', unpack(self.size))
    return
  end
  local socket = self.home .. '/socket'
  table.insert(cmd, 2, '--listen')
  table.insert(cmd, 3, socket)
  self:host(cmd, options)
  self.t:await('a Neovim in the terminal', function()
    local connected, channel = pcall(vim.fn.sockconnect, 'pipe', socket, { rpc = true })
    self.channel = connected and channel or self.channel
    return self.channel and not self:waits() and #self:call('nvim_list_uis') > 0
  end)
  self:started()
  self.pid = self:lua('return vim.fn.getpid()') -- what runs in the terminal is its screen only
end

---Runs a program in a terminal of the tests' own Neovim.
function Neovim:host(cmd, options)
  vim.o.columns, vim.o.lines = self.size[1], self.size[2] + 1 -- the last line is this Neovim's own
  vim.cmd('enew')
  if vim.fn.has('nvim-0.11') == 1 then
    options.term = true
    self.job = vim.fn.jobstart(cmd, options)
  else
    self.job = vim.fn.termopen(cmd, options)
  end
  self.pid = vim.fn.jobpid(self.job)
  self.window = vim.api.nvim_get_current_win()
end

function Neovim:started()
  self:await('the end of its start', 'return vim.v.vim_did_enter == 1')
end

function Neovim:path(name)
  return self.dir .. '/' .. name
end

function Neovim:uri(name)
  return vim.uri_from_fname(self:path(name))
end

---Another program in a terminal, of which only keys and screen are known. It may be beside a Neovim, in its workspace.
---@param o { size: integer[], beside?: Neovim, env?: table<string, string> }
function Neovim.program(t, cmd, o)
  local self = setmetatable({ t = t, size = o.size }, Neovim)
  self.home = o.beside and o.beside.home or t:folder()
  t.neovims[#t.neovims + 1] = self
  local folder = o.beside and o.beside.dir or self.home
  self:host(cmd, { cwd = folder, env = self:environment(o.env), clear_env = true })
  return self
end

---Runs galley in its workspace, as in a terminal beside.
function Neovim:galley(args, env, on_stdout)
  local job = vim.fn.jobstart({ repository .. '/bin/galley', unpack(args) }, {
    cwd = self.dir,
    env = self:environment(env),
    clear_env = true,
    on_stdout = on_stdout,
  })
  self.t.jobs[#self.t.jobs + 1] = job
  return job
end

-- Talking to it ------------------------------------------------------------------------------------------------------

function Neovim:call(method, ...)
  return vim.rpcrequest(self.channel, method, ...)
end

---Whether it waits for a key, and answers nothing until it gets one.
function Neovim:waits()
  return self:call('nvim_get_mode').blocking
end

local answers, asked = {}, 0

---Neovim answers with this, in the Neovim of the tests.
function _G.galley_answer(id, ok, result)
  answers[id] = { ok = ok, result = result }
end

-- What runs there: the code, and its answer.
local question = [[
  local channel, id, code, arguments = ...
  local ok, result = pcall(function() return assert(loadstring(code))(unpack(arguments)) end)
  if not ok then result = tostring(result) end
  vim.rpcnotify(channel, 'nvim_exec_lua', 'galley_answer(...)', { id, ok, result })
]]

---Runs Lua there. It is no request: one to a Neovim that waits for a key would hold up the tests for good.
function Neovim:lua(code, ...)
  asked = asked + 1
  local id = asked
  self.peer = self.peer or self:call('nvim_get_api_info')[1]
  vim.rpcnotify(self.channel, 'nvim_exec_lua', question, { self.peer, id, code, { ... } })
  local function answered()
    return answers[id]
  end
  while not vim.wait(1000, answered, 1) do
    local mode = self:call('nvim_get_mode')
    if mode.blocking then
      self.t:fail('Neovim waits for a key, in mode %s', mode.mode)
    end
  end
  local answer = answers[id]
  answers[id] = nil
  if not answer.ok then
    self.t:fail('%s', answer.result)
  end
  if answer.result ~= vim.NIL then
    return answer.result
  end
end

---A command line.
function Neovim:cmd(command)
  return self:lua('vim.cmd(...)', command)
end

---Waits for something to become true there.
function Neovim:await(name, code, ...)
  local rest, got = { ... }, nil
  self.t:await(name, function()
    if self:waits() then
      return false
    end
    got = self:lua(code, unpack(rest))
    return got
  end, function()
    return got
  end)
  return got
end

-- The end ------------------------------------------------------------------------------------------------------------

function Neovim:alive()
  return vim.fn.jobwait({ self.job }, 0)[1] == -1
end

function Neovim:kill()
  if self:alive() then
    pcall(uv.kill, vim.fn.jobpid(self.job), 'sigkill')
  end
end

function Neovim:quit()
  if not self:alive() then
    return
  end
  if self.channel then
    pcall(vim.rpcnotify, self.channel, 'nvim_command', 'qall!')
  else
    vim.fn.chansend(self.job, '\27:qall!\r')
  end
  if vim.fn.jobwait({ self.job }, 3000)[1] < 0 then
    self:kill()
    self.t:fail('Neovim did not end by :qall!')
  end
end

return Neovim
