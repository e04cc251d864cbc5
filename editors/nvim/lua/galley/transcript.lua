-- Runs as people read them: what was asked, what the agent said and used, how it ended.
local state = require('galley.state')

local M = {}

---@class galley.Line
---@field text string
---@field group? string

---@param out galley.Line[]
---@param text string
---@param group? string
---@param before? string
local function add(out, text, group, before)
  for i, line in ipairs(vim.split(text, '\n', { plain = true })) do
    out[#out + 1] = {
      text = (before and (i == 1 and before or (' '):rep(vim.fn.strdisplaywidth(before))) or '')
        .. line,
      group = group,
    }
  end
end

---@param run galley.RunState
---@param pending integer
---@return string text
---@return string group
local function ending(run, pending)
  if run.state == 'failed' then
    return '✗ failed', 'GalleyError'
  elseif run.state == 'cancelled' then
    return '■ stopped; what is staged stays', 'GalleyReason'
  end
  if pending == 0 then
    return '✓ done', 'GalleyDone'
  end
  local hint = require('galley.keys').key('next') or ':Galley next'
  return ('✓ done: %d change%s wait%s for you (%s)'):format(
    pending,
    pending == 1 and '' or 's',
    pending == 1 and 's' or '',
    hint
  ),
    'GalleyDone'
end

---@param out galley.Line[]
---@param run galley.RunState
---@param last boolean
---@param pending integer
local function render_run(out, run, last, pending)
  if #out > 0 then
    add(out, '')
  end
  if run.prompt then
    add(out, run.prompt, 'GalleyPrompt', '› ')
  end
  for _, step in ipairs(run.steps) do
    if step.text ~= '' then
      add(out, vim.trim(step.text))
    end
    if #step.tools > 0 then
      add(out, table.concat(step.tools, ', '), 'GalleyTool', '  · ')
    end
  end
  if run.error and run.error ~= '' then
    add(out, run.error, run.state == 'done' and 'GalleyReason' or 'GalleyError')
  end
  if state.is_over(run) then
    local text, group = ending(run, last and pending or 0)
    add(out, text, group)
  elseif run.state == 'waiting' then
    add(out, '… ' .. (run.waiting or 'waiting'), 'GalleyReason')
  else
    add(out, '…', 'GalleyReason')
  end
end

---@param client_id integer
---@return galley.Line[]
function M.lines(client_id)
  local out = {} ---@type galley.Line[]
  local runs = state.workspace(client_id).runs
  local pending = #state.pending(client_id)
  for i, run in ipairs(runs) do
    render_run(out, run, i == #runs, pending)
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
  for i = #run.steps, 1, -1 do
    if run.steps[i].text ~= '' then
      return run.steps[i].text
    end
  end
  return ''
end

return M
