-- Agent sessions as people know them, by their titles: letters may be of several.
local state = require('galley.state')

local M = {}

local most = 40 -- characters of a title

---@param s galley.AgentSession
---@return string
function M.called(s)
  return s.title ~= '' and s.title or s.session
end

--- The title of a session, cut to what fits in a line.
---@param client_id integer
---@param session string
---@return string
function M.title(client_id, session)
  local edit = vim.iter(state.workspace(client_id).changes.edits):find(function(edit)
    return edit.session == session
  end)
  local title = (edit and edit.title or session):gsub('%s+', ' ')
  local cut = vim.fn.strcharpart(title, 0, most - 1)
  return ('"%s"'):format(vim.fn.strchars(title) > most and cut .. '…' or title)
end

--- What people call an edit: its number, or the title of its session where letters are of several; nil: it is the only
--- one.
---@param client_id integer
---@param of {session: string, edit: integer} a change or an edit
---@return string?
function M.name(client_id, of)
  local edits = state.workspace(client_id).changes.edits
  local own = vim.tbl_filter(function(edit)
    return edit.session == of.session
  end, edits)
  if #edits < 2 then
    return
  elseif #own == #edits then
    return '#' .. of.edit
  end
  return M.title(client_id, of.session) .. (#own > 1 and ' #' .. of.edit or '')
end

--- The letters that wait, by their sessions.
---@param client_id integer
---@return {change: galley.Change, file: galley.File}[]
---@return boolean several sessions
function M.letters(client_id)
  local pending, out, seen = state.pending(client_id), {}, {}
  for _, p in ipairs(pending) do
    if not vim.list_contains(seen, p.change.session) then
      seen[#seen + 1] = p.change.session
      local own = vim.tbl_filter(function(other)
        return other.change.session == p.change.session
      end, pending)
      vim.list_extend(out, own)
    end
  end
  return out, #seen > 1
end

return M
