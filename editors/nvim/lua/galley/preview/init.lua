-- The preview: what waits for a decision is shown in the buffers where it would go.
--
-- The places in a message of the server belong to one version of the text. Where that is not the buffer's, nothing is
-- drawn anew: what is drawn moves along with the text, and the server's next message is on its way.
local config = require('galley.config')
local decided = require('galley.preview.decided')
local layout = require('galley.preview.layout')
local marks = require('galley.preview.marks')
local paint = require('galley.preview.paint')
local state = require('galley.state')
local syntax = require('galley.preview.syntax')
local top = require('galley.preview.top')
local versions = require('galley.versions')

local api = vim.api

local M = {}

local patience = 12 -- milliseconds for colours in one go

---@class galley.Shown
---@field client_id integer
---@field drawn table<string, galley.Drawn>
---@field expanded table<string, true>
---@field waited table<string, galley.Change> changes as they were last
---@field active? string
---@field layout? galley.Layout
---@field more? boolean colours are still to come

---@type table<integer, galley.Shown>
local shown = {}

--- Nothing is drawn while this is set.
M.off = false

---@param bufnr integer
---@return table<string, galley.Drawn>
local function drawn(bufnr)
  return shown[bufnr] and shown[bufnr].drawn or {}
end

--- Shows shortly what has become of changes that waited.
---@param bufnr integer
---@param s galley.Shown
---@param file galley.File
---@param encoding string
local function follow(bufnr, s, file, encoding)
  local waited = {} ---@type table<string, galley.Change>
  for _, change in ipairs(file.changes) do
    local key = marks.key(change)
    local was = s.waited[key]
    waited[key] = change
    if was and was.state ~= change.state and not state.is_pending(change) then
      decided.show(bufnr, change, was, encoding)
    elseif not was or was.state ~= change.state then
      decided.clear(bufnr, change)
    end
  end
  s.waited = waited
end

---@param bufnr integer
---@param s galley.Shown
local function clear(bufnr, s)
  for _, d in pairs(s.drawn) do
    marks.erase(bufnr, d)
  end
  s.drawn = {}
end

--- Draws what the server said last about a buffer, where it is about the text as it is.
---@param bufnr integer
function M.update(bufnr)
  local s = shown[bufnr]
  local client = s and vim.lsp.get_client_by_id(s.client_id)
  if not client or not api.nvim_buf_is_loaded(bufnr) then
    return
  end
  local file = state.file(client, bufnr)
  if not file or M.off then
    clear(bufnr, s)
    s.waited = file and s.waited or {}
    return
  end
  if file.version ~= versions.of(bufnr) then
    return
  end
  local conf = config.get().preview
  s.layout, s.more = layout.of(bufnr), false
  local inline = conf.style == 'inline' and not s.layout.diff
  paint.all({
    bufnr = bufnr,
    shown = s,
    encoding = client.offset_encoding,
    file = file,
    inline = inline,
    lang = inline and conf.syntax and vim.o.termguicolors and syntax.language(bufnr) or nil,
    ends = vim.uv.hrtime() + patience * 1e6,
  })
  follow(bufnr, s, file, client.offset_encoding)
  top.fit(bufnr, M.above(bufnr))
  M.arrive(bufnr)
  if s.more then
    vim.defer_fn(function()
      M.update(bufnr)
    end, 5)
  end
end

-- What others call --------------------------------------------------------------------------------------------------

---@param client vim.lsp.Client
---@param bufnr integer
function M.attach(client, bufnr)
  require('galley.preview.events')
  marks.clear(bufnr)
  shown[bufnr] = { client_id = client.id, drawn = {}, expanded = {}, waited = {} }
  M.update(bufnr)
end

--- The client that a buffer is drawn for.
---@param bufnr integer
---@return vim.lsp.Client?
function M.client(bufnr)
  return shown[bufnr] and vim.lsp.get_client_by_id(shown[bufnr].client_id)
end

---@param bufnr integer
---@return boolean
function M.has_drawn(bufnr)
  return next(drawn(bufnr)) ~= nil
end

--- Forgets a buffer.
---@param bufnr integer
function M.detach(bufnr)
  if shown[bufnr] and api.nvim_buf_is_valid(bufnr) then
    marks.clear(bufnr)
  end
  shown[bufnr] = nil
end

--- The server said something new.
---@param client_id integer
function M.changed(client_id)
  for bufnr, s in pairs(shown) do
    if s.client_id == client_id then
      M.update(bufnr)
    end
  end
  require('galley.diff').changed(client_id)
end

--- The server is gone.
---@param client_id integer
function M.forget(client_id)
  for bufnr, s in pairs(shown) do
    if s.client_id == client_id then
      M.detach(bufnr)
    end
  end
end

--- Draws everything anew, after the options have changed.
function M.redraw()
  for bufnr, s in pairs(shown) do
    if api.nvim_buf_is_loaded(bufnr) then
      clear(bufnr, s)
      M.update(bufnr)
    end
  end
end

