-- What the server said last, for each server. Every message is the whole state of its subject, so this only keeps the
-- newest; who wants to know is told with the autocommand User GalleyUpdate.
local compat = require('galley.compat')

local M = {}

---@class galley.RunState: galley.RunMessage
---@field prompt? string
---@field steps {step: integer, text: string, calls: galley.RunCall[]}[]
---@field waiting? string what the run waits for
---@field told? boolean the user has seen how it ended
---@field earlier? boolean it was over when the server was started

---@class galley.Workspace
---@field client_id integer
---@field root string
---@field changes galley.Changes without a seq as long as the server has said nothing
---@field tasks? table
---@field context? galley.Context
---@field memory table<string, galley.MemoryFile> the current session's, by path
---@field runs galley.RunState[] in the order they began
---@field earlier table<string, galley.RunState[]> those before the server was started, by session
---@field uris table<string, integer> buffers by URI

---@type table<integer, galley.Workspace>
local workspaces = {}

---@param client_id integer
---@return galley.Workspace
function M.workspace(client_id)
  if not workspaces[client_id] then
    local client = vim.lsp.get_client_by_id(client_id)
    workspaces[client_id] = {
      client_id = client_id,
      root = client and client.config.root_dir or '',
      changes = { session = '', edits = {}, files = {} },
      memory = {},
      runs = {},
      earlier = {},
      uris = {},
    }
  end
  return workspaces[client_id]
end

---@return table<integer, galley.Workspace>
function M.all()
  return workspaces
end

---@param client_id integer
function M.forget(client_id)
  workspaces[client_id] = nil
end

local redrawing = false

---@param client_id integer
---@param kind string what changed
function M.tell(client_id, kind)
  vim.api.nvim_exec_autocmds('User', {
    pattern = 'GalleyUpdate',
    modeline = false,
    data = { client_id = client_id, kind = kind },
  })
  if not redrawing then -- status lines may show what has changed; a run tells of itself many times a second
    redrawing = true
    vim.defer_fn(function()
      redrawing = false
      vim.cmd('redrawstatus!')
    end, 50)
  end
end

--- Keeps a message, unless a newer one of its kind is there.
---@param client_id integer
---@param kind 'changes'|'tasks'|'context'
---@param message table
---@return boolean new
function M.put(client_id, kind, message)
  local w = M.workspace(client_id)
  if message.seq < ((w[kind] or {}).seq or 0) then
    return false
  end
  w[kind] = message
  M.changes(
    client_id,
    function(change) -- of a whole file: it has no place, and is shown at the beginning
      local top = { line = 0, character = 0 }
      change.range = change.range or { start = top, ['end'] = top }
    end
  )
  return true
end

--- A file of the memory came, changed or went. Those of another session make room.
---@param client_id integer
---@param message galley.MemoryFile
function M.put_memory(client_id, message)
  local w = M.workspace(client_id)
  local _, other = next(w.memory)
  if other and other.session ~= message.session then
    w.memory = {}
  end
  w.memory[message.path] = message.hash ~= '' and message or nil
end

---@param client_id integer
---@param message galley.RunMessage
---@param runs? galley.RunState[] instead of those that go on
---@return galley.RunState
function M.put_run(client_id, message, runs)
  local run = M.run(client_id, message.run, runs)
  if run.seq and message.seq < run.seq then
    return run
  end
  for key, value in pairs(message) do
    run[key] = value
  end
  run.tool, run.error = message.tool, message.error
  run.waiting = message.state == 'waiting' and message.text or nil
  local last = run.steps[#run.steps]
  if not last or message.step > last.step then
    last = { step = message.step, text = '', calls = {} }
    run.steps[#run.steps + 1] = last
  end
  if message.text and message.text ~= '' and not run.waiting then
    last.text = message.text
  end
  last.calls = message.calls or last.calls
  return run
end

--- A run, made where it is new.
---@param client_id integer
---@param name string
---@param runs? galley.RunState[]
---@return galley.RunState
function M.run(client_id, name, runs)
  runs = runs or M.workspace(client_id).runs
  for _, run in ipairs(runs) do
    if run.run == name then
      return run
    end
  end
  local run = { run = name, steps = {}, state = 'thinking', step = 0 } --[[@as galley.RunState]]
  runs[#runs + 1] = run
  if #runs > 20 then
    table.remove(runs, 1)
  end
  return run
end

---@param run galley.RunState
---@return boolean
function M.is_over(run)
  return vim.list_contains({ 'done', 'failed', 'cancelled' }, run.state)
end

--- The run that goes on, if one does.
---@param client_id integer
---@return galley.RunState?
function M.running(client_id)
  return vim.iter(M.workspace(client_id).runs):rfind(function(run)
    return not M.is_over(run)
  end)
end

---@param change galley.Change
---@return boolean
function M.is_pending(change)
  return vim.list_contains({ 'staged', 'conflict', 'applying' }, change.state)
end

--- The changes that fn wants, in the order of files and places.
---@param client_id integer
---@param fn fun(change: galley.Change, file: galley.File): boolean?
---@return {change: galley.Change, file: galley.File}[]
function M.changes(client_id, fn)
  local out = {}
  for _, file in ipairs(M.workspace(client_id).changes.files) do
    for _, change in ipairs(file.changes) do
      if fn(change, file) then
        out[#out + 1] = { change = change, file = file }
      end
    end
  end
  return out
end

--- All undecided changes.
---@param client_id integer
function M.pending(client_id)
  return M.changes(client_id, M.is_pending)
end

---@param client_id integer
---@param letter string
---@param path? string of its file below the workspace: letters come again, for other files
---@return galley.Change? change
---@return galley.File? file
function M.find(client_id, letter, path)
  local found = M.changes(client_id, function(change, file)
    return change.change == letter and (not path or vim.endswith(vim.uri_to_fname(file.uri), path))
  end)[1] or {}
  return found.change, found.file
end

--- The buffer that has a document open, as the server knows it.
---@param client vim.lsp.Client
---@param uri string
---@return integer?
function M.bufnr(client, uri)
  local w = M.workspace(client.id)
  local known = w.uris[uri]
  if known and client.attached_buffers[known] and vim.uri_from_bufnr(known) == uri then
    return known
  end
  local path
  for bufnr in pairs(client.attached_buffers) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      local own = vim.uri_from_bufnr(bufnr)
      if own ~= uri and own:find('[%%+()]') or uri:find('[%%+()]') then -- the same file may be written otherwise
        path = path or vim.uri_to_fname(uri)
        own = vim.uri_to_fname(own) == path and uri or own
      end
      if own == uri then
        w.uris[uri] = bufnr
        return bufnr
      end
    end
  end
end

---@param client vim.lsp.Client
---@param bufnr integer
---@return galley.File?
function M.file(client, bufnr)
  return vim.iter(M.workspace(client.id).changes.files):find(function(file)
    return M.bufnr(client, file.uri) == bufnr
  end)
end

---@param a lsp.Position
---@param b lsp.Position
---@return boolean
function M.before(a, b)
  return a.line < b.line or a.line == b.line and a.character < b.character
end

--- Where a position of the server's is in a buffer: row and byte, 0-based.
---@param bufnr integer
---@param position lsp.Position
---@param encoding string
---@return integer row
---@return integer col
function M.place(bufnr, position, encoding)
  local line = vim.api.nvim_buf_get_lines(bufnr, position.line, position.line + 1, false)[1]
  return position.line, line and compat.byte(line, position.character, encoding) or 0
end

return M
