-- Records what Neovim tells a language server while somebody types, as data for tests: one sequence of keys, commands and
-- edits of the server's a line. In this folder, with each Neovim that is to be recorded:
--   nvim --headless --clean -i NONE -c 'luafile record.lua'
-- writes VERSION.jsonl. A line is { open, steps }: the text of didOpen; then for each step what was done, the lines that
-- were replaced ([first, last, new last, lines], as nvim_buf_attach tells), the events of didChange that were sent
-- ([line, column, line, column, text], columns in UTF-16), the text of didSave if there was one, and the text that the
-- buffer has then, as didOpen and didSave would tell it. A server's edit is kept in the form of an event.
local sequences, longest = 160, 160
local version = ('%d.%d'):format(vim.version().major, vim.version().minor)
local out = assert(io.open(version .. '.jsonl', 'w'))
local folder = vim.fn.tempname()
vim.fn.mkdir(folder, 'p')

local replaced, sent, saved -- since the last step
local opened -- the text of didOpen

local function event(change)
  local from, to = change.range.start, change.range['end']
  return { from.line, from.character, to.line, to.character, change.text or change.newText }
end

local function server()
  local closing = false
  return {
    request = function(method, _, answer)
      answer(nil, method == 'initialize' and { capabilities = {
        positionEncoding = 'utf-16',
        textDocumentSync = { openClose = true, change = 2, save = { includeText = true } },
      } } or vim.NIL)
      return true, 1
    end,
    notify = function(method, params)
      if method == 'textDocument/didOpen' then
        opened = params.textDocument.text
      elseif method == 'textDocument/didSave' then
        saved = params.text
      elseif method == 'textDocument/didChange' then
        for _, change in ipairs(params.contentChanges) do
          sent[#sent + 1] = event(change)
        end
      end
      return true
    end,
    is_closing = function() return closing end,
    terminate = function() closing = true end,
  }
end

local words = { 'alpha', 'straße', '日本', '😀', 'e\204\129', 'x', '', 'é' }
local keys = { -- § is some text
  'i§<Esc>', 'a§<Esc>', 'I§<Esc>', 'A§<Esc>', 'o§<Esc>', 'O§<Esc>', 'A<CR>§<Esc>', 'cw§<Esc>', 'R§<Esc>', 'dd', 'x', 'X',
  'D', 'J', 'yyp', 'yyP', 'p', 'P', 'dw', '>>', '~', 'ddp', 'dG', 'dgg', 'yjP', 'vjd', 'Vy', 'gUU', 'ggdG', 'ggVGd',
  'ggVGc§<Esc>', 'ggdGp', ':%d<CR>', 'ggVGs<Esc>', 'u', 'u', 'u', '<C-r>', '<C-r>', '.', 'gg', 'G', 'j', 'k', 'w', 'b', '0',
  '$', 'Go<Esc>', 'Gdd', 'Gyyp', 'GO§<Esc>', 'GA§<Esc>', 'GJ', 'GkJ', 'Gx', 'GD', 'GA!<Esc>', 'ggA!<Esc>',
  ':silent! s/e/ë/g<CR>', ':silent! %s/a/A/<CR>', ':silent! g/alpha/d<CR>', ':silent! m0<CR>', ':silent! t.<CR>',
  ':silent! $m0<CR>', ':silent! m$<CR>', ':silent! t$<CR>', ':silent! sort<CR>', '<C-v>jIé<Esc>', ':silent! join!<CR>',
  ':silent! %!cat<CR>', ':silent! $!cat<CR>', ':silent! r !echo<CR>', ':silent! %!true<CR>', 'i<Tab><Esc>', 'i<BS><Esc>',
  'A<C-w><Esc>', 'i<C-r>"<Esc>', ':silent write<CR>', ':silent write<CR>', 'EDIT', 'EDIT', 'EDIT', 'EDIT', 'EDIT',
}

local function pick(list)
  return list[math.random(#list)]
end

-- Every other file has line endings of one kind, the others whatever comes.
local function content(seed)
  local text, ending = '', pick({ '\n', '\n', '\n', '\r\n' })
  for _ = 1, pick({ 0, 1, 1, 2, 3, 4 }) do
    text = text .. pick(words) .. pick(words)
    text = text .. (seed % 2 == 0 and ending or pick({ '', '', '\r' }) .. pick({ '\n', '\r\n' }))
  end
  if math.random(2) == 1 then
    text = text:gsub('\n$', '')
    text = (seed % 2 == 0 or math.random(2) == 1) and text:gsub('\r$', '') or text
  end
  return (seed % 7 == 0 and '\239\187\191' or '') .. text
end

---An edit of the server's, as one sends it that counts an empty line behind the last ending.
local function edit()
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, true)
  local from = math.random(0, #lines)
  local to = math.random(from, #lines)
  local function column(line)
    return lines[line + 1] and math.min(pick({ 0, 0, 1, 2 }), vim.str_utfindex(lines[line + 1], #lines[line + 1])) or 0
  end
  local range = { start = { line = from, character = column(from) }, ['end'] = { line = to, character = column(to) } }
  if from == to then
    range['end'].character = math.max(range['end'].character, range.start.character)
  end
  return { range = range, newText = pick({ '', '', 'new', 'new\n', 'a\nb', '\nx', '\n' }) }
end

local function play(seed)
  math.randomseed(seed)
  local name = ('%s/%d.txt'):format(folder, seed)
  local file = assert(io.open(name, 'wb'))
  file:write(content(seed))
  file:close()
  opened, replaced, sent = nil, {}, {}
  vim.cmd('silent edit! ' .. name)
  local buf = vim.api.nvim_get_current_buf()
  vim.lsp.start({ name = 'record ' .. seed, cmd = server, root_dir = folder, flags = { debounce_text_changes = 0 } })
  vim.wait(1000, function() return opened end, 1)
  vim.api.nvim_buf_attach(buf, false, {
    on_lines = function(_, _, _, first, last, new_last)
      replaced[#replaced + 1] = { first, last, new_last, vim.api.nvim_buf_get_lines(buf, first, new_last, true) }
    end,
  })
  local record, longer = { open = opened, steps = {} }, false
  for _ = 1, math.random(4, 16) do
    replaced, sent, saved = {}, {}, nil
    local done = pick(keys):gsub('§', function() return pick(words) end)
    local step = { keys = done }
    if done == 'EDIT' then
      local one = edit()
      step = { edit = event(one) }
      vim.lsp.util.apply_text_edits({ one }, buf, 'utf-16')
    else
      vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(done, true, false, true), 'tx', false)
    end
    step.replaced, step.sent, step.saved = replaced, sent, saved
    step.text = vim.lsp._buf_get_full_text(buf)
    record.steps[#record.steps + 1] = step
    longer = longer or #step.text > longest or #sent > 30
  end
  if not longer then
    out:write(vim.json.encode(record) .. '\n')
  end
  vim.cmd('silent! bwipeout!')
end

for seed = 1, sequences do
  play(seed)
end
out:close()
vim.cmd('qall!')
