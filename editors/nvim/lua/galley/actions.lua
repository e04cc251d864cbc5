-- What the user decides. Each is a command of the server's, with what the user saw: the revision of a letter, or the
-- number of the message. The server says whether it still holds.
local client = require('galley.client')
local editor = require('galley.editor')
local ext = require('galley.ext')
local notify = require('galley.notify')
local preview = require('galley.preview')
local state = require('galley.state')
local target = require('galley.target')

local api = vim.api

local M = {}

--- Runs a command of the server's, and tells what the server refuses: what was shown may be old then.
---@param c vim.lsp.Client
---@param command string
---@param argument? table
---@param done? fun(result: any)
function M.execute(c, command, argument, done)
  client.execute(c, command, argument, function(err, result)
    local stale = err and type(err.data) == 'table' and err.data.status == 'stale'
    if stale then
      client.sync(c)
    end
    if err then
      notify.warn(err.message .. (stale and ' (it is shown as it is now)' or ''))
    elseif done then
      done(result)
    end
  end)
end

--- The client of the current buffer; says so where there is none.
---@return vim.lsp.Client?
function M.client()
  local c = client.get()
  if not c then
    local _, problem = require('galley.binary').find()
    notify.warn(problem or 'the server does not run here; :Galley start starts it')
  end
  return c
end

--- What needs the client of the current buffer: a function of the rest of its arguments.
---@param fn function that gets the client first
---@return function
function M.with_client(fn)
  return function(...)
    local c = M.client()
    if c then
      fn(c, ...)
    end
  end
end

-- Deciding ----------------------------------------------------------------------------------------------------------

--- Says how many lines of changes are not shown, and what to do.
---@param changes galley.Change[]
---@param behind string
local function say_folded(changes, behind)
  local parts = vim.tbl_map(function(change)
    return editor.count(preview.folded(change), 'line') .. ' of ' .. change.change
  end, changes)
  notify.info(table.concat(parts, ', ') .. behind)
end

--- Nobody takes in one go what they did not see: changes with folded lines are left, and it is said.
---@param what string
---@param changes galley.Change[]
---@return galley.Change[] seen
---@return boolean all
function M.seen(what, changes)
  local out, left = {}, {} ---@type galley.Change[], galley.Change[]
  for _, change in ipairs(changes) do
    local folded = (what == 'apply' or what == 'commit') and preview.folded(change) > 0
    table.insert(folded and left or out, change)
  end
  if #left > 0 then
    say_folded(left, ' are folded: :Galley expand or preview shows them')
  end
  return out, #left == 0
end

--- Applies, rejects or brings back one change.
---@type fun(what: 'apply'|'reject'|'unreject', letter?: string, reason?: string)
M.decide = M.with_client(function(c, what, letter, reason)
  if what == 'unreject' and not letter then
    letter = target.rejected(c)
  end
  local argument, change = target.change(c, letter, what == 'unreject')
  if argument then
    argument.reason = reason
    if what == 'apply' and change and preview.folded(change) > 0 then
      say_folded({ change }, ' were folded')
    end
    M.execute(c, ext.commands[what], argument)
  end
end)

--- One after the other, from the last: each is decided on the text that the one before left, above which no line moves.
---@param c vim.lsp.Client
---@param what 'apply'|'reject'
---@param changes galley.Change[]
---@param reason? string
---@param parts? table<string, lsp.Range> of letters that are not decided whole
local function each(c, what, changes, reason, parts)
  local change = table.remove(changes)
  if not change then
    return
  end
  local argument = target.shown(change)
  argument.reason, argument.range = reason, parts and parts[change.change]
  M.execute(c, ext.commands[what], argument, function()
    each(c, what, changes, reason, parts)
  end)
end

--- Some lines, counted from 1, as the server counts them.
---@param first integer
---@param last integer
---@return lsp.Range
local function rows(first, last)
  return {
    start = { line = first - 1, character = 0 },
    ['end'] = { line = last - 1, character = 0 },
  }
end

