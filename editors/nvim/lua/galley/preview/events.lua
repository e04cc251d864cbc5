-- The editor moves: windows, options, the cursor, buffers that are saved or go.
local editor = require('galley.editor')
local marks = require('galley.preview.marks')
local preview = require('galley.preview')
local top = require('galley.preview.top')

local api = vim.api

--- The columns before the text, by window.
---@type table<integer, integer>
local columns = {}

editor.on('CursorMoved', 'follow the cursor', function(ev)
  preview.follow_cursor(ev.buf)
end)

local moved = { 'WinResized', 'WinScrolled', 'BufWinEnter', 'WinEnter', 'WinClosed', 'FileType' }
editor.on(moved, 'draw for the windows as they are', function(ev)
  if ev.event == 'WinScrolled' then
    top.scrolled(preview.above)
  end
  vim.schedule(preview.relayout)
end)

local options = 'wrap,diff,linebreak,list,listchars,tabstop,vartabstop,number,relativenumber,'
  .. 'signcolumn,foldcolumn,statuscolumn'
editor.on('OptionSet', 'draw for the options as they are', function()
  vim.schedule(preview.relayout)
end, { pattern = options })

-- What was typed goes before the text that is saved: Neovim sends it up to 150 ms later, and then it fits no more.
editor.on('BufWritePre', 'send what was typed before it is saved', function(ev)
  local client = preview.client(ev.buf)
  if client then
    require('galley.client').sync(client)
  end
end)

editor.on('LspDetach', 'show nothing that cannot be decided', function(ev)
  local client = preview.client(ev.buf)
  if client and client.id == ev.data.client_id then
    preview.detach(ev.buf)
  end
end)

editor.on('BufUnload', 'forget a buffer', function(ev)
  preview.detach(ev.buf) -- :edit keeps marks
end)

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
