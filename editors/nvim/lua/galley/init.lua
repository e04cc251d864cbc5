-- What you may call. Everything works without setup().
local of = require('galley.editor').of

local M = {}

--- Sets options; see :help galley-config.
---@param opts? table
function M.setup(opts)
  require('galley.config').set(opts)
  require('galley.keys').setup()
  if package.loaded['galley.preview'] then
    require('galley.preview').redraw()
    require('galley.diff').restyle()
  end
end

--- For a status line, such as "3 letters · 12% · thinking"; empty where there is nothing to say.
---@param bufnr? integer
---@return string
function M.status(bufnr)
  if not package.loaded['galley.state'] then
    return ''
  end
  return require('galley.status').text(bufnr)
end

--- The same in parts; nil where no server runs.
---@param bufnr? integer
---@return galley.Status?
function M.get_status(bufnr)
  return require('galley.status').get(bufnr)
end

--- Asks the agent. Without a prompt it is asked for.
---@param prompt? string
---@param opts? {range?: {first: integer[], last: integer[]}, queue?: boolean, box?: boolean}
function M.ask(prompt, opts)
  require('galley.ask').ask(vim.tbl_extend('force', opts or {}, { prompt = prompt }))
end

--- Applies a change: the one with this letter, or at the cursor.
---@type fun(letter?: string)
M.apply = of('actions', 'decide', 'apply')
---@type fun(letter?: string, reason?: string) the agent hears the reason
M.reject = of('actions', 'decide', 'reject')
---@type fun(letter?: string)
M.unreject = of('actions', 'decide', 'unreject')
---@type fun(take: 'mine'|'agent'|'ask', letter?: string)
M.resolve = of('actions', 'resolve')
---@type fun(summary?: string)
M.commit = of('commit', 'commit')

---@param reason? string
---@param opts? {applied?: boolean, confirmed?: boolean} also take back what is applied; do not ask
function M.revert(reason, opts)
  opts = opts or {}
  require('galley.commit').revert(reason, opts.applied, opts.confirmed)
end

---@type fun(count?: integer)
M.next = of('walk', 'go', 1)
---@type fun(count?: integer)
M.prev = of('walk', 'go', -1)

--- The undecided changes of a buffer, in order.
---@param bufnr? integer
---@return galley.Place[]
function M.changes(bufnr)
  bufnr = bufnr ~= 0 and bufnr or vim.api.nvim_get_current_buf()
  return require('galley.preview').places(bufnr)
end

--- Draws changes in another style; without one, the next.
---@param style? 'inline'|'signs'|'split'
function M.style(style)
  local config = require('galley.config').get()
  local all = require('galley.config').choices['preview.style']
  local at = vim.fn.index(all, config.preview.style) + 1
  style = style or all[at % #all + 1]
  if not vim.list_contains(all, style) then
    local told = 'there is no style %s; there are %s'
    return require('galley.notify').warn(told:format(style, table.concat(all, ', ')))
  end
  config.preview.style = style --[[@as 'inline'|'signs'|'split']]
  require('galley.preview').off = false
  require('galley.preview').redraw()
  require('galley.diff').restyle()
end

--- Hides all previews, or shows them again.
---@return boolean shown
function M.toggle()
  local preview = require('galley.preview')
  preview.off = not preview.off
  preview.redraw()
  return not preview.off
end

return M
