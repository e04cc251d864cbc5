-- What you may call. Everything works without setup().
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
---@param letter? string
function M.apply(letter)
  require('galley.actions').decide('apply', letter)
end

---@param letter? string
---@param reason? string the agent hears it
function M.reject(letter, reason)
  require('galley.actions').decide('reject', letter, reason)
end

---@param letter? string
function M.unreject(letter)
  require('galley.actions').decide('unreject', letter)
end

---@param take 'mine'|'agent'|'ask'
---@param letter? string
function M.resolve(take, letter)
  require('galley.actions').resolve(take, letter)
end

---@param summary? string
function M.commit(summary)
  require('galley.commit').commit(summary)
end

---@param reason? string
---@param opts? {applied?: boolean} also take back what is applied
function M.revert(reason, opts)
  require('galley.commit').revert(reason, opts and opts.applied or false)
end

---@param count? integer
function M.next(count)
  require('galley.walk').go(1, count)
end

---@param count? integer
function M.prev(count)
  require('galley.walk').go(-1, count)
end

--- The undecided changes of a buffer, in order.
---@param bufnr? integer
---@return galley.Place[]
function M.changes(bufnr)
  return require('galley.preview').places(
    bufnr and bufnr ~= 0 and bufnr or vim.api.nvim_get_current_buf()
  )
end

--- Draws changes in another style; without one, the next.
---@param style? 'inline'|'signs'|'split'
function M.style(style)
  local config = require('galley.config').get()
  local all = { 'inline', 'signs', 'split' }
  for i, name in ipairs(all) do
    if not style and config.preview.style == name then
      style = all[i % #all + 1]
    end
  end
  if not vim.list_contains(all, style) then
    return require('galley.notify').warn(
      ('there is no style %s; there are %s'):format(style, table.concat(all, ', '))
    )
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
