-- Highlight groups. Each is linked to one that colour schemes know, or made from one, and yours to set.
local api = vim.api

local M = {}

--- group → the first of these that has colours
---@type table<string, string[]>
M.links = {
  GalleyAdd = { 'DiffAdd' },
  GalleyConflict = { 'DiffChange' },
  GalleyConflictWord = { 'DiffText' },
  GalleyConflictNote = { 'DiagnosticWarn', 'WarningMsg' },
  GalleySignAdd = { 'Added', 'diffAdded', 'DiffAdd' },
  GalleySignDelete = { 'Removed', 'diffRemoved', 'DiffDelete' },
  GalleySignChange = { 'Changed', 'diffChanged', 'DiffChange' },
  GalleySignConflict = { 'DiagnosticSignWarn', 'WarningMsg' },
  GalleyGutter = { 'SignColumn' },
  GalleyReason = { 'Comment' },
  GalleyHint = { 'Special' },
  GalleyLetter = { 'Title' },
  GalleyFold = { 'Folded' },
  GalleyApplied = { 'DiffAdd' },
  GalleyRejected = { 'DiffDelete' },
  GalleyDecided = { 'DiagnosticInfo', 'Comment' },
  GalleyPrompt = { 'Title' },
  GalleyTool = { 'Special' },
  GalleyError = { 'DiagnosticError', 'ErrorMsg' },
  GalleyDone = { 'DiagnosticOk', 'Added' },
}

---@param name string
---@return vim.api.keyset.get_hl_info
local function get(name)
  return api.nvim_get_hl(0, { name = name, link = false })
end

---@param name string
---@return boolean
local function is_set(name)
  local hl = get(name)
  return (hl.fg or hl.bg or hl.ctermfg or hl.ctermbg or hl.reverse or hl.bold) ~= nil
end

---@param a integer
---@param b integer
---@param share number of b
---@return integer
local function mix(a, b, share)
  local out = 0
  for _, shift in ipairs({ 65536, 256, 1 }) do
    local x, y = math.floor(a / shift) % 256, math.floor(b / shift) % 256
    out = out + math.floor(x + (y - x) * share + 0.5) * shift
  end
  return out
end

---@param colour integer
---@param by number
---@return integer
local function scaled(colour, by)
  local out = 0
  for _, shift in ipairs({ 65536, 256, 1 }) do
    out = out + math.min(255, math.floor((math.floor(colour / shift) % 256) * by)) * shift
  end
  return out
end

--- What was set here last. Groups that are something else are yours, or the colour scheme's.
---@type table<string, vim.api.keyset.get_hl_info>
local own = {}

---@param name string
---@param value vim.api.keyset.highlight
local function set(name, value)
  local now = api.nvim_get_hl(0, { name = name })
  if next(now) == nil or own[name] and vim.deep_equal(now, own[name]) then
    api.nvim_set_hl(0, name, value)
    own[name] = api.nvim_get_hl(0, { name = name })
  end
end

--- The same, stronger: for words within lines.
---@param from string
---@return vim.api.keyset.highlight
local function stronger(from)
  local hl = get(from)
  local out = { bold = true, cterm = { bold = true, underline = true } } ---@type vim.api.keyset.highlight
  if hl.bg then
    out.bg = scaled(hl.bg, vim.o.background == 'dark' and 1.5 or 0.82)
  else
    out.underline = true
  end
  return out
end

--- The pure colour of a colour.
---@param colour integer
---@return integer
local function pure(colour)
  local parts = {}
  for i, shift in ipairs({ 65536, 256, 1 }) do
    parts[i] = math.floor(colour / shift) % 256
  end
  local low = math.min(unpack(parts)) * 0.95
  local high = math.max(1, math.max(unpack(parts)) - low)
  local out = 0
  for i, shift in ipairs({ 65536, 256, 1 }) do
    out = out + math.floor((parts[i] - low) / high * 255) * shift
  end
  return out
end

--- Lines that would go need a background: where the scheme has none, its foreground is mixed into the normal one.
---@param from string
---@return vim.api.keyset.highlight
local function tinted(from)
  local hl = get(from)
  if hl.bg or not hl.fg or hl.reverse then
    return { link = from }
  end
  local dark = vim.o.background == 'dark'
  local normal = get('Normal').bg or (dark and 0x000000 or 0xffffff)
  return { bg = mix(normal, pure(hl.fg), dark and 0.28 or 0.2), ctermfg = hl.ctermfg }
end

function M.setup()
  for name, candidates in pairs(M.links) do
    for i, candidate in ipairs(candidates) do
      if i == #candidates or is_set(candidate) then
        set(name, { link = candidate })
        break
      end
    end
  end
  set('GalleyDelete', tinted('DiffDelete'))
  set('GalleyLetterActive', { link = 'Search' })
  set('GalleyAddWord', stronger('GalleyAdd'))
  set('GalleyDeleteWord', stronger('GalleyDelete'))
end

return M
