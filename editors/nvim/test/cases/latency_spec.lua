-- Typing must stay smooth. Measured against a Neovim without the plugin, key by key in turns, so that what disturbs the
-- machine disturbs both.
local case = require('harness').case
local uv = vim.uv

local lines = 2000

local function file()
  local out = {}
  for i = 1, lines do
    out[i] = ('local value_%04d = compute(%d, "a string of some length", { key = %d })'):format(
      i,
      i,
      i
    )
  end
  return table.concat(out, '\n') .. '\n'
end

local function letters()
  local steps = {}
  for i = 1, 26 do
    local at = i <= 12 and 990 + i * 2 or i * 70 -- half of them on the screen
    steps[i] = ('replace "compute(%d, " with "compute(%d, more_%d, " in f.txt'):format(at, at, at)
  end
  return table.concat(steps, ' then ')
end

local text = ('The quick brown fox jumps over the lazy dog, (again) and = "again". '):rep(8)

---Milliseconds from a key to the screen that shows it.
local function key(n, char)
  local begun = uv.hrtime()
  n:type(char == '<' and '<lt>' or char)
  n:call('nvim_command', 'redraw')
  return (uv.hrtime() - begun) / 1e6
end

local function at(sorted, share)
  return sorted[math.max(1, math.ceil(#sorted * share))]
end

---Milliseconds of processor time that it has used.
local function used(n)
  return n:lua(
    'local u = vim.uv.getrusage() return (u.utime.sec + u.stime.sec) * 1e3 + (u.utime.usec + u.stime.usec) / 1e3'
  )
end

case('latency: typing among 26 staged changes', function(t)
  local with = t:neovim({ files = { ['f.txt'] = file() }, open = 'f.txt', size = { 120, 50 } })
  local without =
    t:neovim({ files = { ['f.txt'] = file() }, open = 'f.txt', size = { 120, 50 }, plugin = false })
  with:ask(letters())
  with:await('26 letters', 'return #vim.tbl_keys(inside.letters()) == 26')
  with:lua("inside.wire = nil; if vim.fn.win_gettype() ~= '' then vim.cmd('quit') end")
  for _, n in ipairs({ with, without }) do
    n:keys('1004Gzzo')
  end
  with:shows('more_1000')
  local times, work = { [with] = {}, [without] = {} }, { [with] = 0, [without] = 0 }
  for block = 1, #text, 40 do
    for _, n in ipairs({ with, without }) do
      local begun = used(n)
      for char in text:sub(block, block + 39):gmatch('.') do
        table.insert(times[n], key(n, char))
      end
      work[n] = work[n] + used(n) - begun
    end
  end
  for _, n in ipairs({ with, without }) do
    n:keys('<Esc>')
    table.sort(times[n])
  end
  t:eq(with:lua('return vim.api.nvim_get_current_line()'), text, 'what was typed')
  with:lua('inside.wire = {}')
  with:agrees()
  local on, off = times[with], times[without]
  t:say(
    'ms a key, 26 letters / no plugin: median %.2f / %.2f (%.2f times), 95 %% %.2f / %.2f, worst %.1f / %.1f',
    at(on, 0.5),
    at(off, 0.5),
    at(on, 0.5) / at(off, 0.5),
    at(on, 0.95),
    at(off, 0.95),
    on[#on],
    off[#off]
  )
  t:say(
    'processor time: %.2f / %.2f (%.2f times)',
    work[with] / #text,
    work[without] / #text,
    work[with] / work[without]
  )
  -- The processor's time is what a busy machine does not change much.
  t:ok(
    work[with] <= 2 * work[without] + 1 * #text,
    'a key takes more than twice the work, and a millisecond'
  )
  t:ok(
    at(on, 0.5) <= 2 * at(off, 0.5) + 5,
    'the median is more than twice that without the plugin, and 5 ms'
  )
end)
