-- Letters of several sessions, and what asks before several letters go. Those named shared: are what a host may change:
-- make nvim runs them with one, too.
local case = require('harness').case

local files = { ['f.txt'] = 'one\ntwo\nthree\n', ['g.txt'] = 'alpha\nbeta\n' }
local keys = "require('galley').setup({ keys = true, run = { open = 'none' } })"

-- The arguments of a command, each time that it was sent.
local sent = [[
  local out = {}
  for _, m in ipairs(inside.wire) do
    local params = m[1] == '→' and m[2] == 'workspace/executeCommand' and vim.json.decode(m[3])
    if params and params.command == ... then
      out[#out + 1] = params.arguments[1]
    end
  end
  return out
]]

local said = [[
  local text = ...
  return vim.iter(inside.messages):any(function(m) return m:find(text, 1, true) ~= nil end)
]]

local function staged(t, o)
  local n =
    t:neovim(vim.tbl_extend('force', { files = files, open = 'f.txt', setup = keys }, o or {}))
  n:ask('replace "two" with "2" in f.txt')
  n:ask('replace "beta" with "gamma" in g.txt')
  n:letters({ A = 'staged', B = 'staged' })
  return n
end

-- Ways to say it, each with what a person types.
local ways = { [':Galley revert'] = ':Galley revert not now<CR>', ['the key'] = 'glv' }
for way, typed in pairs(ways) do
  case('sessions: U9 a revert of two letters asks first: ' .. way, function(t)
    local n = staged(t, { terminal = true })
    for _, no in ipairs({ 'k', '<CR>', '<Esc>' }) do
      local before = n:lua('return #inside.messages')
      n:type(typed)
      n:shows('Revert 2 changes of #1?')
      n:type(no)
      n:await('it is left', 'return #inside.messages > ...', before)
      n:hides('Revert 2 changes')
      t:eq(n:lua(sent, 'galley.revert'), {}, 'what was sent after ' .. no)
    end
    t:ok(n:lua(said, 'nothing was reverted'), 'it says so')
    n:letters({ A = 'staged', B = 'staged' })
    n:type(typed)
    n:shows('Revert 2 changes of #1?')
    n:type('r')
    n:letters({})
    local argument = n:lua(sent, 'galley.revert')[1]
    t:eq(argument.confirmed, true)
    t:eq(argument.reason, way == ':Galley revert' and 'not now' or nil)
  end)
end

case('sessions: U9 a revert of one letter asks nothing', function(t)
  local n = staged(t)
  n:cmd('Galley apply A')
  n:letters({ A = 'applied', B = 'staged' })
  n:cmd('Galley revert')
  n:letters({})
  t:eq(n:text(), 'one\n2\nthree\n', 'what was applied stays')
end)

case('sessions: what is applied counts where it is taken back, too', function(t)
  local n = staged(t, { terminal = true })
  n:cmd('Galley apply A')
  n:letters({ A = 'applied', B = 'staged' })
  n:type(':Galley! revert<CR>')
  n:shows('Revert 2 changes of #1?')
  n:type('r')
  n:letters({})
  t:eq(n:text(), files['f.txt'])
end)

case('sessions: a script that is sure is not asked', function(t)
  local n = staged(t)
  n:lua("require('galley').revert('not now', { confirmed = true })")
  n:letters({})
  t:eq(n:lua(sent, 'galley.revert')[1].confirmed, true)
end)

case('shared: what is staged while it asks does not go', function(t)
  local n = staged(t)
  n:lua([[
    local ask = vim.fn.confirm
    vim.fn.confirm = function()
      vim.fn.confirm = ask
      require('galley').ask('replace "one" with "1" in f.txt')
      vim.wait(8000, function() return inside.letters().C == 'staged' end, 5)
      return 1
    end
  ]])
  n:cmd('Galley revert')
  n:await('it is refused', said, 'since you saw it')
  n:letters({ A = 'staged', B = 'staged', C = 'staged' })
end)

-- A second session, with a title of its own and a letter in the same file.
local function two_sessions(t, o)
  local n = staged(t, o)
  local first = n:lua("return inside.last('galley/changes').session")
  n:cmd('Galley new retry five times')
  n:await('the new session', "return inside.last('galley/changes').session ~= ...", first)
  n:ask('replace "three" with "3" in f.txt')
  n:letters({ A = 'staged', B = 'staged', C = 'staged' })
  n:shows('C: "retry five times"')
  n:shows('A: "replace "two" with "2" in f.txt"')
  return n
end

case('sessions: letters of several are listed below their titles', function(t)
  local n = two_sessions(t)
  n:cmd('Galley list')
  local texts =
    "return vim.tbl_map(function(i) return i.text:match('^%[%u%]') or i.text end, vim.fn.getqflist())"
  local want = { '"replace "two" with "2" in f.txt"', '[A]', '[B]', '"retry five times"', '[C]' }
  t:await('the titles', function()
    return vim.deep_equal(n:lua(texts), want)
  end, function()
    return n:lua(texts)
  end)
  t:eq(n:lua('return vim.fn.getqflist({ title = 0 }).title'), 'galley: 3 changes')
  n:cmd('cc 3 | cnext')
  n:await(
    'titles are no places',
    "return vim.fn.expand('%:t') == 'f.txt' and vim.fn.line('.') == 3"
  )
  n:cmd('cclose')
  n:cmd('Galley apply C')
  n:letters({ A = 'staged', B = 'staged', C = 'applied' })
  n:await('one session has no title', 'return #vim.fn.getqflist() == 2')
end)

-- Keeps what is offered to choose from, and chooses the one that holds a text.
local choose = [[
  local text = ...
  vim.ui.select = function(items, options, done)
    _G.offered = vim.tbl_map(options.format_item or tostring, items)
    for i, item in ipairs(items) do
      if offered[i]:find(text, 1, true) then return done(item, i) end
    end
    done(nil)
  end
]]

case('sessions: where there are several, each letter is named with its own', function(t)
  local n = two_sessions(t)
  n:lua(choose, 'gamma')
  n:cmd('Galley select')
  n:await('the letter', "return vim.fn.expand('%:t') == 'g.txt' and vim.fn.line('.') == 2")
  local offered = n:lua('return offered')
  t:eq(offered[1]:match('  "replace.*$'), '  "replace "two" with "2" in f.txt"')
  t:eq(offered[3]:match('  "retry.*$'), '  "retry five times"')
end)

case('shared: labels of commit and revert name the session, and only its letters go', function(t)
  local n = two_sessions(t, { terminal = true })
  n:lua(choose, 'two')
  n:type(':Galley revert<CR>')
  n:shows('Revert 2 changes of "replace "two" with "2" in f.txt"?')
  n:type('k')
  n:await('it is left', said, 'nothing was reverted')
  t:eq(n:lua('return offered'), {
    'Revert 2 changes of "replace "two" with "2" in f.txt"',
    'Revert 1 change of "retry five times"',
  })
  n:lua(choose, 'retry')
  n:cmd('Galley commit')
  n:letters({ A = 'staged', B = 'staged' })
  n:await('what was committed', said, '"retry five times" is committed')
  t:eq(n:lua('return offered')[2], 'Commit 1 change of "retry five times"')
  t:eq(n:text(), 'one\ntwo\n3\n')
end)

-- Undo ---------------------------------------------------------------------------------------------------------------

-- What is decided, what it is called and how the letters are then, and what is there when it was taken back.
local decisions = {
  { 'apply A', 'A applied in f.txt', { A = 'applied', B = 'staged' } },
  { 'reject B', 'B rejected in g.txt', { A = 'staged', B = 'rejected' } },
  { 'commit', '#1 committed (A, B) in f.txt, g.txt', {} },
  { 'revert', '#1 reverted (A, B) in f.txt, g.txt', {} },
}
for _, d in ipairs(decisions) do
  case('sessions: the latest decision is taken back: ' .. d[1], function(t)
    local n = staged(t)
    n:lua('vim.fn.confirm = function(question) return question:find("^Revert") and 1 or 2 end')
    n:cmd('Galley ' .. d[1])
    n:letters(d[3])
    n:cmd('Galley undo')
    n:letters({ A = 'staged', B = 'staged' })
    n:await('what was taken back', said, 'taken back: ' .. d[2])
    t:eq(n:text('f.txt'), files['f.txt'])
    t:eq(n:file('g.txt'), files['g.txt'])
    n:cmd('Galley undo')
    n:await('there is no more', said, 'there is nothing to take back')
  end)
end

case('shared: what was decided elsewhere is asked about before it is taken back', function(t)
  local shared = { GALLEY_HOST = '' }
  local n = staged(t, { terminal = true, env = shared })
  n:galley({ 'review', '--apply', 'B' }, shared)
  n:letters({ A = 'staged', B = 'applied' })
  for _, key in ipairs({ 'k', '<Esc>', 't' }) do
    n:letters({ A = 'staged', B = 'applied' })
    n:type(':Galley undo<CR>')
    n:shows('Take back: B applied (by terminal, ')
    n:type(key)
    n:hides('Take back: B')
    n:await('it is left, or done', said, key == 't' and 'taken back: B' or 'nothing was taken')
  end
  n:letters({ A = 'staged', B = 'staged' })
  t:eq(n:file('g.txt'), files['g.txt'])
end)

case('sessions: a decision is taken back by its name, and nothing by one that none has', function(t)
  local n = staged(t)
  n:cmd('Galley reject A')
  n:letters({ A = 'rejected', B = 'staged' })
  local name = n:lua("return inside.last('galley/changes').latest.decision")
  n:cmd('Galley reject B')
  n:letters({ A = 'rejected', B = 'rejected' })
  n:cmd('Galley undo NOBODY')
  n:await('it is refused', said, 'there is no decision NOBODY')
  n:cmd('Galley undo ' .. name:sub(-6):lower())
  n:letters({ A = 'staged', B = 'rejected' })
  n:await('what was taken back', said, 'taken back: A rejected in f.txt')
end)

case('shared: what was typed into a letter since stays, whatever is taken back', function(t)
  local n = staged(t)
  n:cmd('Galley apply A')
  n:letters({ A = 'applied', B = 'staged' })
  n:keys('2GAX<Esc>')
  t:eq(n:text(), 'one\n2X\nthree\n')
  n:cmd('Galley undo')
  n:await('it is refused', said, 'the user has changed the text of A since; it stays')
  t:eq(n:text(), 'one\n2X\nthree\n')
  n:agrees()
end)

case('sessions: remarks are sent when there are some, and only then', function(t)
  local n = staged(t)
  n:ask('who are you?')
  n:cmd('Galley send')
  n:await('there is nothing to send', said, 'the agent has heard all')
  n:cmd('Galley comment A why so')
  n:await('it waits', said, 'hears your remark about A')
  local before = n:lua('return #inside.wire')
  n:cmd('Galley send')
  n:await(
    'a run that is done',
    "return (inside.last('galley/run', ...) or {}).state == 'done'",
    before
  )
  n:letters({ A = 'staged', B = 'staged' })
  n:cmd('Galley send')
  n:await(
    'it was heard',
    [[
    return #vim.tbl_filter(function(m) return m:find('the agent has heard all', 1, true) end, inside.messages) == 2
  ]]
  )
end)

case(
  'shared: two Neovims have one file open: a letter is applied once, and no text is lost',
  function(t)
    local shared = { GALLEY_HOST = '' }
    local first = staged(t, { env = shared })
    local second = t:neovim({
      home = first.home,
      open = 'f.txt',
      setup = keys .. ' vim.o.swapfile = false',
      env = shared,
    })
    second:letters({ A = 'staged', B = 'staged' })
    second:shows('two')
    second:cmd('Galley apply A') -- the first keeps the text
    first:letters({ A = 'applied', B = 'staged' })
    second:await(
      'it is told who has the file',
      said,
      'f.txt is open in Neovim (galley serve is process '
    )
    second:letters({ B = 'staged' }) -- A is in another text than its own
    t:eq(first:text('f.txt'), 'one\n2\nthree\n')
    t:eq(second:text('f.txt'), 'one\ntwo\nthree\n')
    first:cmd('write')
    second:cmd('checktime | edit')
    second:await('the text as it was saved', "return inside.text() == 'one\\n2\\nthree\\n'")
    second:letters({ A = 'applied', B = 'staged' })
    first:keys('GoFOUR<Esc>')
    t:eq(first:text('f.txt'), 'one\n2\nthree\nFOUR\n')
    t:eq(second:text('f.txt'), 'one\n2\nthree\n')
    t:eq(first:file('f.txt'), 'one\n2\nthree\n')
    first:letters({ A = 'applied', B = 'staged' })
    first:agrees()
  end
)

case(
  'shared: what a terminal stages is on the screen of Neovim soon, and applied there',
  function(t)
    local shared = { GALLEY_HOST = '' }
    local n = t:neovim({ files = files, open = 'f.txt', setup = keys, env = shared })
    n:await('galley is attached', 'return inside.client() ~= nil')
    local out, at = {}, nil
    n:galley(
      { 'run', '--review', 'keep', '--json', 'replace "two" with "2" in f.txt' },
      shared,
      function(_, lines)
        vim.list_extend(out, lines)
        at = at or (table.concat(lines):lower():find('staged', 1, true) and vim.uv.hrtime())
      end
    )
    n:shows('A+2')
    local seen = vim.uv.hrtime()
    t:await('the terminal says that it is staged', function()
      return at
    end, function()
      return out
    end)
    local late = (seen - at) / 1e6
    t:say('on the screen %.0f ms after the terminal said so (%.2f of 200 ms)', late, late / 200)
    t:ok(late < 200, 'it took ' .. late .. ' ms')
    n:cmd('Galley apply A')
    n:letters({ A = 'applied' })
    t:eq(n:text(), 'one\n2\nthree\n')
  end
)
