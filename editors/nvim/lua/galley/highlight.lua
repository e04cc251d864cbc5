-- Highlight groups. Each is linked to one that colour schemes know, or made from one, and yours to set.
local editor = require('galley.editor')

local api = vim.api

local M = {}

--- group → the first of these that has colours
---@type table<string, string[]>
M.links = {
  GalleyAdd = { 'DiffAdd' },
  GalleyDelete = { 'DiffDelete' },
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

--- Colours of lines where a terminal has no true ones: the background of 256, the foreground of 16. What schemes have
--- for these are colours that text is written in, too: on them a part of the code could not be read.
---@type table<string, table<string, [integer, integer]>>
local shades = {
  GalleyAdd = { dark = { 22, 10 }, light = { 194, 2 } },
  GalleyApplied = { dark = { 236, 10 }, light = { 194, 2 } },
  GalleyDelete = { dark = { 52, 9 }, light = { 224, 1 } },
  GalleyConflict = { dark = { 236, 14 }, light = { 254, 4 } },
  GalleyConflictWord = { dark = { 53, 11 }, light = { 153, 5 } },
}

---@param name string
---@return boolean
local function is_set(name)
  local hl = get(name)
  return (hl.fg or hl.bg or hl.ctermfg or hl.ctermbg or hl.reverse or hl.bold) ~= nil
end

--- A colour whose parts are those of one or two others, as fn makes them.
---@param fn fun(a: integer, b?: integer): number
---@param a integer
---@param b? integer
---@return integer
local function each_part(fn, a, b)
  local out = 0
  for _, shift in ipairs({ 65536, 256, 1 }) do
    local part = fn(math.floor(a / shift) % 256, b and math.floor(b / shift) % 256)
    out = out + math.floor(math.max(0, math.min(255, part)) + 0.5) * shift
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
    local by = vim.o.background == 'dark' and 1.5 or 0.82
    out.bg = each_part(function(part)
      return math.floor(part * by)
    end, hl.bg)
  else
    out.underline = true
  end
  return out
end

--- The pure colour of a colour.
---@param colour integer
---@return integer
local function pure(colour)
  local low, high = 255, 0
  each_part(function(part)
    low, high = math.min(low, part), math.max(high, part)
    return 0
  end, colour)
  low = low * 0.95
  return each_part(function(part)
    return math.floor((part - low) / math.max(1, high - low) * 255)
  end, colour)
end

--- Lines need a background: where the scheme has none for them, its foreground is mixed into the normal one.
---@param name string
---@param hl vim.api.keyset.get_hl_info as the scheme has it
---@return vim.api.keyset.highlight
local function tinted(name, hl)
  local out = vim.deepcopy(hl) --[[@as vim.api.keyset.highlight]]
  local background = vim.o.background
  local dark = background == 'dark'
  if not hl.bg and hl.fg and not hl.reverse then
    local normal = get('Normal').bg or (dark and 0x000000 or 0xffffff)
    local bg = each_part(function(x, y)
      return x + (y - x) * (dark and 0.28 or 0.2)
    end, normal, pure(hl.fg))
    out = { bg = bg, ctermbg = hl.ctermbg }
  end
  local known = tonumber(vim.fn.eval('&t_Co')) or 256
  if known < 256 or (out.ctermbg or 0) < 16 then
    local shade = shades[name][background]
    local plain = known < 16 and shade[2] % 8 or shade[2]
    out.cterm, out.ctermfg, out.ctermbg =
      {}, known < 256 and plain or nil, known >= 256 and shade[1] or nil
  end
  return out
end

function M.setup()
  for name, candidates in pairs(M.links) do
    for i, candidate in ipairs(candidates) do
      if i == #candidates or is_set(candidate) then
        set(name, shades[name] and tinted(name, get(candidate)) or { link = candidate })
        break
      end
    end
  end
  set('GalleyLetterActive', { link = 'Search' })
  set('GalleyAddWord', stronger('GalleyAdd'))
  set('GalleyDeleteWord', stronger('GalleyDelete'))
end

local again = 'link the highlight groups again'
editor.on('ColorScheme', again, M.setup)
local shading = { pattern = 'background,termguicolors' } -- they change Neovim's own colours without that event
editor.on('OptionSet', again, vim.schedule_wrap(M.setup), shading)

return M
