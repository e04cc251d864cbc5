-- The <Plug> maps, and the keys of `keys = true`: two to walk, and gl (free in Vim) before everything else. Each calls
-- one function when it is pressed; nothing is loaded before.
---@class galley.Plug
---@field name string of the key in the option keys
---@field lhs string
---@field key? string of the option
---@field modes string[]
---@field rhs string|fun(): string?
---@field expr? boolean
---@field desc string

---@type galley.Plug[]
local plugs = {}

---@param name string
---@param key? string
---@param modes string[]
---@param desc string
---@param rhs string|fun(): string?
---@param expr? boolean
local function add(name, key, modes, desc, rhs, expr)
  local lhs = '<Plug>(galley-' .. name:gsub('_', '-') .. ')'
  desc = 'galley: ' .. desc
  local plug =
    { name = name, lhs = lhs, key = key, modes = modes, rhs = rhs, expr = expr, desc = desc }
  plugs[#plugs + 1] = plug
end

--- A map that can be repeated with a dot.
---@param name string
---@param key string
---@param desc string
local function repeated(name, key, desc)
  add(name, key, { 'n' }, desc, function()
    return require('galley.operators').start(name, 'l')
  end, true)
  add(name, key, { 'x' }, desc .. ' in the selection', ':Galley ' .. name .. '<CR>')
end

local function ask_about()
  return require('galley.operators').start('ask', '')
end

repeated('apply', 'gla', 'apply the change')
repeated('reject', 'glr', 'reject the change')
add('ask', 'glq', { 'x' }, 'ask about the selection', ask_about, true)
add('ask_operator', 'glQ', { 'n' }, 'ask about a motion', ask_about, true)
add('textobject', 'ig', { 'o', 'x' }, 'the lines of a change', function()
  require('galley.operators').select()
end)

--- Those that run :Galley: name, key, what it does, and the words where they are others.
---@type [string, string?, string, string?][]
local commands = {
  { 'next', ']g', 'to the next change' },
  { 'prev', '[g', 'to the change before' },
  { 'reject_why', 'glR', 'reject the change and say why', 'reject!' },
  { 'unreject', 'glu', 'bring a rejected change back' },
  { 'apply_file', 'glA', 'apply all changes of the file', 'apply all' },
  { 'reject_file', nil, 'reject all changes of the file', 'reject all' },
  { 'commit', 'glc', 'commit the edit' },
  { 'revert', 'glv', 'revert the edit' },
  { 'resolve_mine', 'glm', 'end a conflict: keep my text', 'resolve mine' },
  { 'resolve_agent', 'glt', "end a conflict: take the agent's text", 'resolve agent' },
  { 'resolve_ask', 'glh', 'end a conflict: ask the agent again', 'resolve ask' },
  { 'comment', 'glk', 'tell the agent something about the change' },
  { 'ask', 'glq', 'ask' },
  { 'cancel', 'glx', 'stop the run' },
  { 'run', 'gl<Space>', 'what the agent says' },
  { 'preview', 'glp', 'the change as a diff' },
  { 'expand', 'gle', 'show all lines of the change' },
  { 'diff', 'gld', 'the file beside what is proposed' },
  { 'style', 'gls', 'show changes in another style' },
  { 'list', 'gll', 'all changes as a quickfix list' },
  { 'select', 'glj', 'choose a change' },
  { 'overview', 'glo', "the agent's working memory" },
  { 'tasks', 'gli', 'the task tree' },
  { 'context', 'gln', 'what the next request holds' },
  { 'prompt', nil, 'the next request itself' },
  { 'history', nil, 'the journal' },
  { 'sessions', nil, 'choose a session' },
}
for _, c in ipairs(commands) do
  add(c[1], c[2], { 'n' }, c[3], '<Cmd>Galley ' .. (c[4] or c[1]) .. '<CR>')
end

return plugs
