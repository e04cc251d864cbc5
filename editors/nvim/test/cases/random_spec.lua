-- Whatever is typed, in whatever order: the server and the buffers stay of one mind, and nothing that was not applied
-- gets into a text. SEED=n plays one sequence, ROUNDS=n so many; each version of Neovim has others.
local case = require('harness').case

local rounds = tonumber(vim.env.ROUNDS) or 100

local words = {
  'alpha',
  'straße',
  '日本',
  '😀',
  'e\204\129',
  'x',
  'timeout: 30',
  '\tfoo(bar)',
  '  end',
  '',
  'é',
  'ligne à la fin',
}

local function pick(list)
  return list[math.random(#list)]
end

---A file of lines that each begin with a word of their own, so that an instruction finds its place.
local function new_file(seed)
  local lines = {}
  for i = 1, math.random(3, 14) do
    lines[i] = ('w%d_%d %s'):format(seed, i, pick(words))
  end
  local ending = math.random(6) == 1 and '\r\n' or '\n'
  return table.concat(lines, ending) .. (math.random(6) == 1 and '' or ending), #lines
end

---An instruction that stages some letters. What they would write holds marks: ⟦1⟧, ⟦2⟧ …
local function instruction(name, seed, lines, marks)
  local steps, used = {}, {}
  for _ = 1, math.random(1, 4) do
    local line = math.random(lines)
    local word = ('w%d_%d'):format(seed, line)
    marks.count = marks.count + 1
    local mark = ('⟦%d⟧'):format(marks.count)
    if not used[line] then
      used[line] = true
      steps[#steps + 1] = pick({
        ('replace "%s " with "%s %s " in %s'):format(word, mark, word, name),
        ('replace "%s" with "%s %s\\n%s é" in %s'):format(word, word, mark, mark, name),
        ('delete "%s " in %s'):format(word, name),
        ('append "%s\\n" to %s'):format(mark, name),
      })
    end
  end
  return table.concat(steps, ' then ')
end

-- § is some text.
local keys = {
  'i§<Esc>',
  'a§<Esc>',
  'I§<Esc>',
  'A§<Esc>',
  'o§<Esc>',
  'O§<Esc>',
  'A<CR>§<Esc>',
  'cw§<Esc>',
  'R§<Esc>',
  'dd',
  'x',
  'X',
  'D',
  'J',
  'yyp',
  'yyP',
  'p',
  'P',
  'dw',
  '>>',
  '~',
  'ddp',
  'dG',
  'dgg',
  'yjP',
  'vjd',
  'Vy',
  'gUU',
  'u',
  'u',
  'u',
  '<C-r>',
  '<C-r>',
  '.',
  'gg',
  'G',
  'j',
  'k',
  'w',
  'b',
  '0',
  '$',
  'jj',
  'kk',
  '5|',
  ':silent! s/e/ë/g<CR>',
  ':silent! %s/a/A/<CR>',
  ':silent! g/alpha/d<CR>',
  ':silent! m0<CR>',
  ':silent! t.<CR>',
  ':silent! sort<CR>',
  ':silent! earlier 2<CR>',
  ':silent! later 1<CR>',
  '<C-v>jIé<Esc>',
  'qaA!<Esc>q@a',
  ':silent! join!<CR>',
  'ggVGy',
  'i<C-v>u20ac<Esc>',
  'i<Tab><Esc>',
  'i<BS><Esc>',
  'A<C-w><Esc>',
  'i<C-r>"<Esc>',
}

local function action()
  local choice = math.random(10)
  if choice == 1 then
    return ':silent! Galley apply ' .. pick({ 'A', 'B', 'C', 'D' }) .. '<CR>'
  elseif choice == 2 then
    return ':silent! Galley '
      .. pick({
        'reject A',
        'reject B',
        'reject C no',
        'unreject A',
        'unreject B',
        'apply all',
        'resolve mine A',
        'resolve agent B',
        'next',
        'prev',
      })
      .. '<CR>'
  end
  return (pick(keys):gsub('§', function()
    return (pick(words):gsub('\t', '<Tab>'))
  end))
end

---Remembers which marks were ever in a letter that was applied.
local watch = [[
  local held = {} -- the marks of a letter, while it says what it would write
  _G.applied_marks = {}
  ---Whether an edit is on its way.
  function _G.look(changes)
    local busy = false
    for _, file in ipairs(changes and changes.files or {}) do
      for _, change in ipairs(file.changes) do
        local name = change.session .. change.change .. change.revision
        held[name] = held[name] or {}
        for mark in change.newText:gmatch('⟦%d+⟧') do held[name][mark] = true end
        busy = busy or change.state == 'applying'
        if change.state == 'applied' or change.state == 'applying' then
          for mark in pairs(held[name]) do applied_marks[mark] = true end
        end
      end
    end
    return busy
  end
  inside.faults['← galley/changes'] = function(changes, go_on) look(changes) go_on(changes) end
  vim.notify = function(text) inside.messages[#inside.messages + 1] = text end
]]

local finish = [[
  local name, uri = ...
  local wrong = inside.disbelief()
  if #wrong > 0 then return wrong end
  inside.command('galley.reject', { uri = uri })
  local text, err = inside.believed(uri)
  local mine = inside.text(0)
  -- Neovim tells of a last line without an end as if it had one, once it was changed (vim/lsp/sync.lua).
  local function bare(s) return s and s:gsub('\r?\n$', '') end
  if (bare(text) or err) ~= bare(mine) then
    wrong[#wrong + 1] = ('the server believes\n%q, the buffer holds\n%q'):format(text or err, mine)
  end
  for mark in mine:gmatch('⟦%d+⟧') do
    if not applied_marks[mark] then wrong[#wrong + 1] = mark .. ' is in the text and was never applied' end
  end
  for _, edit in ipairs(inside.command('galley.changes').edits) do -- its letters are free again
    inside.command('galley.revert', { session = edit.session, edit = edit.edit })
  end
  return wrong
]]

local function sequence(t, n, seed, marks)
  math.randomseed(seed)
  local name = ('f%d.txt'):format(seed)
  local content, lines = new_file(seed)
  n:write(name, content)
  n:cmd('silent edit! ' .. name)
  n:await('galley is attached', "return #vim.lsp.get_clients({ bufnr = 0, name = 'galley' }) == 1")
  n:lua("return inside.command('galley.newSession')")
  local wire = n:lua('return #inside.wire')
  local prompt = instruction(name, seed, lines, marks)
  n:ask(prompt)
  local typed = {}
  for i = 1, math.random(6, 18) do
    typed[i] = action()
  end
  -- The first half in one go, as people type; then key by key.
  local half = math.floor(#typed / 2)
  n:keys(table.concat(typed, '', 1, half))
  for i = half + 1, #typed do
    n:keys(typed[i])
  end
  n:await(
    'nothing is under way',
    "return inside.open == 0 and not look(inside.command('galley.changes'))"
  )
  local wrong = n:lua(finish, name, n:uri(name))
  if #wrong > 0 then
    t:fail(
      '%s',
      ('SEED=%d\n%s\n%s\n%s\nwire from message %d'):format(
        seed,
        prompt,
        table.concat(typed, ' '),
        table.concat(wrong, '\n'),
        wire
      )
    )
  end
  n:cmd('silent bwipeout!')
end

case('random: key sequences leave buffer and server of one mind, and nothing leaks', function(t)
  local n = t:neovim({ setup = "require('galley').setup({ run = { open = 'none' } })" })
  n:lua(watch)
  local marks = { count = 0 }
  if vim.env.SEED then
    return sequence(t, n, tonumber(vim.env.SEED), marks)
  end
  for round = 1, rounds do
    sequence(t, n, 2 * round - (t.version == '0.10' and 1 or 0), marks)
    n:lua('inside.wire = {}')
  end
  t:say('%d sequences', rounds)
end)
