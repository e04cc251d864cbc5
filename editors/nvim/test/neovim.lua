-- What a test does with a Neovim under test, as a person would, and what it sees there.
local Neovim = require('process')

-- What a terminal sends.
local special = {
  ['<Esc>'] = '\27',
  ['<CR>'] = '\r',
  ['<Tab>'] = '\t',
  ['<BS>'] = '\127',
  ['<Space>'] = ' ',
  ['<lt>'] = '<',
  ['<Up>'] = '\27[A',
  ['<Down>'] = '\27[B',
  ['<F12>'] = '\27[24~',
}

local function as_typed(keys)
  return (
    keys
      :gsub('<C%-(%l)>', function(letter)
        return string.char(letter:byte() - 96)
      end)
      :gsub('<%w+>', special)
  )
end

---Types, and waits until all of it was taken in.
function Neovim:keys(keys)
  local want = self:lua('return inside.keys_seen') + 1
  self:type(keys .. '<F12>')
  self.t:await('the keys ' .. keys, function()
    return not self:waits() and self:lua('return inside.keys_seen') >= want
  end)
end

---Types and does not wait: for keys behind which Neovim asks something.
function Neovim:type(keys)
  if self.window then
    vim.fn.chansend(self.job, as_typed(keys))
    return
  end
  while keys ~= '' do
    keys = keys:sub(self:call('nvim_input', keys) + 1)
  end
end

-- What a person does with galley --------------------------------------------------------------------------------------

---Asks the offline model and waits for the end of its run.
function Neovim:ask(prompt)
  local before = self:lua('return #inside.wire')
  self:await('galley is attached', 'return inside.client() ~= nil')
  self:cmd('Galley ask ' .. prompt)
  return self:await(
    'the end of the run: ' .. prompt,
    [[
    local run = inside.last('galley/run', ...)
    return run and vim.tbl_contains({ 'done', 'failed', 'cancelled' }, run.state) and run
  ]],
    before
  )
end

---Waits until exactly these letters are there, in these states.
function Neovim:letters(want)
  local got
  self.t:await('the letters ' .. vim.inspect(want), function()
    got = not self:waits() and self:lua('return inside.letters()') or got
    return vim.deep_equal(got, next(want) and want or vim.empty_dict())
      or (not next(want) and got and not next(got))
  end, function()
    return got
  end)
end

---Opens a workspace with files of these contents and stages letters in them.
function Neovim.staged(t, o, ...)
  local self = Neovim.start(t, o)
  for _, prompt in ipairs({ ... }) do
    self:ask(prompt)
  end
  return self
end

---The server and the buffers must be of one mind, also about what waits.
function Neovim:agrees()
  self.t:eq(self:lua('return inside.disbelief()'), {}, 'what the server believes wrongly')
end

-- What it holds ------------------------------------------------------------------------------------------------------

---The text of the current buffer, or of the one of a file.
function Neovim:text(name)
  return self:lua('return inside.text(...)', name and self:buffer(name) or 0)
end

function Neovim:buffer(name)
  return self:lua('return vim.fn.bufnr(...)', self:path(name))
end

function Neovim:file(name)
  local file = io.open(self:path(name), 'rb')
  if not file then
    return nil
  end
  local content = file:read('*a')
  file:close()
  return content
end

function Neovim:write(name, content)
  Neovim.put(self:path(name), content)
end

---The lines of the screen.
function Neovim:screen()
  if self.window then
    local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(self.window), 0, -1, false)
    return vim.tbl_map(function(line)
      return (line:gsub('%s+$', ''))
    end, vim.list_slice(lines, #lines - self.size[2] + 1))
  end
  return self:lua('return inside.screen()')
end

---Waits until the screen shows a text: plain, not a pattern.
function Neovim:shows(text)
  local screen
  self.t:await('on the screen: ' .. text, function()
    screen = table.concat(self:screen(), '\n')
    return screen:find(text, 1, true) ~= nil
  end)
end

---The screen must not show a text, after what was done before has been drawn.
function Neovim:hides(text)
  local screen
  self.t:await('not on the screen: ' .. text, function()
    screen = table.concat(self:screen(), '\n')
    return not screen:find(text, 1, true)
  end)
end

---For people who read why a test failed.
function Neovim:describe()
  if not self:alive() then
    return 'Neovim has ended'
  elseif not self.channel then
    return table.concat(self:screen(), '\n')
  end
  local out = {}
  local mode = self:call('nvim_get_mode')
  out[#out + 1] = ('mode %s%s'):format(mode.mode, mode.blocking and ', waits for a key' or '')
  if mode.blocking and not self.window then
    return out[1]
  end
  if mode.blocking then
    vim.wait(300, function() end) -- for what it draws last
  end
  out[#out + 1] = 'screen:\n' .. table.concat(self:screen(), '\n'):gsub('~\n', ''):gsub('\n+$', '')
  if not mode.blocking then
    local state = self:lua([[
      return {
        buffers = vim.fn.execute('ls!'),
        messages = vim.fn.execute('messages'),
        letters = vim.inspect(inside.letters(), { newline = ' ', indent = '' }),
        wire = inside.wire or {},
      }
    ]])
    out[#out + 1] = 'buffers:' .. state.buffers
    out[#out + 1] = 'messages:' .. state.messages
    out[#out + 1] = 'letters: ' .. state.letters
    local wire, all = {}, {}
    for i, message in ipairs(state.wire) do
      all[i] = table.concat(message, ' ')
      if i > #state.wire - 30 then
        wire[#wire + 1] = #all[i] > 300 and all[i]:sub(1, 300) .. '…' or all[i]
      end
    end
    out[#out + 1] = 'wire:\n' .. table.concat(wire, '\n')
    Neovim.put(self.home .. '/wire.txt', table.concat(all, '\n') .. '\n')
  end
  return table.concat(out, '\n')
end

return Neovim
