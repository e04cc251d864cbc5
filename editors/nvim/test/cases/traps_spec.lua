-- What Neovim does otherwise than one would think, each as it was measured: docs/editors.md and the server's own tests
-- have the same list.
local case = require('harness').case

local before = 'one\ntimeout: 30\nthree\n'
local applied = 'one\ntimeout: 60\nthree\n'
local prompt = 'replace "timeout: 30" with "timeout: 60" in f.txt'

local function staged(t, o)
  local n =
    t:neovim(vim.tbl_extend('force', { files = { ['f.txt'] = before }, open = 'f.txt' }, o or {}))
  n:ask(prompt)
  n:letters({ A = 'staged' })
  return n
end

-- Types into the buffer in the moment in which the server's edit arrives: it is stale then.
local type_between = [[
  inside.faults['← workspace/applyEdit'] = function(edit, go_on)
    inside.faults['← workspace/applyEdit'] = nil
    vim.api.nvim_buf_set_lines(0, 0, 0, true, { 'typed in between' })
    return go_on(edit)
  end
]]

case('traps: an edit against version 0 never hits a text that has changed', function(t)
  local n = staged(t)
  t:eq(
    n:lua("return inside.last('galley/changes').files[1].version"),
    0,
    'the version of a file just opened'
  )
  n:lua(type_between)
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' }) -- it came again, with the newer text
  t:eq(n:text(), 'typed in between\n' .. applied)
  t:eq(n:lua("return inside.last('window/showMessage') == nil"), true, 'the user is told nothing')
end)

case('traps: a stale edit is refused, and comes again with what was typed', function(t)
  local n = staged(t)
  n:keys('Onew<Esc>')
  n:agrees()
  n:lua(type_between)
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:eq(n:text(), 'typed in between\nnew\n' .. applied)
  t:eq(n:lua("return inside.last('window/showMessage') == nil"), true, 'the user is told nothing')
end)

case('traps: an answer that lies "applied" is found out by the text', function(t)
  local n = staged(t)
  n:lua([[
    local start = inside.faults
    start['← workspace/applyEdit'] = function() start['← workspace/applyEdit'] = nil end
  ]])
  n:lua("inside.answers['workspace/applyEdit'] = { applied = true }")
  n:cmd('Galley apply A')
  n:await('the edit came', "return inside.last('workspace/applyEdit') ~= nil")
  n:await(
    'the server has found out',
    "return inside.letters().A == 'staged' and inside.last('window/showMessage') ~= nil"
  )
  t:eq(n:text(), before)
  n:lua("inside.answers['workspace/applyEdit'] = nil")
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:eq(n:text(), applied)
end)

case('traps: an answer that lies "not applied" is found out by the text', function(t)
  local n = staged(t)
  n:lua("inside.answers['workspace/applyEdit'] = { applied = false, failureReason = 'a lie' }")
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:eq(n:text(), applied)
end)

case('traps: what was typed last is sent before a command', function(t)
  local n = staged(t)
  n:type('Oabove<Esc>:Galley apply A<CR>')
  n:letters({ A = 'applied' })
  t:eq(n:text(), 'above\n' .. applied)
  n:agrees()
end)

case('traps: typing goes on while an edit is on its way', function(t)
  local n = staged(t)
  n:type(':Galley apply A<CR>Goend<Esc>ggOtop<Esc>')
  n:await('all is typed', "return vim.fn.line('$') == 5")
  n:await(
    'the edit is over',
    "return inside.last('workspace/applyEdit') and inside.letters().A ~= 'applying'"
  )
  local state = n:lua('return inside.letters().A')
  t:ok(state == 'applied' or state == 'staged', 'the letter is ' .. state)
  t:eq(n:text(), 'top\n' .. (state == 'applied' and applied or before) .. 'end\n')
  n:agrees()
  if state == 'staged' then
    n:cmd('Galley apply A')
    n:letters({ A = 'applied' })
    t:eq(n:text(), 'top\n' .. applied .. 'end\n')
  end
end)

