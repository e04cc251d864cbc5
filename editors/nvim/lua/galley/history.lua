-- Prompts that were asked before, kept over sessions.
local config = require('galley.config')

local M = {}

---@type string[]?
local prompts

---@return string
local function path()
  return vim.fs.joinpath(vim.fn.stdpath('state') --[[@as string]], 'galley', 'prompts.json')
end

--- All prompts, the newest last.
---@return string[]
function M.all()
  if not prompts then
    prompts = {}
    local file = io.open(path(), 'r')
    if file then
      local ok, list = pcall(vim.json.decode, file:read('*a'))
      file:close()
      for _, prompt in ipairs(ok and type(list) == 'table' and list or {}) do
        if type(prompt) == 'string' then
          table.insert(prompts, prompt)
        end
      end
    end
  end
  return prompts
end

---@param prompt string
function M.add(prompt)
  local all = M.all()
  for i = #all, 1, -1 do
    if all[i] == prompt then
      table.remove(all, i)
    end
  end
  all[#all + 1] = prompt
  while #all > config.get().ask.history do
    table.remove(all, 1)
  end
  vim.fn.mkdir(vim.fs.dirname(path()), 'p')
  local file = io.open(path(), 'w')
  if file then
    file:write(vim.json.encode(all))
    file:close()
  end
end

--- Neovim's own input line gets them too, for its up and down keys.
function M.to_input()
  for _, prompt in ipairs(M.all()) do
    if not prompt:find('\n') then
      vim.fn.histadd('input', prompt)
    end
  end
end

return M
