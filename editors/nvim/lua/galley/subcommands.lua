-- What stands behind :Galley; :help :Galley says what each does.
local notify = require('galley.notify')
local of = require('galley.editor').of

---@class galley.Cmd
---@field words string[]
---@field text string all words as they were typed
---@field bang boolean
---@field range? {first: integer, last: integer} lines
---@field count? integer
---@field mods vim.api.keyset.cmd_mods

---@class galley.Sub
---@field run fun(cmd: galley.Cmd)
---@field complete? fun(): string[] the first word
---@field complete_more? fun(): string[] the second
---@field range? boolean

local decide_one, decide_file = of('actions', 'decide'), of('actions', 'decide_file')

--- Runs fn with the client of the workspace; the server is started if it does not run.
---@param fn fun(client: vim.lsp.Client, cmd: galley.Cmd)
---@return fun(cmd: galley.Cmd)
local function ensured(fn)
  return function(cmd)
    require('galley.client').ensure(vim.api.nvim_get_current_buf(), function(client)
      fn(client, cmd)
    end)
  end
end

--- Runs a command of the server's, and tells what came of it.
---@param command string
---@param argument fun(cmd: galley.Cmd): table?
---@param told fun(result: any): string
---@return fun(cmd: galley.Cmd)
local function execute(command, argument, told)
  return ensured(function(client, cmd)
    require('galley.actions').execute(client, 'galley.' .. command, argument(cmd), function(result)
      notify.info(told(result))
    end)
  end)
end

--- What was typed, nil where that is nothing.
---@param text string
---@return string?
local function given(text)
  return text ~= '' and text or nil
end

--- A letter and what stands behind it: "A too long".
---@param cmd galley.Cmd
---@return string? letter
---@return string? rest
local function letter(cmd)
  local first, rest = cmd.text:match('^(%a)%f[%s%z]%s*(.*)$')
  if first then
    return first, given(rest)
  end
  return nil, given(cmd.text)
end

--- A function of a room, of what picks out of the command.
---@param room string
---@param name string
---@param pick fun(cmd: galley.Cmd): ...
---@return fun(cmd: galley.Cmd)
local function call(room, name, pick)
  return function(cmd)
    require('galley.' .. room)[name](pick(cmd))
  end
end

---@param cmd galley.Cmd
local function rest(cmd)
  return given(cmd.text)
end

---@param cmd galley.Cmd
local function word(cmd)
  return cmd.words[1]
end

--- The letters in some states.
---@param ... galley.State
---@return fun(): string[]
local function letters(...)
  local states = { ... }
  return function()
    local client = require('galley.client').get()
    local out = client
        and require('galley.state').changes(client.id, function(change)
          return vim.list_contains(states, change.state)
        end)
      or {}
    out = vim.tbl_map(function(p)
      return p.change.change
    end, out)
    table.sort(out)
    return out
  end
end

local pending = letters('staged', 'conflict', 'applying')

---@return string[]
local function pending_or_all()
  return vim.list_extend(pending(), { 'all' })
end

---@param what 'apply'|'reject'
---@return fun(cmd: galley.Cmd)
local function decide(what)
  return function(cmd)
    local name, reason = letter(cmd)
    if cmd.words[1] == 'all' then
      decide_file(what, given(vim.trim(cmd.text:sub(4))))
    elseif name then
      decide_one(what, name, reason)
    elseif cmd.range then
      of('actions', 'decide_lines')(what, cmd.range.first, cmd.range.last, reason)
    elseif cmd.bang and what == 'reject' then
      of('actions', 'reject_why')()
    elseif cmd.bang then
      decide_file(what)
    else
      decide_one(what, nil, reason)
    end
  end
end

---@param name string?
---@return fun(cmd: galley.Cmd)
local function document(name)
  return ensured(function(client, cmd)
    local documents = require('galley.documents')
    documents.open(documents.uri(name or cmd.words[1]), { client = client, mods = cmd.mods })
  end)
end

---@param step 1|-1
---@return fun(cmd: galley.Cmd)
local function walk(step)
  return function(cmd)
    require('galley.walk').go(step, tonumber(cmd.words[1]) or cmd.count)
  end
end

---@param ... string
---@return fun(): string[]
local function words(...)
  local list = { ... }
  return function()
    return list
  end
end

