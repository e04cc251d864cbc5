-- The tests' own Neovim runs this: cases, their results, and what a case has at hand. No plugins, no sleeps: wait for a
-- named condition.
local M = { cases = {} }

local Neovim = require('neovim')
local screens = require('screens')
local uv = vim.uv
local patience = 8000 -- ms for one condition
local limit = 180000 -- ms for one case: a Neovim that does not answer holds up everything

---Adds a case. Its name says what must hold.
function M.case(name, run)
  M.cases[#M.cases + 1] = { name = name, run = run }
end

---The repository.
M.root = vim.fs.normalize(vim.fn.getcwd() .. '/../../..')

---The bytes of a file.
function M.read(path)
  local file = assert(io.open(path, 'rb'))
  local content = file:read('*a')
  file:close()
  return content
end

---@class Test
---@field neovims Neovim[]
---@field jobs integer[]
local Test = {}
Test.__index = Test

---An empty folder of its own.
function Test:folder()
  self.folders = self.folders + 1
  local folder = ('%s/%d'):format(self.root, self.folders)
  vim.fn.mkdir(folder, 'p')
  return folder
end

---Starts a Neovim; see NeovimOptions. A string instead is the content of the file f.txt, which it opens.
function Test:neovim(o)
  if type(o) == 'string' then
    o = { files = { ['f.txt'] = o }, open = 'f.txt' }
  end
  return Neovim.start(self, o or {})
end

---Starts a scripted model; see `modelserver -h`. Returns what a server of galley needs to be told, and a function that
---lets a held reply go.
---@param replies table[]
function Test:model(replies)
  local script = self:folder() .. '/script.jsonl'
  local file = assert(io.open(script, 'w'))
  for _, reply in ipairs(replies) do
    file:write(vim.json.encode(reply), '\n')
  end
  file:close()
  local url
  local job = vim.fn.jobstart({ vim.env.MODELSERVER, '--until-eof', script }, {
    on_stdout = function(_, lines)
      url = url or lines[1]:match('^http.*')
    end,
  })
  self.jobs[#self.jobs + 1] = job
  self:await('the scripted model', function()
    return url
  end)
  return { GALLEY_MODEL_BASE_URL = url, GALLEY_MODEL_MODEL = 'scripted' }, function()
    vim.fn.chansend(job, '\n')
  end
end

---Runs another program in a terminal.
function Test:program(cmd, o)
  return Neovim.program(self, cmd, o)
end

function Test.fail(_, why, ...)
  error({ case_failed = why:format(...) }, 0)
end

---Waits until a condition holds. `got` tells what there was instead.
function Test:await(name, condition, got)
  local begun = uv.hrtime()
  repeat
    if condition() then
      return
    end
    vim.wait(4)
  until uv.hrtime() - begun > patience * 1e6
  local last = got and got()
  self:fail(
    '%s',
    'waited in vain for ' .. name .. (last ~= nil and ('\nlast: ' .. vim.inspect(last)) or '')
  )
end

function Test:eq(got, want, what)
  if not vim.deep_equal(got, want) then
    self:fail(
      '%s',
      ('%s is\n%s\nwant\n%s'):format(what or 'this', vim.inspect(got), vim.inspect(want))
    )
  end
end

function Test:ok(holds, what)
  if not holds then
    self:fail('%s', what)
  end
end

---Compares a screen with its file; UPDATE=1 writes the file.
function Test:screen(neovim, name)
  screens.check(self, neovim, name)
end

---A number for people who read the tests' output.
function Test:say(text, ...)
  self.said[#self.said + 1] = text:format(...)
end

-- One case, its end and its report -----------------------------------------------------------------------------------

-- What went wrong, and where in the case.
local function explain(err)
  local why = type(err) == 'table' and err.case_failed or tostring(err)
  for level = 2, 20 do
    local frame = debug.getinfo(level, 'Sl')
    if not frame then
      break
    elseif frame.source:find('_spec.lua', 1, true) then
      why = ('%s\nat %s:%d'):format(why, vim.fs.basename(frame.source), frame.currentline)
    end
  end
  return why
end

local function attempt(test, run)
  local watch = assert(uv.new_timer())
  watch:start(limit, 0, function() -- a Neovim that does not answer holds up everything
    for _, neovim in ipairs(test.neovims) do
      pcall(uv.kill, neovim.pid, 'sigkill')
    end
  end)
  local passed, why = xpcall(run, explain, test)
  if not passed then
    for i, neovim in ipairs(test.neovims) do
      local described, text = pcall(neovim.describe, neovim)
      why = ('%s\n-- Neovim %d, %s\n%s'):format(why, i, neovim.home, text)
      if not described then
        neovim:kill()
      end
    end
  end
  for _, neovim in ipairs(test.neovims) do
    local quit, err = pcall(neovim.quit, neovim)
    if passed and not quit then
      passed, why = false, explain(err)
    end
  end
  for _, job in ipairs(test.jobs) do
    vim.fn.jobstop(job)
  end
  watch:close()
  return passed, why
end

local function indented(text)
  return '    ' .. text:gsub('\n', '\n    ')
end

---Runs the cases whose names hold the pattern and returns how many passed and failed.
function M.run(pattern, root, version)
  local count = { passed = 0, failed = 0 }
  for i, case in ipairs(M.cases) do
    if case.name:find(pattern) then
      local test = setmetatable({
        name = case.name,
        root = ('%s/%d'):format(root, i),
        folders = 0,
        neovims = {},
        jobs = {},
        said = {},
        version = version,
      }, Test)
      local begun = uv.hrtime()
      local passed, why = attempt(test, case.run)
      local seconds = (uv.hrtime() - begun) / 1e9
      count[passed and 'passed' or 'failed'] = count[passed and 'passed' or 'failed'] + 1
      M.print('%s %s %s (%.1f s)', passed and 'ok  ' or 'FAIL', version, case.name, seconds)
      for _, said in ipairs(test.said) do
        M.print('    %s', said)
      end
      if passed then
        vim.fn.delete(test.root, 'rf')
      else
        M.print('%s', indented(why))
      end
    end
  end
  return count
end

function M.print(format, ...)
  io.stdout:write(format:format(...), '\n')
  io.stdout:flush()
end

return M