case('traps: a late didChange is waited for', function(t)
  local n = staged(t)
  n:lua([[
    local held = {}
    inside.faults['→ textDocument/didChange'] = function(params, go_on)
      held[#held + 1] = function() go_on(params) end
      return true
    end
    function _G.release()
      inside.faults['→ textDocument/didChange'] = nil
      for _, send in ipairs(held) do send() end
    end
  ]])
  n:cmd('Galley apply A')
  n:letters({ A = 'applying' })
  n:await('the edit', 'return inside.text(0) == ...', applied)
  n:lua('release()')
  n:letters({ A = 'applied' })
  n:agrees()
end)

for _, command in ipairs({ 'edit', 'edit!' }) do
  case('traps: after :' .. command .. ' galley still follows the buffer', function(t)
    local n = staged(t)
    if command == 'edit!' then
      n:keys('Olost<Esc>')
    end
    n:cmd(command)
    n:await(
      'galley is attached',
      "return #vim.lsp.get_clients({ bufnr = 0, name = 'galley' }) == 1"
    )
    t:eq(n:text(), before)
    n:letters({ A = 'staged' })
    n:shows('timeout: 60')
    n:keys('Oabove<Esc>')
    n:agrees()
    n:cmd('Galley apply A')
    n:letters({ A = 'applied' })
    t:eq(n:text(), 'above\n' .. applied)
  end)
end

case('traps: the file changes on disk under a clean buffer', function(t)
  local n = staged(t)
  n:write('f.txt', 'zero\n' .. before)
  n:cmd('set autoread | checktime')
  n:await('the buffer is read again', "return vim.fn.line('$') == 4")
  n:letters({ A = 'staged' })
  n:agrees()
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:eq(n:text(), 'zero\n' .. applied)
end)

case('traps: a buffer is wiped out and opened again', function(t)
  local n = staged(t)
  n:cmd('bwipeout')
  n:letters({ A = 'staged' })
  n:cmd('edit f.txt')
  n:shows('timeout: 60')
  n:keys('Oabove<Esc>')
  n:agrees()
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:eq(n:text(), 'above\n' .. applied)
end)

case('traps: another language server in the same buffer', function(t)
  local n = staged(t)
  n:keys('Oabove<Esc>')
  n:lua([[
    local function other(dispatchers)
      local closing = false
      return {
        request = function(method, _, answered)
          answered(nil, method == 'initialize' and { capabilities = { textDocumentSync = 2 } } or nil)
          return true, 1
        end,
        notify = function(method)
          if method == 'exit' then dispatchers.on_exit(0, 15) end
          return true
        end,
        is_closing = function() return closing end,
        terminate = function() closing = true end,
      }
    end
    vim.lsp.start({ name = 'other', cmd = other, root_dir = vim.fn.getcwd() })
  ]])
  n:await(
    'the other one is attached',
    "return #vim.lsp.get_clients({ bufnr = 0, name = 'other' }) == 1"
  )
  n:keys('Oagain<Esc>')
  n:agrees()
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:eq(n:text(), 'again\nabove\n' .. applied)
  n:keys('ggdd')
  n:agrees()
end)

case('traps: a formatter at each save, as many have it', function(t)
  local n = t:neovim({
    files = { ['f.txt'] = 'one\ntimeout: 30\n   three\nfour\n\tfive\n' },
    open = 'f.txt',
  })
  n:ask(prompt)
  n:ask('replace "four" with "4" in f.txt')
  n:letters({ A = 'staged', B = 'staged' })
  n:cmd([[autocmd BufWritePre * silent! %s/^\s\+//]])
  n:cmd('Galley apply A')
  n:letters({ A = 'applied', B = 'staged' })
  n:cmd('write')
  t:eq(n:file('f.txt'), 'one\ntimeout: 60\nthree\nfour\nfive\n')
  n:agrees()
  n:await('B is still there', "return inside.letters().B == 'staged'")
  n:cmd('Galley apply B')
  n:letters({ A = 'applied', B = 'applied' })
  t:eq(n:text(), 'one\ntimeout: 60\nthree\n4\nfive\n')
end)

case('traps: saving by itself takes nothing that waits', function(t)
  local n = staged(t, { setup = 'vim.cmd("autocmd TextChanged,InsertLeave * silent! update")' })
  n:keys('Oabove<Esc>')
  t:eq(n:file('f.txt'), 'above\n' .. before)
  n:letters({ A = 'staged' })
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  n:await('it is saved', 'return not vim.bo.modified')
  t:eq(n:file('f.txt'), 'above\n' .. applied)
end)

case(
  "traps: 'fileformat' is changed, of which Neovim tells nothing before the next save",
  function(t)
    local n = staged(t)
    n:cmd('set fileformat=dos | write')
    n:keys('Oabove<Esc>')
    n:cmd('write')
    n:agrees()
    n:cmd('Galley apply A')
    n:letters({ A = 'applied' })
    n:cmd('write')
    t:eq(n:file('f.txt'), (('above\n' .. applied):gsub('\n', '\r\n')))
  end
)

case('traps: the file gets another name', function(t)
  local n = staged(t)
  n:cmd('saveas g.txt')
  n:keys('Oabove<Esc>')
  n:cmd('edit f.txt')
  n:agrees()
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  t:eq({ n:text('f.txt'), n:text('g.txt') }, { applied, 'above\n' .. before })
end)

case('traps: undo over what was typed before and after a letter was applied', function(t)
  local n = staged(t)
  n:keys('Obefore<Esc>')
  n:cmd('Galley apply A')
  n:letters({ A = 'applied' })
  n:keys('Goafter<Esc>')
  n:keys('uu')
  n:letters({ A = 'staged' })
  t:eq(n:text(), 'before\n' .. before)
  n:keys('u')
  t:eq(n:text(), before)
  n:letters({ A = 'staged' })
  n:keys('<C-r><C-r><C-r>')
  n:letters({ A = 'applied' })
  t:eq(n:text(), 'before\n' .. applied .. 'after\n')
  n:agrees()
end)
