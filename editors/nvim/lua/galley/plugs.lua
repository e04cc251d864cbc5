-- The <Plug> maps. Each calls one function when it is pressed; nothing is loaded before.
---@class galley.Plug
---@field name string of the key in the option keys
---@field lhs string
---@field mode string|string[]
---@field rhs string|fun(): string?
---@field expr? boolean
---@field desc string

---@type galley.Plug[]
local plugs = {}

---@param name string
---@return string
local function lhs(name)
  return '<Plug>(galley-' .. name:gsub('_', '-') .. ')'
end

---@param name string
---@param mode string|string[]
---@param desc string
---@param rhs string|fun(): string?
---@param expr? boolean
local function add(name, mode, desc, rhs, expr)
  plugs[#plugs + 1] =
    { name = name, lhs = lhs(name), mode = mode, rhs = rhs, expr = expr, desc = 'galley: ' .. desc }
end

--- A map that runs :Galley with words.
---@param name string
---@param desc string
---@param words? string
local function command(name, desc, words)
  add(name, 'n', desc, '<Cmd>Galley ' .. (words or name) .. '<CR>')
end

--- A map that can be repeated with a dot.
---@param name string
---@param desc string
local function repeated(name, desc)
  add(name, 'n', desc, function()
    return require('galley.operators').once(name)
  end, true)
  add(name, 'x', desc .. ' in the selection', ':Galley ' .. name .. '<CR>')
end

local function ask_about()
  return require('galley.operators').start('ask')
end

command('next', 'to the next change')
command('prev', 'to the change before')
repeated('apply', 'apply the change')
repeated('reject', 'reject the change')
command('reject_why', 'reject the change and say why', 'reject!')
command('unreject', 'bring a rejected change back')
command('apply_file', 'apply all changes of the file', 'apply all')
command('reject_file', 'reject all changes of the file', 'reject all')
command('commit', 'commit the edit')
command('revert', 'revert the edit')
command('resolve_mine', 'end a conflict: keep my text', 'resolve mine')
command('resolve_agent', "end a conflict: take the agent's text", 'resolve agent')
command('resolve_ask', 'end a conflict: ask the agent again', 'resolve ask')
command('comment', 'tell the agent something about the change')
command('ask', 'ask')
add('ask', 'x', 'ask about the selection', ask_about, true)
add('ask_operator', 'n', 'ask about a motion', ask_about, true)
command('cancel', 'stop the run')
command('run', 'what the agent says')
command('preview', 'the change as a diff')
command('expand', 'show all lines of the change')
command('diff', 'the file beside what is proposed')
command('style', 'show changes in another style')
command('list', 'all changes as a quickfix list')
command('select', 'choose a change')
command('overview', "the agent's working memory")
command('tasks', 'the task tree')
command('context', 'what the next request holds')
command('prompt', 'the next request itself')
command('history', 'the journal')
command('sessions', 'choose a session')
add('textobject', { 'o', 'x' }, 'the lines of a change', function()
  require('galley.operators').select()
end)

return plugs