---@type table<string, galley.Sub>
local subs = {
  ask = {
    range = true,
    run = function(cmd)
      local range
      if cmd.range then
        local line = vim.fn.getline(cmd.range.last)
        range = { first = { cmd.range.first - 1, 0 }, last = { cmd.range.last - 1, #line } }
      end
      require('galley.ask').ask({ prompt = cmd.text, range = range, queue = cmd.bang or nil })
    end,
  },
  apply = { range = true, run = decide('apply'), complete = pending_or_all },
  reject = { range = true, run = decide('reject'), complete = pending_or_all },
  unreject = {
    run = function(cmd)
      if cmd.words[1] == 'all' then
        return decide_file('unreject')
      end
      decide_one('unreject', (letter(cmd)))
    end,
    complete = letters('rejected'),
  },
  resolve = {
    run = function(cmd)
      local take = cmd.words[1]
      if not vim.list_contains({ 'mine', 'agent', 'ask' }, take) then
        return notify.warn('resolve takes mine, agent or ask')
      end
      require('galley.actions').resolve(take, cmd.words[2])
    end,
    complete = words('mine', 'agent', 'ask'),
    complete_more = letters('conflict'),
  },
  edit = { run = call('actions', 'edit', letter), complete = letters('staged') },
  split = {
    range = true,
    run = function(cmd)
      local at = vim.fn.line('.')
      local range = cmd.range or { first = at, last = at }
      require('galley.actions').split(range.first, range.last, (letter(cmd)))
    end,
    complete = letters('staged'),
  },
  next = { run = walk(1) },
  prev = { run = walk(-1) },
  commit = { run = call('commit', 'commit', rest) },
  revert = {
    run = function(cmd)
      require('galley.commit').revert(given(cmd.text), cmd.bang)
    end,
  },
  undo = { run = call('undo', 'undo', word) },
  comment = {
    run = function(cmd)
      local name, text = letter(cmd)
      require('galley.actions').comment(text, name)
    end,
    complete = pending,
  },
  send = {
    run = ensured(function(client)
      require('galley.actions').execute(client, 'galley.send', nil, function(result)
        require('galley.run').asked(client.id, result.run, 'what was decided and remarked')
      end)
    end),
  },
  preview = { run = call('actions', 'preview', letter), complete = pending },
  diff = { run = of('diff', 'toggle') },
  expand = {
    run = function()
      local row = vim.api.nvim_win_get_cursor(0)[1] - 1
      if not require('galley.preview').expand(vim.api.nvim_get_current_buf(), row) then
        notify.info('no change on this line')
      end
    end,
  },
  style = {
    run = function(cmd)
      require('galley').style(cmd.words[1])
    end,
    complete = words('inline', 'signs', 'split'),
  },
  toggle = {
    run = function()
      local shown = require('galley').toggle()
      notify.info(shown and 'changes are shown' or 'changes are hidden; they wait all the same')
    end,
  },
  list = { run = of('lists', 'quickfix') },
  select = { run = of('lists', 'select') },
  run = {
    run = ensured(function(client, cmd)
      local how = cmd.words[1]
      if how then
        return require('galley.run').open(client.id, { enter = true, how = how })
      end
      require('galley.run').toggle(client.id)
    end),
    complete = words('float', 'split'),
  },
  cancel = { run = of('run', 'cancel') },
  overview = { run = document('overview.md') },
  tasks = { run = document('tasks.md') },
  context = { run = document('context.md') },
  prompt = { run = document('prompt.md') },
  history = { run = document('history.md') },
  memory = {
    run = function(cmd)
      if not cmd.words[1] then
        return require('galley.lists').memory()
      elseif cmd.bang then
        return require('galley.documents').edit(cmd.words[1])
      end
      document()(cmd)
    end,
    complete = function()
      local client = require('galley.client').get()
      return client and require('galley.lists').memory_names(client.id) or {}
    end,
  },
  compact = {
    run = execute('compact', function(cmd)
      return { target = cmd.words[1] or 'all' }
    end, function(r)
      local told = 'the next request has %d tokens, %d before; nothing is lost'
      return r.tokens_saved > 0 and told:format(r.tokens_after, r.tokens_before) or r.hint
    end),
    complete = words('tools', 'conversation', 'all'),
  },
  restore = {
    run = execute('unfold', function(cmd)
      return cmd.words[1] and { seq = tonumber(cmd.words[1]) or 0 }
    end, function(r)
      local told = '%d messages came back; the next request has %d tokens, %d before'
      return told:format(r.messages, r.tokens_after, r.tokens_before)
    end),
  },
  sessions = { run = of('lists', 'sessions') },
  new = {
    run = execute('newSession', function(cmd)
      return { title = given(cmd.text) }
    end, function()
      return 'a new session; what you ask now begins anew'
    end),
  },
  start = { run = of('client', 'begin') },
  stop = {
    run = function()
      local count = require('galley.client').stop()
      local told = 'the server is stopped; what is staged stays'
      notify.info(count > 0 and told or 'the server does not run')
    end,
  },
  restart = { run = of('client', 'restart') },
  log = {
    run = function(cmd)
      local file = require('galley.config').get().log_file
      if not file then
        return notify.info('the option log_file is false')
      end
      vim.cmd({ cmd = 'split', args = { vim.fn.fnameescape(file) }, mods = cmd.mods })
      vim.cmd('normal! G')
    end,
  },
  messages = {
    run = call('notify', 'open', function(cmd)
      return cmd.mods
    end),
  },
  health = {
    run = function()
      vim.cmd('checkhealth galley')
    end,
  },
}

return subs
