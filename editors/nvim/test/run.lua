-- nvim --headless --clean -c 'luafile run.lua': runs the cases in this version of Neovim. ONLY is a Lua pattern.
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
package.path = here .. '/?.lua;' .. package.path
local version = vim.env.NVIM_VERSION
local loaded, err = xpcall(function()
  vim.o.laststatus, vim.o.cmdheight, vim.o.swapfile = 0, 1, false
  local harness = require('harness')
  for _, file in ipairs(vim.fn.sort(vim.fn.glob(here .. '/cases/*_spec.lua', true, true))) do
    dofile(file)
  end
  local count = harness.run(vim.env.ONLY or '', vim.env.TEST_ROOT, version)
  harness.print('nvim-%s: %d passed, %d failed', version, count.passed, count.failed)
  vim.cmd(count.failed > 0 and 'cquit 1' or 'qall!')
end, debug.traceback)
if not loaded then
  io.stdout:write(err, '\n')
  vim.cmd('cquit 2')
end
