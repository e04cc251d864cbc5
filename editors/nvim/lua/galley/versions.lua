-- The text of a buffer and its version, as the server is told them. Three things that Neovim does are put right here.
--
-- Neovim 0.10 sets vim.lsp.util.buf_versions to 0 whenever one more client attaches, also where another client has been
-- told higher ones already: what it would send then is refused as old. So the versions are kept here too, and put back.
--
-- A buffer without any text looks like one with an empty line. What Neovim says of it is one line's end too many, and
-- in 0.10 then one too few once there is text again: the server is told the whole text instead.
--
-- A change of a buffer that no client follows, as while a server that crashed is not back yet, has Neovim follow it no
-- more, and believe that it does (0.10 to 0.12): no later client would hear of any change. It is told the truth.
local compat = require('galley.compat')
local editor = require('galley.editor')

local api = vim.api

local M = {}

---@type table<integer, integer>
local known = {}

--- Buffers that were small when the server heard of them last, or have been since.
---@type table<integer, true>
local small = {}

local versions = vim.lsp.util.buf_versions

---@param bufnr integer
---@return integer
function M.of(bufnr)
  return versions[bufnr] or 0
end

---@param bufnr integer
---@return boolean
local function is_small(bufnr)
  return api.nvim_buf_line_count(bufnr) <= 2
end

--- Whether a buffer holds no text at all, not even an empty line.
---@param bufnr integer
---@return boolean
function M.is_bare(bufnr)
  if api.nvim_buf_line_count(bufnr) > 1 or api.nvim_buf_get_offset(bufnr, 1) > 2 then
    return false
  end
  return api.nvim_buf_call(bufnr, function()
    return vim.fn.wordcount().bytes == 0
  end)
end

--- How the lines of a buffer's file end.
---@param bufnr integer
---@return string
function M.ending(bufnr)
  return ({ unix = '\n', dos = '\r\n', mac = '\r' })[vim.bo[bufnr].fileformat]
end

--- All of a buffer's text.
---@param bufnr integer
---@return string
function M.text(bufnr)
  if M.is_bare(bufnr) then
    return ''
  end
  local ending = M.ending(bufnr)
  local lines = api.nvim_buf_get_lines(bufnr, 0, -1, false)
  return table.concat(lines, ending) .. (vim.bo[bufnr].eol and ending or '')
end

--- A local that a function of Neovim uses, if it still has one of that name.
---@param fn? function
---@param name string
---@return any
local function local_of(fn, name)
  for i = 1, fn and debug.getinfo(fn, 'u').nups or 0 do
    local is, value = debug.getupvalue(fn, i)
    if is == name then
      return value
    end
  end
end

--- The buffers that Neovim believes to follow for its clients.
---@type table<integer, true>
local followed = local_of(local_of(vim.lsp.buf_attach_client, 'buf_attach'), 'attached_buffers')
  or {}

--- Begins anew for a buffer that was just opened.
---@param bufnr integer
function M.follow(bufnr)
  local first = known[bufnr] == nil
  known[bufnr] = M.of(bufnr)
  small[bufnr] = is_small(bufnr) or nil
  if not first then
    return
  end
  api.nvim_buf_attach(bufnr, false, {
    on_lines = function(_, _, tick)
      if not known[bufnr] then
        return true
      end
      known[bufnr] = tick
      if #vim.lsp.get_clients({ bufnr = bufnr, _uninitialized = true }) == 0 then
        followed[bufnr] = nil
      end
      small[bufnr] = small[bufnr] or is_small(bufnr) or nil
    end,
    on_reload = function()
      vim.schedule(function()
        known[bufnr] = M.of(bufnr)
      end)
    end,
    on_detach = function()
      known[bufnr], small[bufnr] = nil, nil
    end,
  })
end

--- What is sent in place of Neovim's words.
---@param method string
---@param params table
---@return table
local function corrected(method, params)
  local doc = params.textDocument
  local bufnr = vim.uri_to_bufnr(doc.uri)
  if not api.nvim_buf_is_loaded(bufnr) then
    return params
  end
  local now = is_small(bufnr)
  if not now and not small[bufnr] then
    return params
  end
  local out = vim.tbl_extend('force', {}, params)
  if method == 'textDocument/didChange' then
    out.contentChanges = { { text = M.text(bufnr) } }
  elseif method == 'textDocument/didOpen' then
    out.textDocument = vim.tbl_extend('force', doc, { text = M.text(bufnr) })
  elseif params.text then
    out.text = M.text(bufnr)
  end
  small[bufnr] = now or nil
  return out
end

--- Puts right what a client sends.
---@param client vim.lsp.Client
function M.watch(client)
  local notify = client.notify
  local at = compat.nvim_011 and 2 or 1 -- of the method in the arguments: the client itself comes first
  client.notify = function(...)
    local args, n = { ... }, select('#', ...)
    if
      vim.list_contains({ 'didOpen', 'didChange', 'didSave' }, args[at]:match('^textDocument/(.*)'))
    then
      args[at + 1] = corrected(args[at], args[at + 1])
    end
    return notify(unpack(args, 1, n))
  end
end

editor.on('LspAttach', 'keep the versions rising', function(ev)
  local client = vim.lsp.get_client_by_id(ev.data.client_id)
  if client and client.name ~= 'galley' and known[ev.buf] and M.of(ev.buf) < known[ev.buf] then
    versions[ev.buf] = known[ev.buf]
  end
end)

return M
