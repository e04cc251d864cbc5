-- galley's own documents: galley:/sessions/current/overview.md and others. They are read from the server, and read
-- again when it says so; the cursor stays.
local client = require('galley.client')
local config = require('galley.config')
local editor = require('galley.editor')
local ext = require('galley.ext')
local notify = require('galley.notify')

local api = vim.api

local M = {}

---@param name string
---@param session? string
---@return string
function M.uri(name, session)
  return ('%s:/sessions/%s/%s'):format(ext.scheme, session or ext.current, name)
end

---@param bufnr integer
---@param name string
---@return string
local function filetype_of(bufnr, name)
  local path = name:match('/files/(.*)$')
  if path then
    return vim.filetype.match({ filename = vim.uri_decode(path), buf = bufnr }) or ''
  end
  if name:match('%.diff$') then
    return 'diff'
  end
  return (name:match('%.md$') or name:match('/sessions/[^/]+/%a+/?$')) and 'markdown' or ''
end

--- Changes as few lines as possible, so that cursors, folds and marks stay.
---@param bufnr integer
---@param new string[]
function M.set_lines(bufnr, new)
  local old = api.nvim_buf_get_lines(bufnr, 0, -1, false)
  local first = 0
  while first < #old and first < #new and old[first + 1] == new[first + 1] do
    first = first + 1
  end
  local last = 0
  while last < #old - first and last < #new - first and old[#old - last] == new[#new - last] do
    last = last + 1
  end
  if first == #old and first == #new then
    return
  end
  local views = {} ---@type table<integer, vim.fn.winsaveview.ret>
  for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
    views[win] = api.nvim_win_call(win, vim.fn.winsaveview)
  end
  vim.bo[bufnr].modifiable, vim.bo[bufnr].readonly = true, false
  local changed = vim.list_slice(new, first + 1, #new - last)
  api.nvim_buf_set_lines(bufnr, first, #old - last, false, changed)
  vim.bo[bufnr].modifiable, vim.bo[bufnr].readonly, vim.bo[bufnr].modified = false, true, false
  for win, view in pairs(views) do
    if view.lnum <= first or last == 0 and view.lnum <= #new then
      api.nvim_win_call(win, function()
        vim.fn.winrestview(view)
      end)
    end
  end
end

---@param bufnr integer
local function options(bufnr)
  local bo = vim.bo[bufnr]
  bo.buftype, bo.bufhidden, bo.swapfile, bo.undolevels = 'nofile', 'unload', false, -1
  bo.modifiable, bo.readonly = false, true
  editor.map(bufnr, 'n', { 'q' }, 'close', '<Cmd>close<CR>')
end

--- A file of the memory leads to the real one, which may be edited; a list of them to each.
---@param bufnr integer
---@param name string
local function memory_keys(bufnr, name)
  local session, path = name:match('/sessions/([^/]+)/(.+)$')
  if path == 'overview.md' or path:match('^detail/.') or path:match('^archive/.') then
    editor.map(bufnr, 'n', { 'e' }, 'edit the real file', function()
      M.edit(path, session)
    end)
  elseif path:match('^detail/?$') or path:match('^archive/?$') then
    editor.map(bufnr, 'n', { '<CR>' }, 'open the file', function()
      local file = vim.api.nvim_get_current_line():match('^%- (%a+/.-) %(')
      if file then
        M.open(M.uri(file, session))
      end
    end)
  end
end

--- Opens the real file of a page of the memory: the server shows it.
---@param path string
---@param session? string
function M.edit(path, session)
  local actions = require('galley.actions')
  local c = actions.client()
  if c then
    actions.execute(c, ext.commands.memory, { path = path, session = session })
  end
end

--- Fetches a document.
---@param bufnr integer
local function fetch(bufnr)
  local c = client.get(bufnr)
  if not c then
    return M.set_lines(bufnr, { 'The server does not run here; :Galley start starts it.' })
  end
  vim.b[bufnr].galley_client = c.id
  local name = api.nvim_buf_get_name(bufnr)
  client.request(c, 'workspace/textDocumentContent', { uri = name }, function(err, result)
    if not api.nvim_buf_is_loaded(bufnr) then
      return
    end
    local text = err and err.message or result and result.text or ''
    local lines = vim.split(text:gsub('\r\n', '\n'), '\n', { plain = true })
    if #lines > 1 and lines[#lines] == '' then
      lines[#lines] = nil
    end
    M.set_lines(bufnr, lines)
    local filetype = filetype_of(bufnr, name)
    if filetype ~= '' and vim.bo[bufnr].filetype ~= filetype then
      vim.bo[bufnr].filetype = filetype
    end
    require('galley.diff').refreshed(bufnr)
  end)
end

--- Fills a buffer whose name is that of a document.
---@param bufnr integer
function M.read(bufnr)
  options(bufnr)
  memory_keys(bufnr, api.nvim_buf_get_name(bufnr))
  fetch(bufnr)
end

--- The server says that a document is another now.
---@param uri string
function M.refresh(uri)
  for _, bufnr in ipairs(api.nvim_list_bufs()) do
    if api.nvim_buf_is_loaded(bufnr) and api.nvim_buf_get_name(bufnr) == uri then
      fetch(bufnr)
    end
  end
end

-- Windows -----------------------------------------------------------------------------------------------------------

---@param win integer
---@return boolean
local function shows_document(win)
  local name = api.nvim_buf_get_name(api.nvim_win_get_buf(win))
  return vim.startswith(name, ext.scheme .. ':/sessions/') and not vim.wo[win].diff
end

---@param bufnr integer
---@return integer
local function float(bufnr)
  local width = math.min(vim.o.columns - 4, 100)
  local height = math.max(5, math.floor(vim.o.lines * 0.7))
  return api.nvim_open_win(bufnr, true, {
    relative = 'editor',
    width = width,
    height = height,
    row = math.floor((vim.o.lines - height) / 2) - 1,
    col = math.floor((vim.o.columns - width) / 2),
    border = 'rounded',
    title = ' galley ',
  })
end

--- A window for a document: one that shows another, else a new one.
---@param bufnr integer
---@param mods? vim.api.keyset.cmd_mods
---@return integer
local function window(bufnr, mods)
  local how = config.get().documents.open
  local asked = mods and (mods.tab ~= -1 or mods.vertical or mods.split ~= '')
  if not asked then
    local other = vim.iter(api.nvim_tabpage_list_wins(0)):find(shows_document)
    if other or how == 'edit' then
      return other or api.nvim_get_current_win()
    elseif how == 'float' then
      return float(bufnr)
    end
    mods = { vertical = how == 'vsplit', tab = how == 'tab' and vim.fn.tabpagenr() or nil }
  end
  vim.cmd({ cmd = 'split', mods = mods })
  return api.nvim_get_current_win()
end

--- Shows a document; mods are those of the command, such as :vertical.
---@param uri string
---@param opts? {client?: vim.lsp.Client, mods?: vim.api.keyset.cmd_mods}
---@return boolean
function M.open(uri, opts)
  opts = opts or {}
  local c = opts.client or client.get()
  local bufnr = vim.fn.bufadd(uri)
  if c then
    vim.b[bufnr].galley_client = c.id
  end
  local win = window(bufnr, opts.mods)
  local ok, err = pcall(api.nvim_win_set_buf, win, bufnr)
  if not ok then
    notify.warn(tostring(err))
    return false
  end
  api.nvim_set_current_win(win)
  vim.wo[win][0].wrap = not uri:find('%.diff$')
  return true
end

return M
