-- docs/neovim.md and the help name all there is.
local harness = require('harness')
local case = harness.case

local read, root = harness.read, harness.root
local page = root .. '/docs/neovim.md'

case('docs: docs/neovim.md and the help name every command, key, option and highlight', function(t)
  local n = t:neovim({})
  local all = n:lua([[
    local config = require('galley.config').defaults
    local names = vim.tbl_keys(require('galley.commands').subs)
    vim.list_extend(names, vim.tbl_keys(require('galley.keys').defaults))
    vim.list_extend(names, vim.tbl_keys(require('galley.highlight').links))
    for name, value in pairs(config) do
      if type(value) ~= 'table' or vim.islist(value) or next(value) == nil then
        names[#names + 1] = name
      end
      for key in pairs(type(value) == 'table' and not vim.islist(value) and value or {}) do
        names[#names + 1] = key
      end
    end
    return names
  ]])
  t:ok(#all > 80, 'names were found')
  local missing = {}
  for _, document in ipairs({ page, root .. '/editors/nvim/doc/galley.txt' }) do
    local text = read(document)
    for _, name in ipairs(all) do
      if not text:find('%f[%w_]' .. vim.pesc(name) .. '%f[^%w_]') then
        missing[#missing + 1] = vim.fs.basename(document) .. ' does not name ' .. name
      end
    end
  end
  t:eq(missing, {}, 'what is missing')
end)
