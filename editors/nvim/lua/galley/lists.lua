-- All changes that wait, as lists: quickfix, and something to choose from.
local actions = require('galley.actions')
local documents = require('galley.documents')
local editor = require('galley.editor')
local ext = require('galley.ext')
local jump = require('galley.jump')
local notify = require('galley.notify')
local preview = require('galley.preview')
local sessions = require('galley.sessions')
local state = require('galley.state')

local api = vim.api

local M = {}

---@type {id: integer, client_id: integer}?
local list

---@param client vim.lsp.Client
---@param change galley.Change
---@param file galley.File
---@return vim.quickfix.entry
local function entry(client, change, file)
  local bufnr = state.bufnr(client, file.uri)
  local row, col = change.range.start.line, change.range.start.character
  if bufnr then
    row, col = preview.start(client, bufnr, change)
  end
  local conflict = change.state == 'conflict'
  local text = change.reason ~= '' and change.summary .. ' — ' .. change.reason or change.summary
  return {
    bufnr = bufnr,
    filename = not bufnr and vim.uri_to_fname(file.uri) or nil,
    lnum = row + 1,
    col = col + 1,
    type = conflict and 'W' or 'I',
    text = ('[%s] %s%s'):format(change.change, conflict and 'conflict: ' or '', text),
  }
end

--- The list as it is now: below the titles of their sessions, where there are several.
---@param client vim.lsp.Client
---@return {title: string, items: vim.quickfix.entry[]}
local function content(client)
  local all, several = sessions.letters(client.id)
  local items, last = {}, nil
  for _, p in ipairs(all) do
    if several and p.change.session ~= last then
      last = p.change.session
      items[#items + 1] = { text = sessions.title(client.id, last), valid = 0 }
    end
    items[#items + 1] = entry(client, p.change, p.file)
  end
  return { title = 'galley: ' .. editor.count(#all, 'change'), items = items }
end

--- Opens the quickfix list. It is kept as things are, as long as it is there.
M.quickfix = actions.with_client(function(c)
  local now = content(c)
  if #now.items == 0 then
    return notify.info('nothing waits for a decision')
  end
  vim.fn.setqflist({}, ' ', now)
  list = { id = vim.fn.getqflist({ id = 0 }).id, client_id = c.id }
  vim.cmd('botright copen')
end)

---@param client_id integer
function M.changed(client_id)
  if not list or list.client_id ~= client_id then
    return
  end
  local client = vim.lsp.get_client_by_id(client_id)
  local now = vim.fn.getqflist({ id = list.id, idx = 0, size = 0 })
  if not client or now.id ~= list.id then
    list = nil
    return
  end
  local what = content(client) --[[@as vim.fn.setqflist.what]]
  what.id, what.idx = list.id, math.max(1, math.min(now.idx, #what.items))
  vim.fn.setqflist({}, 'r', what)
end

--- A buffer with the change as a diff, for those who show a preview while one chooses.
---@param change galley.Change
---@return integer
local function preview_of(change)
  local bufnr = api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  local all = { ('[%s] %s'):format(change.change, change.summary) }
  if change.reason ~= '' then
    all[#all + 1] = change.reason
  end
  for _, line in ipairs(change.lines) do
    all[#all + 1] = (line.sign == '!' and '… ' or line.sign) .. line.text
  end
  api.nvim_buf_set_lines(bufnr, 0, -1, false, all)
  vim.bo[bufnr].filetype = 'diff'
  return bufnr
end

--- Lets the user choose a change, and goes there.
M.select = actions.with_client(function(c)
  local all, several = sessions.letters(c.id)
  if #all == 0 then
    return notify.info('nothing waits for a decision')
  end
  vim.ui.select(all, {
    prompt = 'Go to',
    kind = 'galley_change',
    format_item = function(p)
      local change, name = p.change, editor.name(p.file.uri)
      local place = ('%s  %s:%d  '):format(change.change, name, change.range.start.line + 1)
      local conflict = change.state == 'conflict' and ' (conflict)' or ''
      local session = several and '  ' .. sessions.title(c.id, change.session) or ''
      return place .. change.summary .. conflict .. session
    end,
    preview_item = function(p)
      return { buf = preview_of(p.change) }
    end,
  }, function(p)
    if p then
      jump.change(c, p.change, p.file)
    end
  end)
end)

--- The files of the agent's memory, and the lists of them.
---@param client_id integer
---@return string[]
function M.memory_names(client_id)
  local names = vim.tbl_keys(state.workspace(client_id).memory)
  vim.list_extend(names, { 'detail/', 'archive/' })
  table.sort(names, function(a, b)
    return a == 'overview.md' or b ~= 'overview.md' and a < b
  end)
  return names
end

--- Lets the user choose a file of the memory, and opens its page.
M.memory = actions.with_client(function(c)
  local files = state.workspace(c.id).memory
  vim.ui.select(M.memory_names(c.id), {
    prompt = 'Memory',
    kind = 'galley_memory',
    format_item = function(name)
      return files[name] and ('%s  %.1f KB'):format(name, files[name].size / 1024) or name
    end,
  }, function(name)
    if name then
      documents.open(documents.uri(name), { client = c })
    end
  end)
end)

---@param s galley.AgentSession
---@return string
local function told(s)
  local notes = {}
  if s.pending > 0 then
    notes[#notes + 1] = ('%d waiting'):format(s.pending)
  end
  if s.lockedBy and s.lockedBy ~= '' then
    notes[#notes + 1] = 'open elsewhere: ' .. s.lockedBy
  end
  local note = #notes > 0 and ' (' .. table.concat(notes, ', ') .. ')' or ''
  local time = s.updated:sub(1, 16):gsub('T', ' ')
  return ('%s %s  %s%s'):format(s.current and '*' or ' ', time, sessions.called(s), note)
end

--- Lets the user choose the agent session that commands mean.
M.sessions = actions.with_client(function(c)
  actions.execute(c, ext.commands.sessions, nil, function(all)
    if #all == 0 then
      return notify.info('there is no session yet; asking makes one')
    end
    local opts = { prompt = 'Session', kind = 'galley_session', format_item = told }
    vim.ui.select(all, opts, function(s)
      if s and not s.current then
        actions.execute(c, ext.commands.openSession, { session = s.session }, function()
          notify.info('session ' .. sessions.called(s))
        end)
      end
    end)
  end)
end)

return M
