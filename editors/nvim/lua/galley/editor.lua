-- What many rooms ask of Neovim, said once.
local api = vim.api

local M = {}

local group = api.nvim_create_augroup('galley', {})

--- A function of a room, with what comes first. The room is loaded when it is called.
---@param room string
---@param name string
---@param first? any
---@return function
function M.of(room, name, first)
  return function(...)
    local fn = require('galley.' .. room)[name]
    if first then
      return fn(first, ...)
    end
    return fn(...)
  end
end

--- Calls fn at events.
---@param events string|string[]
---@param desc string
---@param fn fun(ev: vim.api.keyset.create_autocmd.callback_args)
---@param opts? vim.api.keyset.create_autocmd
function M.on(events, desc, fn, opts)
  local all = { group = group, desc = 'galley: ' .. desc, callback = fn }
  api.nvim_create_autocmd(events, vim.tbl_extend('force', all, opts or {}))
end

--- Maps keys of a buffer of the plugin's own.
---@param bufnr integer
---@param modes string|string[]
---@param keys string[]
---@param desc string
---@param fn function|string
function M.map(bufnr, modes, keys, desc, fn)
  for _, lhs in ipairs(keys) do
    local opts = { buffer = bufnr, nowait = true, desc = 'galley: ' .. desc }
    vim.keymap.set(modes, lhs, fn, opts)
  end
end

--- Stops what vim.defer_fn() has begun.
---@param timer? uv.uv_timer_t
function M.stop(timer)
  if timer and not timer:is_closing() then
    timer:stop()
    timer:close()
  end
end

--- Asks before something goes; no answer is no.
---@param question string
---@param yes string a word for it
---@return boolean
function M.agreed(question, yes)
  local answer = vim.fn.confirm(question, ('&%s\n&Keep'):format(yes), 2)
  vim.cmd('redraw') -- else what is said next would wait for a key
  return answer == 1
end

--- Whether a window is there.
---@param win? integer
---@return boolean
function M.is_window(win)
  return win ~= nil and api.nvim_win_is_valid(win)
end

--- A file as people call it, by its URI or its path.
---@param name string
---@return string
function M.name(name)
  return vim.fn.fnamemodify(name:find('^file:') and vim.uri_to_fname(name) or name, ':.')
end

--- "1 change", "3 changes".
---@param n integer
---@param noun string
---@return string
function M.count(n, noun)
  return ('%d %s%s'):format(n, noun, n == 1 and '' or 's')
end

--- "1 change waits for you", "3 changes wait for you".
---@param n integer
---@return string
function M.waiting(n)
  return ('%s wait%s for you'):format(M.count(n, 'change'), n == 1 and 's' or '')
end

return M
