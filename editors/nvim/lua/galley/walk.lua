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
---@type {uri: string, start?: lsp.Position}?
local expected

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
---@param range? lsp.Range
---@return boolean
function M.is_expected(uri, range)
  local is = vim.deep_equal(expected, { uri = uri, start = range and range.start })
  expected = not is and expected or nil
  return is
end

--- The byte of a line that the cursor can reach for a spot: it cannot stand behind the end, but a change can.
---@param place galley.Place
---@return integer
local function reachable(place)
  local line = api.nvim_buf_get_lines(0, place.start, place.start + 1, false)[1] or ''
  return place.col < #line and place.col or #line - #vim.fn.matchstr(line, '.$')
end

--- The place behind or before the cursor in this buffer, if there is one.
---@param step 1|-1
---@return galley.Place?
local function here(step)
  local cursor = api.nvim_win_get_cursor(0)
  local row, col = cursor[1] - 1, cursor[2]
  local list = vim.iter(preview.places(api.nvim_get_current_buf()))
  return (step > 0 and list or list:rev()):find(function(place)
    local by = place.start == row and reachable(place) - col or place.start - row
    return by * step > 0
  end)
end

--- Where the user is, for the server.
---@param c vim.lsp.Client
---@return table
local function position(c)
  local bufnr = api.nvim_get_current_buf()
  local change, file = state.find(c.id, target.of_document() or '')
  if change and file then
    return { uri = file.uri, position = change.range.start }
  elseif not vim.lsp.buf_is_attached(bufnr, c.id) then
    return {}
  end
  local cursor, line = api.nvim_win_get_cursor(0), api.nvim_get_current_line()
  local row, col = cursor[1] - 1, cursor[2]
  for _, place in ipairs(preview.places(bufnr)) do
    if place.start == row and reachable(place) == col then -- as near to it as the cursor can be
      col = math.max(col, place.col)
    end
  end
  return {
    uri = vim.uri_from_bufnr(bufnr),
    position = { line = row, character = compat.character(line, col, c.offset_encoding) },
  }
end

--- No step is under way any more.
local function over()
  local fns = waiting or {}
  waiting = nil
  for _, fn in ipairs(fns) do
    fn()
  end
end

--- Asks the server, and goes there unless the user has gone elsewhere meanwhile.
---@param c vim.lsp.Client
---@param step 1|-1
---@param count integer
local function ask(c, step, count)
  local win, bufnr = api.nvim_get_current_win(), api.nvim_get_current_buf()
  waiting = waiting or {}
  local command = step > 0 and ext.commands.next or ext.commands.previous
  client.execute(c, command, position(c), function(err, result)
    if err then
      notify.info(err.message)
      return over()
    end
    local at = result.location
    local uri, range = jump.place_of(c, state.find(c.id, result.change), at.uri, at.range)
    expected = { uri = uri, start = range and range.start }
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
  for left = count or 1, 1, -1 do
    local place = here(step)
    if not place then
      return ask(c, step, left)
    end
    vim.cmd("normal! m'")
    jump.cursor(api.nvim_get_current_win(), place.start, place.col)
    preview.seen(api.nvim_get_current_win())
  end
  over()
end

return M
