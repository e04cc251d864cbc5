-- What the server sends by itself.
local editor = require('galley.editor')
local ext = require('galley.ext')
local notify = require('galley.notify')
local state = require('galley.state')

---@type table<string, lsp.Handler>
local M = {}

M[ext.methods.changes] = function(_, message, ctx)
  local id = ctx.client_id ---@type integer
  if state.put(id, 'changes', message) then
    for _, room in ipairs({ 'preview', 'gone', 'lists', 'commit', 'run' }) do
      require('galley.' .. room).changed(id)
    end
    state.tell(id, 'changes')
  end
end

for _, kind in ipairs({ 'tasks', 'context' }) do
  M[ext.methods[kind]] = function(_, message, ctx)
    if state.put(ctx.client_id, kind, message) then
      state.tell(ctx.client_id, kind)
    end
  end
end

M[ext.methods.memory] = function(_, message, ctx)
  state.put_memory(ctx.client_id, message)
  state.tell(ctx.client_id, 'memory')
end

M[ext.methods.run] = function(_, message, ctx)
  local run = state.put_run(ctx.client_id, message)
  require('galley.run').told(ctx.client_id, run)
  state.tell(ctx.client_id, 'run')
end

--- Saves the documents of a commit that were as their files are before it.
M[ext.methods.save] = function(_, params, ctx)
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
  for _, uri in ipairs(params.uris or {}) do
    local bufnr = state.bufnr(client, uri)
    if bufnr and vim.bo[bufnr].modified then
      local ok, err = pcall(vim.api.nvim_buf_call, bufnr, function()
        vim.cmd('silent lockmarks update')
      end)
      if not ok then
        notify.warn(('%s is not saved: %s'):format(editor.name(uri), tostring(err)))
      end
    end
  end
  return vim.NIL
end

M['workspace/textDocumentContent/refresh'] = function(_, params)
  require('galley.documents').refresh(params.uri)
  return vim.NIL
end

M['workspace/applyEdit'] = function(_, params, ctx)
  return require('galley.edits').apply(assert(vim.lsp.get_client_by_id(ctx.client_id)), params)
end

M['window/showDocument'] = function(err, params, ctx)
  if params.external then
    return vim.lsp.handlers['window/showDocument'](err, params, ctx)
  end
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
  return { success = require('galley.jump').to(client, params.uri, params.selection) }
end

local levels = { notify.error, notify.warn, notify.info, notify.info, notify.info }

M['window/showMessage'] = function(_, params)
  (levels[params.type] or notify.info)(params.message)
  return vim.NIL
end

--- A proposed commit is told of and not asked about: a question would take what the user is typing.
M['window/showMessageRequest'] = function(err, params, ctx)
  for _, action in ipairs(params.actions or {}) do
    if action.title == 'Review' then
      notify.info(params.message .. require('galley.keys').hint({ 'preview', 'commit' }, ' · '))
      return vim.NIL
    end
  end
  return vim.lsp.handlers['window/showMessageRequest'](err, params, ctx)
end

return M
