-- :Galley, its subcommands and their completion.
local notify = require('galley.notify')

local M = {}

---@type table<string, galley.Sub>
M.subs = require('galley.subcommands')

---@return string[]
function M.names()
  local names = vim.tbl_keys(M.subs)
  table.sort(names)
  return names
end

--- The subcommand that a word means: its name, or the beginning of just one.
---@param word string
---@return galley.Sub?
function M.find(word)
  local begins = vim.tbl_filter(function(name)
    return vim.startswith(name, word)
  end, M.names())
  return M.subs[word] or #begins == 1 and M.subs[begins[1]] or nil
end

---@param cmd vim.api.keyset.create_user_command.command_args
function M.run(cmd)
  local name, rest = cmd.args:match('^%s*(%S+)%s*(.-)%s*$')
  if not name then
    local text = require('galley.status').text()
    text = text ~= '' and text or 'nothing waits'
    return notify.info(text .. '; :Galley <Tab> lists what can be done')
  end
  local bang = cmd.bang
  if name:sub(-1) == '!' then
    name, bang = name:sub(1, -2), true
  end
  local sub = M.find(name)
  if not sub then
    local all = table.concat(M.names(), ', ')
    return notify.warn(('there is no :Galley %s; there are %s'):format(name, all))
  end
  local range = sub.range and cmd.range > 0 and { first = cmd.line1, last = cmd.line2 } or nil
  sub.run({
    words = vim.split(rest, '%s+', { trimempty = true }),
    text = rest,
    bang = bang,
    range = range,
    count = vim.v.count > 0 and vim.v.count or nil,
    mods = cmd.smods,
  })
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local words_before = line:match('^.-Galley!?%s+(.*)$') or ''
  local done = words_before:sub(1, #words_before - #lead)
  local given = vim.split(done, '%s+', { trimempty = true })
  local list = M.names()
  if #given > 0 then
    local sub = M.find((given[1]:gsub('!$', '')))
    local complete = sub and ({ sub.complete, sub.complete_more })[#given]
    list = complete and complete() or {}
  end
  return vim.tbl_filter(function(word)
    return vim.startswith(word:lower(), lead:lower())
  end, list)
end

return M
