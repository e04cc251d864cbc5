-- Another name for a file that is open. Neovim's own vim.lsp.util.rename() writes what was typed, and may write over
-- another file: here the file is moved as it is, and its buffer goes along, with its undo, marks and unsaved text.
local editor = require('galley.editor')
local state = require('galley.state')

local api = vim.api

local M = {}

---@param client vim.lsp.Client
---@param edit lsp.RenameFile
---@return galley.Work?
---@return string? problem
function M.prepare(client, edit)
  local from, to = vim.uri_to_fname(edit.oldUri), vim.uri_to_fname(edit.newUri)
  local bufnr = state.bufnr(client, edit.oldUri)
  local name = editor.name(to)
  if not bufnr then
    return nil, ('%s is not open here'):format(editor.name(from))
  elseif vim.uv.fs_lstat(to) then
    return nil, ('there is a file %s already'):format(name)
  end
  local other = vim.fn.bufnr(('^%s$'):format(vim.fn.escape(to, '\\*?[]{},')))
  if other > 0 and api.nvim_buf_is_loaded(other) then
    return nil, ('there is a buffer %s already; close it and try again'):format(name)
  end
  return { bufnr = bufnr, from = from, to = to }
end

--- Makes the folders that a file needs.
---@param path string
---@return string[] made from the innermost out
local function folders(path)
  local made, dir = {}, vim.fs.dirname(path)
  while not vim.uv.fs_stat(dir) do
    made[#made + 1] = dir
    dir = vim.fs.dirname(dir)
  end
  for i = #made, 1, -1 do
    vim.uv.fs_mkdir(made[i], 511) -- as umask allows
  end
  return made
end

--- Moves the files, all or none.
---@param all galley.Work[]
---@return boolean moved
---@return string? problem
function M.move(all)
  local back = {} ---@type fun()[]
  local renames = vim.tbl_filter(function(work)
    return work.to
  end, all)
  for _, one in ipairs(renames) do
    local made = folders(one.to)
    local ok, err = vim.uv.fs_rename(one.from, one.to)
    table.insert(back, 1, function()
      if ok then
        vim.uv.fs_rename(one.to, one.from)
      end
      for _, dir in ipairs(made) do
        vim.uv.fs_rmdir(dir)
      end
    end)
    if not ok then
      for _, take_back in ipairs(back) do
        take_back()
      end
      return false, err
    end
  end
  return true
end

--- Names a buffer. Neovim would take the file for another's and refuse `:w`, until it is written or, as here, believes
--- that it was.
---@param bufnr integer
---@param to string
local function name(bufnr, to)
  local from = api.nvim_buf_get_name(bufnr)
  api.nvim_buf_call(bufnr, function()
    vim.cmd('silent keepalt file ' .. vim.fn.fnameescape(editor.name(to)))
    editor.on('BufWriteCmd', 'nothing is written', function() end, { buffer = bufnr, once = true })
    pcall(vim.cmd, 'silent keepalt lockmarks write!')
  end)
  for _, old in ipairs(api.nvim_list_bufs()) do -- Neovim keeps the name as another buffer
    if old ~= bufnr and api.nvim_buf_get_name(old) == from and not api.nvim_buf_is_loaded(old) then
      api.nvim_buf_delete(old, { force = true })
    end
  end
  local filetype = vim.filetype.match({ buf = bufnr, filename = to })
  if filetype and filetype ~= vim.bo[bufnr].filetype then
    vim.bo[bufnr].filetype = filetype
  end
end

--- A buffer goes along with its file; servers hear that one document was closed and another opened.
---@param one galley.Work
function M.follow(one)
  local clients = vim.lsp.get_clients({ bufnr = one.bufnr })
  for _, client in ipairs(clients) do
    vim.lsp.buf_detach_client(one.bufnr, client.id)
  end
  local ok, err = pcall(name, one.bufnr, one.to)
  for _, client in ipairs(clients) do
    vim.lsp.buf_attach_client(one.bufnr, client.id)
  end
  if not ok then
    error(err, 0)
  end
end

return M
