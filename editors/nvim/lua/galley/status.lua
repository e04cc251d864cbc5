-- For status lines: what waits, how full the context is, what the agent does.
local client = require('galley.client')
local editor = require('galley.editor')
local state = require('galley.state')

local M = {}

---@class galley.Status
---@field pending integer undecided changes, over all files
---@field here integer those of the buffer
---@field conflicts integer
---@field context? number percent of the context that is used
---@field level? string light, medium, heavy or emergency: how pressing it is to make room; nil: not at all
---@field run? string what the agent does: thinking, tool or waiting; nil: nothing
---@field tool? string
---@field step? integer

--- What there is to say; nil where no server runs.
---@param bufnr? integer
---@return galley.Status?
function M.get(bufnr)
  local c = client.get(bufnr)
  if not c then
    return
  end
  local w = state.workspace(c.id)
  local context = w.context
  local out = { ---@type galley.Status
    pending = 0,
    here = 0,
    conflicts = 0,
    context = context and context.tokensPercent,
    level = context and context.actionHint:match('^(%a+)_compression$'),
  }
  local file = state.file(c, bufnr and bufnr ~= 0 and bufnr or vim.api.nvim_get_current_buf())
  for _, p in ipairs(state.pending(c.id)) do
    out.pending = out.pending + 1
    out.here = out.here + (p.file == file and 1 or 0)
    out.conflicts = out.conflicts + (p.change.state == 'conflict' and 1 or 0)
  end
  local run = state.running(c.id)
  if run then
    out.run, out.tool, out.step = run.state, run.tool, run.step
  end
  return out
end

--- For a status line: "3 letters, 1 conflict · 62% heavy · thinking", without what is nothing.
---@param bufnr? integer
---@return string
function M.text(bufnr)
  local s = M.get(bufnr)
  if not s then
    return ''
  end
  local out = {}
  if s.pending > 0 then
    local conflicts = s.conflicts > 0 and ', ' .. editor.count(s.conflicts, 'conflict') or ''
    out[#out + 1] = editor.count(s.pending, 'letter') .. conflicts
  end
  if s.context and s.context > 0 then
    out[#out + 1] = ('%d%%'):format(s.context) .. (s.level and ' ' .. s.level or '')
  end
  if s.run then
    out[#out + 1] = s.run == 'tool' and s.tool or s.run
  end
  return table.concat(out, ' · ')
end

return M
