-- Keys: none are mapped unless the option keys says so.
local config = require('galley.config')

local api = vim.api

local M = {}

--- What keys = true maps: two to walk, and gl (free in Vim) before everything else.
---@type table<string, string>
M.defaults = {
  next = ']g',
  prev = '[g',
  apply = 'gla',
  reject = 'glr',
  reject_why = 'glR',
  unreject = 'glu',
  apply_file = 'glA',
  commit = 'glc',
  revert = 'glv',
  resolve_mine = 'glm',
  resolve_agent = 'glt',
  resolve_ask = 'glh',
  comment = 'glk',
  ask = 'glq',
  ask_operator = 'glQ',
  cancel = 'glx',
  run = 'gl<Space>',
  preview = 'glp',
  expand = 'gle',
  diff = 'gld',
  style = 'gls',
  list = 'gll',
  select = 'glj',
  overview = 'glo',
  tasks = 'gli',
  context = 'gln',
  textobject = 'ig',
}

--- Short words for hints.
---@type table<string, string>
M.words = {
  apply = 'apply',
  reject = 'reject',
  resolve_mine = 'keep mine',
  resolve_agent = "take the agent's",
  resolve_ask = 'ask again',
  expand = 'show all',
  preview = 'look',
  commit = 'commit',
}

--- The keys that the option asks for.
---@return table<string, string>
function M.wanted()
  local keys = config.get().keys
  if not keys then
    return {}
  end
  local out = vim.deepcopy(M.defaults)
  for name, lhs in pairs(type(keys) == 'table' and keys or {}) do
    out[name] = lhs or nil
  end
  return out
end

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

--- Maps what the option asks for. What you have mapped yourself stays.
function M.setup()
  for _, map in ipairs(mapped) do
    pcall(vim.keymap.del, map.mode, map.lhs)
  end
  mapped, M.taken = {}, {}
  local wanted = M.wanted()
  for _, plug in ipairs(require('galley.plugs')) do
    local lhs = wanted[plug.name]
    for _, mode in ipairs(lhs and (type(plug.mode) == 'table' and plug.mode or { plug.mode }) or {}) do
      local by = taken(mode, lhs)
      if by then
        table.insert(M.taken, { lhs = lhs, mode = mode, name = plug.name, by = by })
      else
        vim.keymap.set(mode, lhs, plug.lhs, { desc = plug.desc, remap = true })
        table.insert(mapped, { mode = mode, lhs = lhs })
      end
    end
  end
  M.forget()
end

---@type table<string, string|false>
local known = {}
local known_at = 0

function M.forget()
  known = {}
end

---@param name string
---@return string?
local function search(name)
  local plug = ('<Plug>(galley-' .. name:gsub('_', '-') .. ')'):lower()
  for _, maps in ipairs({ api.nvim_buf_get_keymap(0, 'n'), api.nvim_get_keymap('n') }) do
    for _, map in ipairs(maps) do
      if (map.rhs or ''):lower() == plug then
        return vim.fn.keytrans(map.lhsraw)
      end
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
      out[#out + 1] = key .. ' ' .. (M.words[name] or name)
    end
  end
  return #out > 0 and before .. table.concat(out, ' · ') or ''
end

return M
