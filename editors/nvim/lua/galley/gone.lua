-- Files that were deleted under their buffers: the buffer keeps its text and says so.
local editor = require('galley.editor')
local notify = require('galley.notify')
local state = require('galley.state')

local api = vim.api

local M = {}

local ns = api.nvim_create_namespace('galley.gone')

--- Buffers whose file the agent wants to delete, or has; true: it is gone.
---@type table<integer, boolean>
local gone = {}

---@param bufnr integer
local function tell(bufnr)
  local name = editor.name(api.nvim_buf_get_name(bufnr))
  local text = vim.bo[bufnr].modified and 'your unsaved text is still here'
    or 'its text is still here'
  api.nvim_buf_set_extmark(bufnr, ns, 0, 0, {
    virt_text = { { ' the file is deleted; :write brings it back', 'GalleyConflictNote' } },
    virt_text_pos = 'eol',
    undo_restore = false,
  })
  notify.warn(('%s is deleted; %s, and :write brings it back'):format(name, text))
end

---@param client vim.lsp.Client
---@param bufnr integer
local function look(client, bufnr)
  local file = state.file(client, bufnr)
  for _, change in ipairs(file and file.changes or {}) do
    if change.kind == 'delete_file' then
      gone[bufnr] = gone[bufnr] or false
    end
  end
  if gone[bufnr] == nil then
    return
  end
  local now = not vim.uv.fs_stat(api.nvim_buf_get_name(bufnr))
  if now and not gone[bufnr] then
    tell(bufnr)
  elseif not now then
    api.nvim_buf_clear_namespace(bufnr, ns, 0, -1)
  end
  gone[bufnr] = now
  if not now and not file then
    gone[bufnr] = nil
  end
end

--- The server said something new.
---@param client_id integer
function M.changed(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  for bufnr in pairs(client and client.attached_buffers or {}) do
    if api.nvim_buf_is_loaded(bufnr) then
      look(client --[[@as vim.lsp.Client]], bufnr)
    end
  end
end

editor.on({ 'BufWritePost', 'BufUnload' }, 'a file that was deleted is there again', function(ev)
  if gone[ev.buf] then
    gone[ev.buf] = nil
    api.nvim_buf_clear_namespace(ev.buf, ns, 0, -1)
  end
end)

return M
