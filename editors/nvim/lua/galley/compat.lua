-- What differs between Neovim 0.10 and the newer ones.
local M = {}

M.nvim_011 = vim.fn.has('nvim-0.11') == 1

--- A method of a client: a function of the client's before 0.11.
---@param name string
---@return fun(client: vim.lsp.Client, ...: any): any, any
local function method(name)
  return function(client, ...)
    if M.nvim_011 then
      return client[name](client, ...)
    end
    return client[name](...)
  end
end

M.request, M.stop, M.is_stopped = method('request'), method('stop'), method('is_stopped')

--- The byte that a character of a position stands for; behind the end of the line it is the end.
---@param line string
---@param character integer
---@param encoding string
---@return integer
function M.byte(line, character, encoding)
  if encoding == 'utf-8' or not line:find('[\128-\255]') then
    return math.min(character, #line)
  end
  if M.nvim_011 then
    return vim.str_byteindex(line, encoding, character, false)
  end
  local ok, byte = pcall(vim.str_byteindex, line, character, encoding == 'utf-16')
  return ok and math.min(byte, #line) or #line
end

--- The character of a position that a byte stands for.
---@param line string
---@param byte integer
---@param encoding string
---@return integer
function M.character(line, byte, encoding)
  byte = math.min(byte, #line)
  if encoding == 'utf-8' or not line:find('[\128-\255]') then
    return byte
  end
  if M.nvim_011 then
    return vim.str_utfindex(line, encoding, byte, false)
  end
  local utf32, utf16 = vim.str_utfindex(line, byte)
  return encoding == 'utf-16' and utf16 or utf32
end

return M
