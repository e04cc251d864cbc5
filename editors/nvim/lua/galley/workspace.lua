-- Which buffers are galley's business, and which workspace they belong to.
local config = require('galley.config')

local api = vim.api

local M = {}

--- The workspace of a buffer: nil where the file is in none.
---@param bufnr integer
---@return string?
function M.root(bufnr)
  local own = config.get().root
  if own then
    return own(bufnr)
  end
  local cwd = vim.fs.normalize(vim.uv.cwd() or '.')
  local name = api.nvim_buf_get_name(bufnr)
  if name == '' or vim.bo[bufnr].buftype ~= '' then
    return vim.fs.root(cwd, '.galley') or vim.fs.root(cwd, '.git') or cwd
  end
  name = vim.fs.normalize(name)
  local root = vim.fs.root(name, '.galley') or vim.fs.root(name, '.git')
  if root then
    return root
  end
  return vim.startswith(name, cwd == '/' and cwd or cwd .. '/') and cwd or nil
end

--- Whether a buffer is one that the server should follow.
---@param bufnr integer
---@return boolean
function M.wants(bufnr)
  if not api.nvim_buf_is_loaded(bufnr) or vim.bo[bufnr].buftype ~= '' then
    return false
  end
  local conf = config.get()
  local name = api.nvim_buf_get_name(bufnr)
  if name == '' or name:find('^%a[%w+.-]+:/') or name:find('/%.git/') then
    return false
  end
  if vim.list_contains(conf.exclude, vim.bo[bufnr].filetype) then
    return false
  end
  local size = api.nvim_buf_get_offset(bufnr, api.nvim_buf_line_count(bufnr))
  if size > conf.max_file_size then
    return false
  end
  return not conf.attach or conf.attach(bufnr) ~= false
end

return M
