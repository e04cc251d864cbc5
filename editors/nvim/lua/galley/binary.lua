-- Where the server's program is.
local config = require('galley.config')

local M = {}

---@return string? folder of the checkout that holds the plugin, if it is one
local function checkout()
  local here = debug.getinfo(1, 'S').source:sub(2)
  return vim.fs.root(vim.uv.fs_realpath(here) or here, 'go.mod')
end

--- The places that are looked at, in this order.
---@return string[]
function M.candidates()
  local exe = vim.fn.has('win32') == 1 and 'galley.exe' or 'galley'
  local out = {}
  local found = vim.fn.exepath('galley')
  if found ~= '' then
    out[#out + 1] = found
  end
  local function look(folder, ...)
    if folder and folder ~= '' then
      out[#out + 1] = vim.fs.joinpath(folder, ...)
    end
  end
  look(vim.env.GOBIN, exe)
  look(vim.env.GOPATH, 'bin', exe)
  look(vim.env.HOME, 'go', 'bin', exe)
  look(checkout(), 'bin', exe)
  return out
end

--- The command that runs the program, without "serve", which the option cmd may end in, and what stands behind it.
---@return string[]? cmd
---@return string? problem a sentence
---@return string[]? words behind "serve"
function M.find()
  local cmd = config.get().cmd
  if cmd then
    local list = type(cmd) == 'table' and cmd or { cmd } --[=[@as string[]]=]
    if vim.fn.executable(list[1] or '') == 0 then
      local why =
        '%s, which the option cmd names, cannot be run; its arguments stand in a list: { "galley" }'
      return nil, why:format(list[1] or 'an empty list')
    end
    for i = 2, #list do
      if list[i] == 'serve' then
        return vim.list_slice(list, 1, i - 1), nil, vim.list_slice(list, i + 1)
      end
    end
    return vim.list_slice(list)
  end
  local path = vim.iter(M.candidates()):find(function(path)
    return vim.fn.executable(path) == 1
  end)
  if path then
    return { path }
  end
  return nil, 'the program galley is not there; :checkhealth galley says how to get it'
end

return M
