-- Walking from change to change: at once within a buffer, where the places are known; over files the server knows the
-- way. What is typed behind a step waits until the step has arrived.
local client = require('galley.client')
local compat = require('galley.compat')
local ext = require('galley.ext')
local jump = require('galley.jump')
local notify = require('galley.notify')
local preview = require('galley.preview')
local state = require('galley.state')
local target = require('galley.target')

local api = vim.api

local M = {}

--- What waits for a step of the server's.
---@type fun()[]?
local waiting

--- The place that the server is about to show, where we have gone already.
---@type string?
local expected

---@param uri string
---@param range? galley.Range
---@return string
local function key_of(uri, range)
  return range and ('%s %d %d'):format(uri, range.start.line, range.start.character) or uri
end

--- Calls fn when no step is under way.
---@param fn fun()
function M.arrived(fn)
  if waiting then
    table.insert(waiting, fn)
  else
    fn()
  end
end

--- Whether the server shows a place that we have gone to with its answer.
---@param uri string
---@param range? galley.Range
---@return boolean
function M.is_expected(uri, range)
  if expected ~= key_of(uri, range) then
    return false
  end
  expected = nil
  return true
end

--- The byte of a line that the cursor can reach for a spot: it cannot stand behind the end, but a change can.
---@param spot galley.Spot
---@param line string
---@return integer
local function reachable(spot, line)
  if spot.col < #line then
    return spot.col
  end
  local last = vim.fn.matchstr(line, '.$') ---@type string
  return #line - #last
end

--- The place behind or before the cursor in this buffer, if there is one.
---@param step 1|-1
---@return galley.Spot?
local function here(step)
  local cursor = api.nvim_win_get_cursor(0)
  local row, col = cursor[1] - 1, cursor[2]
  local found ---@type galley.Spot?
  for _, spot in ipairs(preview.spots(api.nvim_get_current_buf())) do
    local at = reachable(spot, api.nvim_buf_get_lines(0, spot.row, spot.row + 1, false)[1] or '')
    local behind = spot.row > row or spot.row == row and at > col
    local before = spot.row < row or spot.row == row and at < col
    if step > 0 and behind then
      return spot
    elseif step < 0 and before then
      found = spot
    end
  end
  return found
end

--- Where the user is, for the server.
---@param c vim.lsp.Client
---@return table
local function position(c)
  local bufnr = api.nvim_get_current_buf()
  local letter = target.of_document(bufnr)
  local change, file = state.find(c.id, letter or '')
  if change and file then
    return { uri = file.uri, position = change.range.start }
  elseif not vim.lsp.buf_is_attached(bufnr, c.id) then
    return {}
  end
  local cursor, line = api.nvim_win_get_cursor(0), api.nvim_get_current_line()
  local row, col = cursor[1] - 1, cursor[2]
  for _, spot in ipairs(preview.spots(bufnr)) do
    if spot.row == row and reachable(spot, line) == col then -- as near to it as the cursor can be
      col = math.max(col, spot.col)
    end
  end
  return {
    uri = vim.uri_from_bufnr(bufnr),
    position = { line = row, character = compat.character(line, col, c.offset_encoding) },
  }
end

--- Asks the server, and goes there unless the user has gone elsewhere meanwhile.
---@param c vim.lsp.Client
---@param step 1|-1
---@param count integer
local function ask(c, step, count)
  local win, bufnr = api.nvim_get_current_win(), api.nvim_get_current_buf()
  waiting = waiting or {}
  local function over()
    local fns = waiting or {}
    waiting = nil
    for _, fn in ipairs(fns) do
      fn()
    end
  end
  local command = step > 0 and ext.commands.next or ext.commands.previous
  local params = { command = command, arguments = { position(c) } }
  client.request(c, 'workspace/executeCommand', params, function(err, result)
    if err then
      notify.info(err.message)
      return over()
    end
    local at = result.location
    local uri, range = jump.place_of(c, state.find(c.id, result.change), at.uri, at.range)
    expected = key_of(uri, range)
    if api.nvim_get_current_win() == win and api.nvim_get_current_buf() == bufnr then
      jump.to(c, uri, range)
      if count > 1 then
        return M.go(step, count - 1)
      end
    end
    over()
  end)
end

--- To the next change or the one before, over all files and around.
---@param step 1|-1
---@param count? integer
function M.go(step, count)
  local c = require('galley.actions').client()
  if not c then
    return
  end
  count = count or 1
  while count > 0 do
    local spot = here(step)
    if not spot then
      return ask(c, step, count)
    end
    vim.cmd("normal! m'")
    jump.cursor(api.nvim_get_current_win(), spot.row, spot.col)
    preview.seen(api.nvim_get_current_win())
    count = count - 1
  end
  local fns = waiting
  waiting = nil
  for _, fn in ipairs(fns or {}) do
    fn()
  end
end

return M
