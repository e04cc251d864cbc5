-- Captured screens of a Neovim in a terminal, and the files that hold them: the text, then for each row how many cells
-- are shown in which manner, and what the manners are.
local M = {}

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')

-- What differs from run to run.
local masks = {
  { '01%u%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w', ('S'):rep(26) },
  { '%d%d:%d%d:%d%d', 'hh:mm:ss' },
  { '%d%d%d%d%-%d%d%-%d%d', 'yyyy-mm-dd' },
  { '%d+%.%d s', '0.0 s' },
}

function M.masked(line)
  for _, mask in ipairs(masks) do
    line = line:gsub(mask[1], mask[2])
  end
  return line
end

local function colour(number)
  return number and ('#%06x'):format(number) or nil
end

-- Of a cell only what people see: colours and how it is written.
local function manner(attributes)
  local words = {}
  for _, key in ipairs({ 'bold', 'italic', 'underline', 'undercurl', 'strikethrough', 'reverse' }) do
    if attributes[key] then
      words[#words + 1] = key
    end
  end
  return ('%s on %s%s'):format(
    colour(attributes.foreground) or 'plain',
    colour(attributes.background) or 'plain',
    #words > 0 and ' ' .. table.concat(words, ' ') or ''
  )
end

---Letters as runs: ....aab is ".4 a2 b1".
function M.runs(letters)
  local out, from = {}, 1
  for i = 1, #letters do
    if letters[i + 1] ~= letters[i] then
      out[#out + 1] = letters[i] .. (i - from + 1)
      from = i + 1
    end
  end
  return table.concat(out, ' ')
end

---The screen as text and, a letter for the cells that follow one another alike, as manners.
function M.capture(neovim)
  local known, legend, text, shown = {}, {}, {}, {}
  vim.cmd('redraw')
  local top = vim.fn.win_screenpos(neovim.window)[1] - 1
  for row = 1, neovim.size[2] do
    local letters, chars = {}, {}
    for column = 1, neovim.size[1] do
      local cell = vim.api.nvim__inspect_cell(1, top + row - 1, column - 1)
      local is = manner(cell[2] or {})
      if not known[is] then
        legend[#legend + 1] = is
        known[is] = #legend == 1 and '.' or string.char(95 + #legend)
      end
      letters[column], chars[column] = known[is], cell[1]
    end
    text[row] = M.masked((table.concat(chars):gsub('%s+$', '')))
    shown[row] = M.runs(letters)
  end
  return { text = text, shown = shown, legend = legend }
end

function M.format(screen)
  local out = vim.list_extend({}, screen.text)
  out[#out + 1] = '--- manners'
  for row, letters in ipairs(screen.shown) do
    out[#out + 1] = ('%2d %s'):format(row, letters)
  end
  for i, is in ipairs(screen.legend) do
    out[#out + 1] = ('%s: %s'):format(i == 1 and '.' or string.char(95 + i), is)
  end
  return table.concat(out, '\n') .. '\n'
end

local function read(path)
  local file = io.open(path, 'rb')
  return file and file:read('*a'), file and file:close()
end

-- Both versions share a file where they draw alike; else the older one has its own.
local function files(name, version)
  local shared = ('%s/screens/%s.txt'):format(here, name)
  local own = ('%s/screens/%s.%s.txt'):format(here, name, version)
  return shared, own
end

function M.check(t, neovim, name)
  local shared, own = files(name, t.version)
  local want = read(own) or read(shared)
  local got
  if vim.env.UPDATE == '1' then
    got = M.settled(t, neovim)
    local path = (t.version == '0.12' or not read(shared)) and shared or own
    if got == read(shared) then
      os.remove(own)
    else
      local file = assert(io.open(path, 'wb'))
      file:write(got)
      file:close()
    end
    return
  end
  t:ok(want, ('there is no screen %s yet: run with UPDATE=1 and look at it'):format(name))
  t:await('the screen ' .. name, function()
    got = M.format(M.capture(neovim))
    return got == want
  end, function()
    return vim.text and vim.diff(want, got) or vim.diff(want, got)
  end)
end

---The screen when it has stayed the same for as long as anything here takes to arrive.
function M.settled(t, neovim)
  local last, same = nil, 0
  t:await('a quiet screen', function()
    local now = M.format(M.capture(neovim))
    same = now == last and same + 1 or 0
    last = now
    return same > 60
  end)
  return last
end

return M
