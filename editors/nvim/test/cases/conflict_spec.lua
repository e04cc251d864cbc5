-- Conflicts: both sides are shown, and the user's text stays until the user decides.
local case = require('harness').case

local before = 'one\ntimeout: 30\nthree\n'
local prompt = 'replace "timeout: 30" with "timeout: 60" in f.txt'

local function conflict(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:letters({ A = 'staged' })
  n:keys('jA s<Esc>')
  n:letters({ A = 'conflict' })
  t:eq(n:text(), 'one\ntimeout: 30 s\nthree\n')
  return n
end

case('conflict: typing on the very line shows both sides', function(t)
  local n = conflict(t)
  n:shows('A!timeout: 30 s')
  n:shows('timeout: 60')
  n:shows('you changed the same text')
end)

case('conflict: undoing the typing ends it', function(t)
  local n = conflict(t)
  n:keys('u')
  n:letters({ A = 'staged' })
  t:eq(n:text(), before)
end)

case('conflict: keep mine', function(t)
  local n = conflict(t)
  n:cmd('Galley resolve mine')
  n:letters({ A = 'rejected' })
  t:eq(n:text(), 'one\ntimeout: 30 s\nthree\n')
  n:hides('timeout: 60')
end)

case("conflict: take the agent's", function(t)
  local n = conflict(t)
  n:cmd('Galley resolve agent')
  n:letters({ A = 'applied' })
  t:eq(n:text(), 'one\ntimeout: 60\nthree\n')
  n:keys('u')
  n:await('the typed text is back', "return inside.text(0) == 'one\\ntimeout: 30 s\\nthree\\n'")
end)

case('conflict: apply is refused with a reason', function(t)
  local n = conflict(t)
  n:cmd('Galley apply A')
  n:await('a message', 'return #inside.messages > 0')
  t:eq(n:text(), 'one\ntimeout: 30 s\nthree\n')
end)

case('conflict: the text it stands on was deleted', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:letters({ A = 'staged' })
  n:keys('jdd')
  n:letters({ A = 'conflict' })
  n:shows('timeout: 60')
  n:keys('u')
  n:letters({ A = 'staged' })
  n:agrees()
end)

case('stale: a letter that was amended is not applied as it was shown', function(t)
  local n = t:neovim(before)
  n:ask(prompt)
  n:letters({ A = 'staged' })
  -- The screen of a moment ago: the plugin hears nothing of the amendment before the user's key.
  n:lua("inside.faults['← galley/changes'] = function() end")
  n:ask('replace "timeout: 60" with "timeout: 90" in f.txt')
  n:cmd('Galley apply A')
  n:await('it is refused', 'return #inside.messages > 0')
  t:eq(n:text(), before)
  n:lua("inside.faults['← galley/changes'] = nil")
  n:await(
    'it is shown as it is',
    "return table.concat(inside.screen(), '\\n'):find('A%+timeout: 90') ~= nil"
  )
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:eq(n:text(), 'one\ntimeout: 90\nthree\n')
end)