--- Takes away what edits are about to make, until the server says how it is then.
---@param bufnr integer
---@param edits lsp.TextEdit[]
function M.hide(bufnr, edits)
  for _, d in pairs(drawn(bufnr)) do
    local at = marks.where(bufnr, d)
    for _, edit in ipairs(edits) do
      if at and edit.range.start.line <= at.last and edit.range['end'].line >= at.row then
        marks.erase(bufnr, d)
        break
      end
    end
  end
end

--- Virtual lines above the first line of a buffer.
---@param bufnr integer
---@return integer
function M.above(bufnr)
  return vim.iter(drawn(bufnr)):fold(0, function(n, _, d)
    return n + d.above
  end)
end

--- The undecided changes of a buffer where they are now, in order.
---@param bufnr integer
---@return galley.Place[]
function M.places(bufnr)
  local out = {} ---@type galley.Place[]
  for _, d in pairs(drawn(bufnr)) do
    out[#out + 1] = marks.where(bufnr, d)
  end
  table.sort(out, function(a, b)
    if a.start ~= b.start then
      return a.start < b.start
    end
    return a.col < b.col or a.col == b.col and a.change.change < b.change.change
  end)
  return out
end

--- Where a change begins in a buffer now: as it is drawn, else as the server said last.
---@param client vim.lsp.Client
---@param bufnr integer
---@param change galley.Change
---@return integer row
---@return integer col
function M.start(client, bufnr, change)
  local d = drawn(bufnr)[marks.key(change)]
  local place = d and marks.where(bufnr, d)
  if place then
    return place.start, place.col
  end
  return state.place(bufnr, change.range.start, client.offset_encoding)
end

--- The change at a row: one whose lines would go there, else one that would bring lines beside it; the first letter.
---@param bufnr integer
---@param row integer
---@return galley.Place?
function M.at(bufnr, row)
  local best, rank ---@type galley.Place?, string?
  for _, p in ipairs(M.places(bufnr)) do
    if p.row <= row and row <= p.last then
      local d = drawn(bufnr)[marks.key(p.change)]
      local now = d.exact[row - p.row + 1] and 1 or row == p.last and 2 or 3
      now = now .. p.change.change
      if not rank or now < rank then
        best, rank = p, now
      end
    end
  end
  return best
end

--- Shows all lines of the change at a row, or folds them again.
---@param bufnr integer
---@param row integer
---@return boolean found
function M.expand(bufnr, row)
  local p = M.at(bufnr, row)
  if not p then
    return false
  end
  local s, key = shown[bufnr], marks.key(p.change)
  s.expanded[key] = not s.expanded[key] or nil
  M.update(bufnr)
  return true
end

--- Changes that the user had shown as a patch, and in which revision.
---@type table<string, integer>
local looked = {}

---@param change galley.Change
function M.saw(change)
  looked[marks.key(change)] = change.revision
end

--- How many lines of a change are folded, and were not shown otherwise.
---@param change galley.Change
---@return integer
function M.folded(change)
  local key, n = marks.key(change), 0
  for _, s in pairs(looked[key] ~= change.revision and shown or {}) do
    n = math.max(n, s.drawn[key] and s.drawn[key].folded or 0)
  end
  return n
end

--- The keys are named at the change that the cursor stands on.
---@param bufnr integer
function M.follow_cursor(bufnr)
  if not M.has_drawn(bufnr) or config.get().preview.style ~= 'inline' then
    return
  end
  local place = M.at(bufnr, api.nvim_win_get_cursor(0)[1] - 1)
  local key = place and marks.key(place.change)
  if key ~= shown[bufnr].active then
    shown[bufnr].active = key
    M.update(bufnr)
  end
end

--- The window that a change was gone to in, until all of it was drawn there.
---@type {win: integer, bufnr: integer, row: integer}?
local going

--- Brings the change that was gone to into sight, as soon as it is drawn.
---@param bufnr integer
function M.arrive(bufnr)
  local g = going
  if not g or g.bufnr ~= bufnr then
    return
  end
  local there = api.nvim_win_is_valid(g.win) and api.nvim_win_get_buf(g.win) == bufnr
  if not there or api.nvim_win_get_cursor(g.win)[1] - 1 ~= g.row then
    going = nil
    return
  end
  local place = M.at(bufnr, g.row)
  if place then
    going = nil
    top.whole(g.win, place.row, place.last, M.above(bufnr))
  end
end

--- After a jump: the whole change is to be seen.
---@param win integer
function M.seen(win)
  local bufnr = api.nvim_win_get_buf(win)
  top.fit(bufnr, M.above(bufnr))
  if win == api.nvim_get_current_win() then
    M.follow_cursor(bufnr)
  end
  going = { win = win, bufnr = bufnr, row = api.nvim_win_get_cursor(win)[1] - 1 }
  M.arrive(bufnr)
end

--- Windows show buffers in another way than these were drawn for.
---@param only? integer one of them
function M.relayout(only)
  for bufnr, s in pairs(shown) do
    local is_meant = bufnr == only or not only and vim.fn.bufwinid(bufnr) ~= -1
    if is_meant and next(s.drawn) and s.layout and layout.of(bufnr).key ~= s.layout.key then
      M.update(bufnr)
    end
  end
end

return M
