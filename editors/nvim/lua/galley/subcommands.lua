-- What stands behind :Galley.
local notify = require('galley.notify')

---@class galley.Cmd
---@field words string[]
---@field text string all words as they were typed
---@field bang boolean
---@field range? {first: integer, last: integer} lines
---@field count? integer
---@field mods vim.api.keyset.cmd_mods

---@class galley.Sub
---@field doc string
---@field run fun(cmd: galley.Cmd)
---@field complete? fun(): string[] the first word
---@field complete_more? fun(): string[] the second
---@field range? boolean

---@return table
local function actions()
  return require('galley.actions')
end

--- A letter and what stands behind it: "A too long".
---@param cmd galley.Cmd
---@return string? letter
---@return string? rest
local function letter(cmd)
  local first = cmd.words[1]
  if not first then
    return
  end
  local rest = vim.trim(cmd.text:sub(#first + 1))
  if first:match('^%a$') then
    return first, rest ~= '' and rest or nil
  end
  return nil, cmd.text
end

---@param states table<string, true>
---@return fun(): string[]
local function letters(states)
  return function()
    local client = require('galley.client').get()
    local state = require('galley.state')
    local out = {}
    local changes = client and state.workspace(client.id).changes
    for _, file in ipairs(changes and changes.files or {}) do
      for _, change in ipairs(file.changes) do
        if states[change.state] then
          out[#out + 1] = change.change
        end
      end
    end
    table.sort(out)
    return out
  end
end

local pending = letters({ staged = true, conflict = true, applying = true })

---@param what 'apply'|'reject'
---@return fun(cmd: galley.Cmd)
local function decide(what)
  return function(cmd)
    local name, reason = letter(cmd)
    if cmd.words[1] == 'all' then
      local rest = vim.trim(cmd.text:sub(4))
      return actions().decide_file(what, rest ~= '' and rest or nil)
    elseif name then
      return actions().decide(what, name, reason)
    elseif cmd.range then
      return actions().decide_lines(what, cmd.range.first, cmd.range.last, reason)
    elseif cmd.bang and what == 'reject' then
      return actions().reject_why()
    elseif cmd.bang then
      return actions().decide_file(what)
    end
    actions().decide(what, nil, reason)
  end
end

---@param name string
---@return fun(cmd: galley.Cmd)
local function document(name)
  return function(cmd)
    local documents = require('galley.documents')
    require('galley.client').ensure(vim.api.nvim_get_current_buf(), function(client)
      documents.open(documents.uri(name), { client = client, mods = cmd.mods })
    end)
  end
end

--- Calls a function of a room.
---@param room string
---@param name string
---@return fun()
local function call(room, name)
  return function()
    require('galley.' .. room)[name]()
  end
end

---@param step 1|-1
---@return fun(cmd: galley.Cmd)
local function walk(step)
  return function(cmd)
    require('galley.walk').go(step, tonumber(cmd.words[1]) or cmd.count)
  end
end

---@param list string[]
---@return fun(): string[]
local function words(list)
  return function()
    return list
  end
end

---@type table<string, galley.Sub>
local subs = {
  ask = {
    doc = 'ask the agent; with a range about these lines; with ! after the run that goes on',
    range = true,
    run = function(cmd)
      local range
      if cmd.range then
        local line = vim.api.nvim_buf_get_lines(0, cmd.range.last - 1, cmd.range.last, false)[1]
          or ''
        range = { first = { cmd.range.first - 1, 0 }, last = { cmd.range.last - 1, #line } }
      end
      require('galley.ask').ask({ prompt = cmd.text, range = range, queue = cmd.bang or nil })
    end,
  },
  apply = {
    doc = 'apply a change: [LETTER], at the cursor, those in a range, or all of the file',
    range = true,
    run = decide('apply'),
    complete = function()
      return vim.list_extend(pending(), { 'all' })
    end,
  },
  reject = {
    doc = 'reject a change, and say why: [LETTER] [REASON]; with ! the reason is asked for',
    range = true,
    run = decide('reject'),
    complete = function()
      return vim.list_extend(pending(), { 'all' })
    end,
  },
  unreject = {
    doc = 'bring a rejected change back: [LETTER] or all',
    run = function(cmd)
      if cmd.words[1] == 'all' then
        return actions().decide_file('unreject')
      end
      actions().decide('unreject', (letter(cmd)))
    end,
    complete = letters({ rejected = true }),
  },
  resolve = {
    doc = 'end a conflict: mine, agent or ask, [LETTER]',
    run = function(cmd)
      local take = cmd.words[1]
      if not vim.list_contains({ 'mine', 'agent', 'ask' }, take) then
        return notify.warn('resolve takes mine, agent or ask')
      end
      actions().resolve(take, cmd.words[2])
    end,
    complete = words({ 'mine', 'agent', 'ask' }),
    complete_more = letters({ conflict = true }),
  },
  next = {
    doc = 'go to the next change, over all files',
    run = walk(1),
  },
  prev = {
    doc = 'go to the change before',
    run = walk(-1),
  },
  commit = {
    doc = 'apply what is left and close the edit: [SUMMARY]',
    run = function(cmd)
      require('galley.commit').commit(cmd.text ~= '' and cmd.text or nil)
    end,
  },
  revert = {
    doc = 'reject what is left and close the edit: [REASON]; with ! also what is applied',
    run = function(cmd)
      require('galley.commit').revert(cmd.text ~= '' and cmd.text or nil, cmd.bang)
    end,
  },
  comment = {
    doc = 'tell the agent something about a change: [LETTER] [TEXT]',
    run = function(cmd)
      local name, text = letter(cmd)
      actions().comment(text, name)
    end,
    complete = pending,
  },
  preview = {
    doc = 'a change, or the whole edit, as a patch: [LETTER]',
    run = function(cmd)
      actions().preview((letter(cmd)))
    end,
    complete = pending,
  },
  diff = {
    doc = 'the file beside what is proposed for it',
    run = call('diff', 'toggle'),
  },
  expand = {
    doc = 'show all lines of the change at the cursor, or fold them again',
    run = function()
      require('galley.walk').arrived(function()
        local row = vim.api.nvim_win_get_cursor(0)[1] - 1
        if not require('galley.preview').expand(vim.api.nvim_get_current_buf(), row) then
          notify.info('no change on this line')
        end
      end)
    end,
  },
  style = {
    doc = 'how changes are shown: inline, signs, split; the next one without a name',
    run = function(cmd)
      require('galley').style(cmd.words[1])
    end,
    complete = words({ 'inline', 'signs', 'split' }),
  },
  toggle = {
    doc = 'hide all previews, or show them again',
    run = function()
      notify.info(
        require('galley').toggle() and 'changes are shown'
          or 'changes are hidden; they wait all the same'
      )
    end,
  },
  list = {
    doc = 'all changes as a quickfix list',
    run = call('lists', 'quickfix'),
  },
  select = {
    doc = 'choose a change and go there',
    run = call('lists', 'select'),
  },
  run = {
    doc = 'the window with what the agent says',
    run = function(cmd)
      require('galley.client').ensure(vim.api.nvim_get_current_buf(), function(client)
        local how = cmd.words[1]
        if how then
          require('galley.run').open(client.id, { enter = true, how = how })
        else
          require('galley.run').toggle(client.id)
        end
      end)
    end,
    complete = words({ 'float', 'split' }),
  },
  cancel = {
    doc = 'stop the run; what is staged stays',
    run = call('run', 'cancel'),
  },
  overview = { doc = "the agent's working memory", run = document('overview.md') },
  tasks = { doc = 'the task tree', run = document('tasks.md') },
  context = { doc = 'what the next request holds, in numbers', run = document('context.md') },
  prompt = { doc = 'the next request itself', run = document('prompt.md') },
  history = { doc = 'the journal', run = document('history.md') },
  memory = {
    doc = 'a file of the memory: [NAME], as detail/x.md; with ! the real one, to edit it',
    run = function(cmd)
      if not cmd.words[1] then
        return require('galley.lists').memory()
      elseif cmd.bang then
        return require('galley.documents').edit(cmd.words[1])
      end
      document(cmd.words[1])(cmd)
    end,
    complete = function()
      local client = require('galley.client').get()
      return client and require('galley.lists').memory_names(client.id) or {}
    end,
  },
  compact = {
    doc = 'take older parts out of the context: tools, conversation or all',
    run = function(cmd)
      require('galley.client').ensure(vim.api.nvim_get_current_buf(), function(client)
        local argument = { target = cmd.words[1] or 'all' }
        actions().execute(client, require('galley.ext').commands.compact, argument, {
          done = function(r)
            notify.info(
              r.tokens_saved > 0
                  and ('the next request has %d tokens, %d before; nothing is lost'):format(
                    r.tokens_after,
                    r.tokens_before
                  )
                or r.hint
            )
          end,
        })
      end)
    end,
    complete = words({ 'tools', 'conversation', 'all' }),
  },
  restore = {
    doc = 'bring back what left the context last, or with compaction [N] of :Galley history',
    run = function(cmd)
      require('galley.client').ensure(vim.api.nvim_get_current_buf(), function(client)
        local of = cmd.words[1] and { seq = tonumber(cmd.words[1]) or 0 } or nil
        actions().execute(client, require('galley.ext').commands.unfold, of, {
          done = function(r)
            notify.info(
              ('%d messages came back; the next request has %d tokens, %d before'):format(
                r.messages,
                r.tokens_after,
                r.tokens_before
              )
            )
          end,
        })
      end)
    end,
  },
  sessions = {
    doc = 'choose the session that commands mean',
    run = call('lists', 'sessions'),
  },
  new = {
    doc = 'begin a new session: [TITLE]',
    run = function(cmd)
      require('galley.client').ensure(vim.api.nvim_get_current_buf(), function(client)
        local argument = cmd.text ~= '' and { title = cmd.text } or nil
        actions().execute(client, require('galley.ext').commands.newSession, argument, {
          done = function()
            notify.info('a new session; what you ask now begins anew')
          end,
        })
      end)
    end,
  },
  start = {
    doc = 'start the server, and follow the files that are open',
    run = call('client', 'begin'),
  },
  stop = {
    doc = 'stop the server; what is staged stays',
    run = function()
      local count = require('galley.client').stop()
      notify.info(
        count > 0 and 'the server is stopped; what is staged stays' or 'the server does not run'
      )
    end,
  },
  restart = {
    doc = 'stop the server and start it again',
    run = call('client', 'restart'),
  },
  log = {
    doc = "the server's log",
    run = function(cmd)
      local file = require('galley.config').get().log_file
      if not file then
        return notify.info('the option log_file is false')
      end
      vim.cmd({
        cmd = 'split',
        args = {
          vim.fn.fnameescape(file --[[@as string]]),
        },
        mods = cmd.mods,
      })
      vim.cmd('normal! G')
    end,
  },
  messages = {
    doc = 'what galley has said, in full',
    run = function(cmd)
      notify.open(cmd.mods)
    end,
  },
  health = {
    doc = 'look whether all is well',
    run = function()
      vim.cmd('checkhealth galley')
    end,
  },
}

return subs
