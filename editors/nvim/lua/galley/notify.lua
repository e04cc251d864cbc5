-- What a person must know goes through vim.notify, cut to one line: a longer message would wait for a key. :Galley
-- messages shows them whole.
local editor = require('galley.editor')

local M = {}

local most = 100 -- messages that are kept

---@type {at: string, text: string}[]
local kept = {}

---@param message string
---@return string
local function cut(message)
  message = vim.trim((message:gsub('%s+', ' ')))
  local room = vim.v.echospace > 0 and vim.v.echospace or vim.o.columns - 12
  if vim.fn.strdisplaywidth(message) <= room then
    return message
  end
  while vim.fn.strdisplaywidth(message) > room - 2 and message ~= '' do
    message = vim.fn.strcharpart(message, 0, vim.fn.strchars(message) - 1)
  end
  return message .. ' …'
end

---@param message string
---@param level integer
local function notify(message, level)
  if not message:find('^galley') then
    message = 'galley: ' .. message
  end
  kept[#kept + 1] = { at = vim.fn.strftime('%H:%M:%S'), text = message }
  if #kept > most then
    table.remove(kept, 1)
  end
  vim.notify(cut(message), level, { title = 'galley' })
end

---@param level integer
---@return fun(message: string)
local function at(level)
  return function(message)
    notify(message, level)
  end
end

local levels = vim.log.levels
M.info, M.warn, M.error = at(levels.INFO), at(levels.WARN), at(levels.ERROR)

--- Shows what was said, the newest last.
---@param mods? vim.api.keyset.cmd_mods
function M.open(mods)
  local lines = {}
  for _, one in ipairs(kept) do
    for i, line in ipairs(vim.split(one.text, '\n', { plain = true })) do
      lines[#lines + 1] = (i == 1 and one.at or (' '):rep(#one.at)) .. '  ' .. line
    end
  end
  vim.cmd({ cmd = 'split', mods = mods })
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_win_set_buf(0, bufnr)
  lines = #lines > 0 and lines or { 'Nothing was said yet.' }
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].bufhidden, vim.bo[bufnr].modifiable = 'wipe', false
  vim.wo[0][0].wrap, vim.wo[0][0].linebreak = true, true
  editor.map(bufnr, 'n', { 'q' }, 'close', '<Cmd>close<CR>')
  vim.cmd('normal! G')
end

return M
