-- What `make nvim-demo` opens.
local case = require('harness').case

case('demo: it opens with four letters, the keys work, and nothing is left behind', function(t)
  local n = t:program({ vim.fn.getcwd() .. '/demo/demo.sh' }, { size = { 100, 40 } })
  n:shows('galley · done')
  n:shows('Four letters wait')
  n:type('gl<Space>q')
  n:shows('4 letters')
  n:type(']ggla')
  n:shows('3 letters')
  n:type(':qa!<CR>')
  t:await('its end', function()
    return not n:alive()
  end)
  t:eq(vim.fn.glob(n.home .. '/galley-demo.*', true, true), {}, 'what is left of it')
end)
