-- Keys: none are mapped unless the option keys says so.
local config = require('galley.config')

local api = vim.api

local M = {}

--- What keys = true maps, by name.
---@type table<string, string>
M.defaults = {}
for _, plug in ipairs(require('galley.plugs')) do
  M.defaults[plug.name] = plug.key
end

--- Short words for hints.
---@type table<string, string>
local words = {
  resolve_mine = 'keep mine',
  resolve_agent = "take the agent's",
  resolve_ask = 'ask again',
  expand = 'show all',
  preview = 'look',
}

---@type {mode: string, lhs: string}[]
local mapped = {}

--- Keys of the option that were taken already.
---@type {lhs: string, mode: string, name: string, by: string}[]
M.taken = {}

---@param mode string
---@param lhs string
---@return string? what is mapped there, by someone else
local function taken(mode, lhs)
  local map = vim.fn.maparg(lhs, mode, false, true)
  if next(map) == nil or (map.rhs or ''):find('<Plug>(galley-', 1, true) then
    return
  end
  return map.desc or map.rhs or 'a function'
end

--- The keys that names were found at.
---@type table<string, string|false>
local known = {}
local known_at = 0

--- Maps what the option asks for. What you have mapped yourself stays.
function M.setup()
  for _, map in ipairs(mapped) do
    pcall(vim.keymap.del, map.mode, map.lhs)
  end
  mapped, M.taken = {}, {}
  local keys = config.get().keys
  local wanted = keys and vim.tbl_extend('force', M.defaults, type(keys) == 'table' and keys or {})
    or {}
  for _, plug in ipairs(require('galley.plugs')) do
    local lhs = wanted[plug.name]
    for _, mode in ipairs(lhs and plug.modes or {}) do
      local by = taken(mode, lhs)
      if by then
        table.insert(M.taken, { lhs = lhs, mode = mode, name = plug.name, by = by })
      else
        vim.keymap.set(mode, lhs, plug.lhs, { desc = plug.desc, remap = true })
        table.insert(mapped, { mode = mode, lhs = lhs })
      end
    end
  end
  known = {}
end

---@param name string
---@return string?
local function search(name)
  local plug = ('<Plug>(galley-' .. name:gsub('_', '-') .. ')'):lower()
  local maps = vim.list_extend(api.nvim_buf_get_keymap(0, 'n'), api.nvim_get_keymap('n'))
  for _, map in ipairs(maps) do
    if (map.rhs or ''):lower() == plug then
      return vim.fn.keytrans(map.lhsraw)
    end
  end
end

--- The key that does something, if one does.
---@param name string
---@return string?
function M.key(name)
  local now = vim.uv.now()
  if now - known_at > 3000 then
    known, known_at = {}, now
  end
  if known[name] == nil then
    known[name] = search(name) or false
  end
  return known[name] or nil
end

--- "gla apply · glr reject", as far as keys are mapped; with something before it, or empty.
---@param names string[]
---@param before string
---@return string
function M.hint(names, before)
  local out = {}
  for _, name in ipairs(names) do
    local key = M.key(name)
    if key then
      out[#out + 1] = key .. ' ' .. (words[name] or name)
    end
  end
  return #out > 0 and before .. table.concat(out, ' · ') or ''
end

return M
