-- Asking the agent.
local actions = require('galley.actions')
local client = require('galley.client')
local compat = require('galley.compat')
local config = require('galley.config')
local ext = require('galley.ext')
local history = require('galley.history')
local run = require('galley.run')

local api = vim.api

local M = {}

---@class galley.Asking
---@field prompt? string nil: it is asked for
---@field range? {first: integer[], last: integer[]} rows and bytes, 0-based, the last one exclusive
---@field queue? boolean after the run that goes on, not within it
---@field box? boolean a window for several lines

--- Where the user stands, for the agent.
---@param c vim.lsp.Client
---@param bufnr integer
---@param range? {first: integer[], last: integer[]}
---@return string? uri
---@return lsp.Range? range
local function place(c, bufnr, range)
  if not vim.lsp.buf_is_attached(bufnr, c.id) then
    return
  end
  local function position(at)
    local line = api.nvim_buf_get_lines(bufnr, at[1], at[1] + 1, false)[1] or ''
    return { line = at[1], character = compat.character(line, at[2], c.offset_encoding) }
  end
  local uri = vim.uri_from_bufnr(bufnr)
  return uri, range and { start = position(range.first), ['end'] = position(range.last) }
end

--- Asks as a command of the server's does, such as that of a comment's code action.
---@param c vim.lsp.Client
---@param argument table
function M.send(c, argument)
  actions.execute(c, ext.commands.ask, argument, function(result)
    run.asked(c.id, result.run, argument.prompt)
  end)
end

---@param bufnr integer
---@param prompt? string
---@param asking galley.Asking
local function send(bufnr, prompt, asking)
  prompt = vim.trim(prompt or '')
  if prompt == '' then
    return
  end
  history.add(prompt)
  client.ensure(bufnr, function(c)
    local uri, range = place(c, bufnr, asking.range)
    M.send(c, { prompt = prompt, uri = uri, range = range, queue = asking.queue })
  end)
end

--- Asks; without a prompt it is asked for first.
---@param asking? galley.Asking
function M.ask(asking)
  asking = asking or {}
  local from = vim.b.galley_asked_from
  local bufnr = from and api.nvim_buf_is_valid(from) and from or api.nvim_get_current_buf()
  if asking.prompt and asking.prompt ~= '' then
    return send(bufnr, asking.prompt, asking)
  end
  local function got(prompt)
    send(bufnr, prompt, asking)
  end
  if asking.box or config.get().ask.input == 'box' then
    return require('galley.box').open(got)
  end
  history.to_input()
  vim.ui.input({ prompt = asking.range and 'Ask galley about this: ' or 'Ask galley: ' }, got)
end

return M
