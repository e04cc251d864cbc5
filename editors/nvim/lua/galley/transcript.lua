-- Runs as people read them: what was asked, what the agent said and used, how it ended.
local editor = require('galley.editor')
local state = require('galley.state')

local M = {}

---@class galley.Told a line of the window
---@field text string
---@field group? string
---@field call? galley.RunCall that it tells of

---@param out galley.Told[]
---@param text string
---@param group? string
---@param before? string
---@param call? galley.RunCall
local function add(out, text, group, before, call)
  before = before or ''
  for _, line in ipairs(vim.split(text, '\n', { plain = true })) do
    out[#out + 1] = { text = before .. line, group = group, call = call }
    before = (' '):rep(vim.fn.strdisplaywidth(before))
  end
end

--- "2 changes wait for you (]g)".
---@param pending integer
---@return string
local function waiting(pending)
  local key = require('galley.keys').key('next') or ':Galley next'
  return ('%s (%s)'):format(editor.waiting(pending), key)
end

local most_output = 8 -- lines

--- A call in the server's words, what has become of its letters, and what a command wrote.
---@param out galley.Told[]
---@param client_id integer
---@param call galley.RunCall
local function render_call(out, client_id, call)
  local states = {} ---@type string[]
  for _, letter in ipairs(call.letters or {}) do
    local change = state.find(client_id, letter, call.path)
    if change and change.state ~= 'staged' then
      local words = change.state == 'conflict' and 'in conflict' or change.state
      states[#states + 1] = letter .. ' ' .. words
    end
  end
  local group = call.letters and 'GalleyDone' or 'GalleyTool'
  if call.status and not call.letters and (call.code or call.hint) then
    group = 'GalleyConflictNote'
  end
  local suffix = #states > 0 and '  (' .. table.concat(states, ', ') .. ')' or ''
  add(out, call.line .. suffix, group, '  ', call)
  local lines = vim.split(vim.trim(call.output or ''), '\n', { plain = true, trimempty = true })
  if #lines > most_output then
    add(out, ('… %d lines before'):format(#lines - most_output), 'GalleyReason', '    ')
  end
  for i = math.max(1, #lines - most_output + 1), #lines do
    add(out, lines[i], 'GalleyReason', '    ')
  end
end

---@param out galley.Told[]
---@param run galley.RunState
---@param pending integer where it is the last one
local function render_end(out, run, pending)
  if run.error and run.error ~= '' then
    add(out, run.error, run.state == 'done' and 'GalleyReason' or 'GalleyError')
  end
  if run.state == 'done' and not run.earlier then
    return add(out, pending > 0 and '✓ done: ' .. waiting(pending) or '✓ done', 'GalleyDone')
  elseif run.state == 'failed' then
    add(out, '✗ failed', 'GalleyError')
  elseif run.state == 'cancelled' then
    add(out, '■ stopped; what is staged stays', 'GalleyReason')
  elseif run.state == 'waiting' then
    add(out, '… ' .. (run.waiting or 'waiting'), 'GalleyReason')
  elseif not run.earlier then
    add(out, '…', 'GalleyReason')
  end
  if pending > 0 and state.is_over(run) then
    add(out, waiting(pending), 'GalleyDone')
  end
end

--- The conversation of the current session: with what was said before the server was started.
---@param client_id integer
---@return galley.RunState[]
local function conversation(client_id)
  local w = state.workspace(client_id)
  local session = w.changes.session
  local now = vim.tbl_filter(function(run)
    return session == '' or not run.session or run.session == session
  end, w.runs)
  return vim.list_extend(vim.list_extend({}, w.earlier[session] or {}), now)
end

---@param client_id integer
---@return galley.Told[]
function M.lines(client_id)
  local out = {} ---@type galley.Told[]
  local runs = conversation(client_id)
  local pending = #state.pending(client_id)
  for i, run in ipairs(runs) do
    if i > 1 then
      add(out, '')
    end
    if run.prompt then
      add(out, run.prompt, 'GalleyPrompt', '› ')
    end
    for _, step in ipairs(run.steps) do
      if step.text ~= '' then
        add(out, vim.trim(step.text))
      end
      for _, call in ipairs(step.calls) do
        render_call(out, client_id, call)
      end
    end
    render_end(out, run, i == #runs and pending or 0)
  end
  if #out == 0 then
    add(out, 'Nothing was asked yet. i asks.', 'GalleyReason')
  end
  return out
end

--- What a run said in its last step.
---@param run galley.RunState
---@return string
function M.last_words(run)
  local last = vim.iter(run.steps):rfind(function(step)
    return step.text ~= ''
  end)
  return last and last.text or ''
end

return M
