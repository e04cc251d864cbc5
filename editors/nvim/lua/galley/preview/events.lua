-- The editor moves: windows, options, the cursor, buffers that are saved or go.
local marks = require('galley.preview.marks')
local preview = require('galley.preview')
local top = require('galley.preview.top')

local api = vim.api

local function relayout_all()
  local seen = {}
  for _, win in ipairs(api.nvim_tabpage_list_wins(0)) do
    local bufnr = api.nvim_win_get_buf(win)
    if not seen[bufnr] then
      seen[bufnr] = true
      preview.relayout(bufnr)
    end
  end
end

--- The columns before the text, by window.
---@type table<integer, integer>
local columns = {}

local group = api.nvim_create_augroup('galley.preview', {})

api.nvim_create_autocmd('CursorMoved', {
  group = group,
  desc = 'galley: follow the cursor',
  callback = function(ev)
    preview.follow_cursor(ev.buf)
  end,
})

api.nvim_create_autocmd(
  { 'WinResized', 'WinScrolled', 'BufWinEnter', 'WinEnter', 'WinClosed', 'FileType' },
  {
    group = group,
    desc = 'galley: draw for the windows as they are',
    callback = function(ev)
      if ev.event == 'WinScrolled' then
        top.scrolled(function(bufnr)
          return preview.above(bufnr)
        end)
      end
      vim.schedule(relayout_all)
    end,
  }
)

api.nvim_create_autocmd('OptionSet', {
  group = group,
  pattern = {
    'wrap',
    'diff',
    'linebreak',
    'list',
    'listchars',
    'tabstop',
    'vartabstop',
    'number',
    'relativenumber',
    'signcolumn',
    'foldcolumn',
    'statuscolumn',
  },
  desc = 'galley: draw for the options as they are',
  callback = vim.schedule_wrap(relayout_all),
})

-- What was typed goes before the text that is saved: Neovim sends it up to 150 ms later, and then it fits no more.
api.nvim_create_autocmd('BufWritePre', {
  group = group,
  desc = 'galley: send what was typed before it is saved',
  callback = function(ev)
    local client = preview.client(ev.buf)
    if client then
      require('galley.client').sync(client)
    end
  end,
})

api.nvim_create_autocmd('LspDetach', {
  group = group,
  desc = 'galley: show nothing that cannot be decided',
  callback = function(ev)
    local client = preview.client(ev.buf)
    if client and client.id == ev.data.client_id then
      preview.detach(ev.buf)
    end
  end,
})

api.nvim_create_autocmd('BufUnload', {
  group = group,
  desc = 'galley: forget a buffer',
  callback = function(ev)
    preview.detach(ev.buf) -- :edit keeps marks
  end,
})

-- The columns before the text grow when signs come: that is known only when the window is drawn.
api.nvim_set_decoration_provider(marks.namespace, {
  on_win = function(_, win, bufnr)
    local info = preview.has_drawn(bufnr) and vim.fn.getwininfo(win)[1]
    if info and columns[win] ~= info.textoff then
      columns[win] = info.textoff
      vim.schedule(function()
        preview.relayout(bufnr)
      end)
    end
    return false
  end,
})
