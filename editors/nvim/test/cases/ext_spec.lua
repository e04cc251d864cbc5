-- The names on the wire are the server's.
local harness = require('harness')
local case = harness.case

case('ext: every name of the plugin is one of the server', function(t)
  local read, root = harness.read, harness.root
  local go, lua = {}, {}
  for _, file in ipairs(vim.fn.glob(root .. '/lsp/*.go', true, true)) do
    if not file:find('_test%.go$') then
      for name in read(file):gmatch('"(galley[./][%a]+)"') do
        go[name] = true
      end
    end
  end
  local ext = dofile(root .. '/editors/nvim/lua/galley/ext.lua')
  for _, list in pairs(ext) do
    for _, name in pairs(type(list) == 'table' and list or {}) do
      lua[#lua + 1] = name
    end
  end
  t:ok(#lua > 10, 'names were found')
  for _, name in ipairs(lua) do
    t:ok(go[name], ('ext.lua names %s, which lsp/ does not know'):format(name))
  end
end)