--- Decides all changes on some lines of the current buffer, of one that reaches beyond them the part there: first and
--- last count from 1.
---@type fun(what: 'apply'|'reject', first: integer, last: integer, reason?: string)
M.decide_lines = M.with_client(function(c, what, first, last, reason)
  local changes, parts = {}, {} ---@type galley.Change[], table<string, lsp.Range>
  for _, place in ipairs(preview.places(api.nvim_get_current_buf())) do
    if place.row < last and place.last + 1 >= first and place.change.state ~= 'conflict' then
      changes[#changes + 1] = place.change
      if place.row + 1 < first or place.last + 1 > last then
        parts[place.change.change] = rows(first, last)
      end
    end
  end
  if #changes == 0 then
    return notify.info('no change on these lines')
  end
  each(c, what, (M.seen(what, changes)), reason, parts)
end)

--- Decides all changes of the current file.
---@type fun(what: 'apply'|'reject'|'unreject', reason?: string)
M.decide_file = M.with_client(function(c, what, reason)
  local file = state.file(c, api.nvim_get_current_buf())
  if not file then
    return notify.info('nothing in this file waits for a decision')
  end
  local changes, all = M.seen(what, vim.tbl_filter(state.is_pending, file.changes))
  if not all then
    changes = vim.tbl_filter(function(change)
      return change.state ~= 'conflict'
    end, changes)
    return each(c, what, changes, reason)
  end
  M.execute(c, ext.commands[what], { uri = file.uri, seq = target.seq(c), reason = reason })
end)

--- Ends a conflict.
---@type fun(take: 'mine'|'agent'|'ask', letter?: string)
M.resolve = M.with_client(function(c, take, letter)
  if not letter and (target.at_cursor() or {}).state ~= 'conflict' then
    letter = target.only(c, 'conflict')
  end
  local argument, change = target.change(c, letter)
  if argument then
    argument.hash = change and change.hash
    argument.take = take
    M.execute(c, ext.commands.resolve, argument)
  end
end)

--- Calls fn with the change that is meant and with words about it: those given, or what is typed.
---@param c vim.lsp.Client
---@param letter? string
---@param words? string
---@param question string
---@param fn fun(argument: table, words: string)
local function with_words(c, letter, words, question, fn)
  local argument = target.change(c, letter)
  local function got(typed)
    if typed then
      fn(argument, typed)
    end
  end
  if argument and words then
    got(words)
  elseif argument then
    vim.ui.input({ prompt = question:format(argument.change) }, got)
  end
end

--- A remark about a change, for the agent.
---@type fun(text?: string, letter?: string)
M.comment = M.with_client(function(c, text, letter)
  with_words(c, letter, text, 'About %s: ', function(argument, words)
    if vim.trim(words) ~= '' then
      argument.revision, argument.text = nil, words
      M.execute(c, ext.commands.comment, argument, function()
        local told = 'the agent hears your remark about %s with its next step'
        notify.info(told:format(argument.change))
      end)
    end
  end)
end)

--- Rejects, and asks for a reason that the agent hears.
---@type fun(letter?: string)
M.reject_why = M.with_client(function(c, letter)
  with_words(c, letter, nil, 'Why not %s: ', function(argument, words)
    argument.reason = words ~= '' and words or nil
    M.execute(c, ext.commands.reject, argument)
  end)
end)

-- Altering ---------------------------------------------------------------------------------------------------------

--- Opens a file to edit in what a change makes: saving it is the next revision.
---@type fun(letter?: string)
M.edit = M.with_client(function(c, letter)
  local argument = target.change(c, letter)
  if argument then
    M.execute(c, ext.commands.edit, argument)
  end
end)

--- Cuts the part of a change on some lines of the current buffer off: it gets a letter of its own.
---@type fun(first: integer, last: integer, letter?: string)
M.split = M.with_client(function(c, first, last, letter)
  local here = not letter and preview.at(api.nvim_get_current_buf(), first - 1)
  local argument = target.change(c, letter or here and here.change.change or nil)
  if argument then
    argument.range = rows(first, last)
    M.execute(c, ext.commands.split, argument, function(result)
      notify.info(('%s is cut: %s has these lines'):format(result.change, result.new))
    end)
  end
end)

-- Looking ----------------------------------------------------------------------------------------------------------

--- The change, or the whole edit, as a patch.
---@type fun(letter?: string)
M.preview = M.with_client(function(c, letter)
  local change = letter and letter:upper() or (target.at_cursor() or {}).change
  if not change and #state.pending(c.id) == 0 then
    return notify.info('nothing waits for a decision')
  end
  local function show(argument, changes)
    argument.format = 'diff'
    M.execute(c, ext.commands.preview, argument, function()
      vim.tbl_map(preview.saw, changes)
    end)
  end
  if change then
    return show({ change = change }, { (state.find(c.id, change)) })
  end
  target.edit(c, 'Show', function(edit)
    show({ session = edit and edit.session, edit = edit and edit.edit }, target.of(c, edit))
  end)
end)

return M
