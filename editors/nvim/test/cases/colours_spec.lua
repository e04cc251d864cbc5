-- U55: with 16, 256 and all colours, on light and dark, what would come and go can be read.
local case = require('harness').case

-- In the Neovim under test: the worst contrast of a line's text with its background, over all that a line is made of.
local worst = [[
  local colours, syntax = ...
  local eval = vim.fn.eval
  vim.fn.eval = function(what)
    return what == '&t_Co' and tostring(math.min(colours, 256)) or eval(what)
  end
  vim.o.termguicolors = colours > 256
  require('galley.highlight').setup()
  vim.fn.eval = eval
  local steps = { 0, 95, 135, 175, 215, 255 }
  local xterm = {
    [0] = 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
    0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
  }
  local function split(n)
    return { math.floor(n / 65536), math.floor(n / 256) % 256, n % 256 }
  end
  local function rgb(index)
    if index < 16 then
      return split(xterm[index])
    elseif index > 231 then
      return split((8 + 10 * (index - 232)) * 0x010101)
    end
    local n = index - 16
    return { steps[math.floor(n / 36) + 1], steps[math.floor(n / 6) % 6 + 1], steps[n % 6 + 1] }
  end
  local function luminance(c)
    local part = {}
    for i, v in ipairs(c) do
      v = v / 255
      part[i] = v <= 0.03928 and v / 12.92 or ((v + 0.055) / 1.055) ^ 2.4
    end
    return 0.2126 * part[1] + 0.7152 * part[2] + 0.0722 * part[3]
  end
  local function of(groups, gui, cterm)
    for i = #groups, 1, -1 do
      local hl = vim.api.nvim_get_hl(0, { name = groups[i], link = false })
      if colours > 256 and hl[gui] then
        return split(hl[gui])
      elseif colours <= 256 and hl[cterm] then
        if hl[cterm] >= colours then
          assert(not groups[i]:find('^Galley'), groups[i] .. ' has a colour that is not there')
          return rgb(hl[cterm] % 8)
        end
        return rgb(hl[cterm])
      end
    end
    local dark = vim.o.background == 'dark'
    return (dark == (gui == 'bg')) and { 0, 0, 0 } or { 255, 255, 255 }
  end
  local function contrast(groups)
    local a, b = luminance(of(groups, 'fg', 'ctermfg')), luminance(of(groups, 'bg', 'ctermbg'))
    return (math.max(a, b) + 0.05) / (math.min(a, b) + 0.05)
  end
  local least, what = 99, ''
  for _, line in ipairs({ 'GalleyAdd', 'GalleyDelete', 'GalleyConflict', 'GalleyApplied' }) do
    local over = { 'Normal', line .. 'Word' }
    if syntax and (line ~= 'GalleyAdd' or vim.o.termguicolors) then
      vim.list_extend(over, {
        'String', 'Comment', 'Identifier', 'Function', 'Statement', 'Constant', 'Type', 'Special', 'PreProc', 'Number',
      })
    end
    for _, group in ipairs(over) do
      local plain = contrast({ 'Normal', group })
      local here = contrast(group == 'Normal' and { 'Normal', line } or { 'Normal', line, group })
      -- a colour of the scheme's that can hardly be read in other lines is no fault of these
      here = plain < 4.5 and here * math.min(4.5 / plain, 2) or here
      if here < least then
        least, what = here, ('%s on %s'):format(group, line)
      end
    end
  end
  return { least, what }
]]

case('colours: U55 new and old lines can be read with 8, 16, 256 and all colours', function(t)
  local n = t:neovim({})
  for _, background in ipairs({ 'dark', 'light' }) do
    n:cmd('set background=' .. background)
    for _, scheme in ipairs({ 'default', 'habamax', 'retrobox', 'quiet' }) do
      n:cmd('colorscheme ' .. scheme)
      local few = scheme == 'default' and { 8, 16 } or {} -- the others choose theirs as they are loaded
      for _, colours in ipairs(vim.list_extend(few, { 256, 16777216 })) do
        local least = n:lua(worst, colours, scheme == 'default')
        local where = ('%s, %s, %d colours'):format(scheme, background, colours)
        t:say('%s: %.1f, %s', where, least[1], least[2])
        t:ok(least[1] >= 2, ('%s: the contrast is %.1f: %s'):format(where, least[1], least[2]))
      end
    end
  end
end)
