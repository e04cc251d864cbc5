-- Runs in the Neovim under test, before its first file: what the tests see of it and do to it. It knows the protocol
-- and Neovim, never the plugin.
local M = { wire = {}, faults = {}, answers = {}, open = 0, keys_seen = 0, messages = {} }

-- The wire -----------------------------------------------------------------------------------------------------------

local function log(direction, what, content)
  if M.wire then
    M.wire[#M.wire + 1] =
      { direction, what, vim.json.encode(content == nil and vim.NIL or content) }
  end
end

-- Each message of galley's server goes through here. A fault may be put under the name of a method: a function that
-- gets the message and the function that goes on with it. Answers are what is told instead of Neovim's own.
local function through(direction, method, content, go_on)
  log(direction, method, content)
  local fault = M.faults[direction .. ' ' .. method]
  if fault then
    return fault(content, go_on)
  end
  return go_on(content)
end

local start = vim.lsp.rpc.start
---@diagnostic disable-next-line: duplicate-set-field
function vim.lsp.rpc.start(cmd, dispatchers, options)
  if not vim.fs.basename(cmd[1]):match('^galley') then
    return start(cmd, dispatchers, options)
  end
  local heard = vim.tbl_extend('force', {}, dispatchers)
  function heard.notification(method, params)
    through('←', method, params, function(p)
      dispatchers.notification(method, p)
    end)
  end
  function heard.server_request(method, params)
    local result, err
    through('←', method, params, function(p)
      result, err = dispatchers.server_request(method, p)
    end)
    result = M.answers[method] or result
    log('→', 'answer to ' .. method, err or result)
    return result, err
  end
  function heard.on_exit(code, signal)
    log('←', 'exit', { code, signal })
    dispatchers.on_exit(code, signal)
  end
  local rpc = start(cmd, heard, options)
  local request, notify = rpc.request, rpc.notify
  function rpc.request(method, params, answered, ...)
    local rest = { ... }
    local sent, id
    through('→', method, params, function(p)
      M.open = M.open + 1
      sent, id = request(method, p, function(err, result)
        M.open = M.open - 1
        log('←', 'answer to ' .. method, err or result)
        answered(err, result)
      end, unpack(rest))
    end)
    return sent, id
  end
  function rpc.notify(method, params)
    return through('→', method, params, function(p)
      return notify(method, p)
    end)
  end
  return rpc
end

-- Keys and messages --------------------------------------------------------------------------------------------------

-- The tests' last key, whatever the mode: when it was counted, all keys before it have done their work.
function M.count_keys()
  for _, mode in ipairs({ 'n', 'x', 's', 'i', 'c', 'o' }) do
    vim.keymap.set(mode, '<F12>', function()
      M.keys_seen = M.keys_seen + 1
    end, { desc = 'the tests count' })
  end
end

local notify = vim.notify
---@diagnostic disable-next-line: duplicate-set-field
function vim.notify(text, level, options)
  M.messages[#M.messages + 1] = text
  return notify(text, level, options)
end

-- What galley says ---------------------------------------------------------------------------------------------------

function M.client()
  return vim.lsp.get_clients({ name = 'galley' })[1]
end

---Asks the server and waits. The real buffer number has Neovim send first what was typed.
function M.request(method, params, buf)
  local client = assert(M.client(), 'no client of galley is running')
  buf = buf or vim.api.nvim_get_current_buf()
  local answer, err
  if vim.fn.has('nvim-0.11') == 1 then
    answer, err = client:request_sync(method, params, 5000, buf)
  else
    answer, err = client.request_sync(method, params, 5000, buf)
  end
  assert(answer, err)
  return answer.result, answer.err
end

function M.command(name, argument, buf)
  return M.request(
    'workspace/executeCommand',
    { command = name, arguments = { argument or vim.empty_dict() } },
    buf
  )
end

---The last message of that name from the server, behind a place in the log.
function M.last(method, behind)
  for i = #M.wire, (behind or 0) + 1, -1 do
    if M.wire[i][1] == '←' and M.wire[i][2] == method then
      return vim.json.decode(M.wire[i][3], { luanil = { object = true } })
    end
  end
end

---Letters and their states, as the server told last: { A = 'staged' }.
function M.letters()
  local states = {}
  for _, file in ipairs((M.last('galley/changes') or { files = {} }).files) do
    for _, change in ipairs(file.changes) do
      states[change.change] = change.state
    end
  end
  return states
end

---The text of a buffer as a file would have it.
function M.text(buf)
  buf = buf or 0
  local ending = vim.bo[buf].fileformat == 'dos' and '\r\n' or '\n'
  local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, true)
  local empty = vim.api.nvim_buf_call(buf, function()
    return vim.fn.line2byte(1) < 0
  end)
  if empty then
    return ''
  end
  return table.concat(lines, ending) .. (vim.bo[buf].endofline and ending or '')
end

-- What the server believes -------------------------------------------------------------------------------------------

local function names()
  local found = {}
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if #vim.lsp.get_clients({ bufnr = buf, name = 'galley' }) > 0 then
      found[vim.uri_from_bufnr(buf)] = buf
    end
  end
  return found
end

---The byte of a position in a text.
local function offset(text, position, encoding)
  local from = 1
  for _ = 1, position.line do
    local feed = text:find('\n', from, true)
    if not feed then
      return #text + 1
    end
    from = feed + 1
  end
  local line = text:match('^[^\r\n]*', from)
  if encoding == 'utf-8' then
    return from + math.min(position.character, #line)
  end
  local short = vim.str_byteindex(line, position.character, encoding == 'utf-16')
  return from + short
end

---The places of the letters that wait must hold, in the buffer as it is, what the server says that they hold. Asked
---with a command, before which Neovim sends what was typed. Returns what is wrong.
function M.disbelief()
  local wrong, open = {}, names()
  local state, err = M.command('galley.changes')
  for _, buf in pairs(open) do -- each has its own text to send first
    state, err = M.command('galley.changes', nil, buf)
  end
  if err then
    return { err.message }
  end
  local encoding = M.client().offset_encoding
  for _, file in ipairs(state.files) do
    local buf = open[file.uri]
    local text = buf and M.text(buf)
    for _, change in ipairs(buf and file.changes or {}) do
      local top = { line = 0, character = 0 } -- a change of the whole file has no place
      local at = change.range or { start = top, ['end'] = top }
      local from, to = offset(text, at.start, encoding), offset(text, at['end'], encoding)
      local there = text:sub(from, to - 1)
      if change.range and change.state == 'staged' and there ~= change.oldText then
        wrong[#wrong + 1] = ('%s of %s: the server believes %q at %s, there is %q'):format(
          change.change,
          file.uri,
          change.oldText,
          vim.inspect(change.range, { newline = '', indent = '' }),
          there
        )
      end
    end
  end
  return wrong
end

---Text of a document as the server has it with the letters that wait in it: without any, the text that it believes.
function M.believed(uri)
  local root = M.client().config.root_dir
  local name = vim.uri_to_fname(uri):sub(#vim.fs.normalize(root) + 2)
  local answer, err =
    M.request('workspace/textDocumentContent', { uri = 'galley:/sessions/current/files/' .. name })
  return answer and answer.text, err and err.message
end

---What is on the screen of a Neovim without a terminal.
function M.screen()
  vim.cmd('redraw')
  local rows = {}
  for row = 1, vim.o.lines do
    local cells = {}
    for column = 1, vim.o.columns do
      cells[column] = vim.fn.screenstring(row, column)
    end
    rows[row] = (table.concat(cells):gsub('%s+$', ''))
  end
  return rows
end

return M
