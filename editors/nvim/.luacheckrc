-- luacheck of the plugin and its tests: Neovim's Lua is LuaJIT with one global more.
std = 'luajit'
cache = false
codes = true
max_line_length = 120
globals = { 'vim' }
exclude_files = { '.luarocks', '.cache' }
ignore = { '212/_.*' } -- arguments that are not used are named so
