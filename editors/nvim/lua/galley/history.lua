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
    local found, text = pcall(vim.fn.readblob, path())
    local ok, list = pcall(vim.json.decode, found and text or '')
    prompts = vim.tbl_filter(function(prompt)
      return type(prompt) == 'string'
    end, ok and type(list) == 'table' and list or {})
  end
  return prompts
end

---@param prompt string
function M.add(prompt)
  local others = vim.tbl_filter(function(other)
    return other ~= prompt
  end, M.all())
  local all = vim.list_extend(others, { prompt })
  all = vim.list_slice(all, math.max(1, #all - config.get().ask.history + 1))
  prompts = all
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
