-- Options: the defaults, over them vim.g.galley, over them what setup() was given.
local M = {}

---@class galley.Config.Preview
---@field style 'inline'|'signs'|'split' how changes are shown
---@field max_lines integer a longer block of new lines is folded to this many; 0: never
---@field syntax boolean colour new lines as the language's tree-sitter parser has it
---@field words boolean mark what is different within a line
---@field reason boolean a line below each change that says what it is for
---@field hints boolean name your keys there, for the change at the cursor
---@field decided integer for how many milliseconds a decision is shown at its place; 0: not at all
---@field priority integer of signs

---@class galley.Config.Signs
---@field delete string behind the letter, for lines that would go
---@field add string for lines that would come
---@field change string for lines that would be replaced, where the new ones are not shown
---@field conflict string
---@field below string beside a line that new ones would come below, where these cannot be marked themselves
---@field above string

---@class galley.Config.Run
---@field open 'split'|'float'|'none' what opens when you ask
---@field height integer of the window, at most
---@field width integer of the float, at most
---@field close_after integer milliseconds after the end of a run until the window closes by itself; 0: never

---@class galley.Config
---@field cmd? string|string[] the server's program; nil: it is looked for
---@field autostart boolean
---@field log_file string|false of the server
---@field settings table the server's settings, see docs/protocol.md
---@field trusted? boolean|fun(root: string): boolean the workspace's settings may do everything (docs/configuration.md)
---@field root? fun(bufnr: integer): string? the workspace of a buffer; nil: .galley, .git, else the current folder
---@field attach? fun(bufnr: integer): boolean? false keeps the server from a buffer
---@field exclude string[] file types that the server does not get
---@field max_file_size integer bytes; larger files are left alone
---@field keys boolean|table<string, string|false> true: the default maps; a table: these over them
---@field preview galley.Config.Preview
---@field signs galley.Config.Signs
---@field run galley.Config.Run
---@field ask {input: 'ui'|'box', history: integer} vim.ui.input or a small window for several lines; prompts kept
---@field documents {open: 'split'|'vsplit'|'tab'|'float'|'edit'} where galley's own documents are shown

---@type galley.Config
M.defaults = {
  cmd = nil,
  autostart = true,
  log_file = vim.fs.joinpath(vim.fn.stdpath('log') --[[@as string]], 'galley.log'),
  settings = {},
  trusted = nil,
  root = nil,
  attach = nil,
  exclude = { 'gitcommit', 'gitrebase', 'help', 'qf' },
  max_file_size = 16 * 1024 * 1024,
  keys = false,
  preview = {
    style = 'inline',
    max_lines = 20,
    syntax = true,
    words = true,
    reason = true,
    hints = true,
    decided = 1500,
    priority = 20,
  },
  signs = { delete = '-', add = '+', change = '~', conflict = '!', below = '_', above = '^' },
  run = { open = 'split', height = 10, width = 76, close_after = 4000 },
  ask = { input = 'ui', history = 200 },
  documents = { open = 'split' },
}

---@type galley.Config?
local current

---@type table<string, string[]>
M.choices = {
  ['preview.style'] = { 'inline', 'signs', 'split' },
  ['run.open'] = { 'float', 'split', 'none' },
  ['ask.input'] = { 'ui', 'box' },
  ['documents.open'] = { 'split', 'vsplit', 'tab', 'float', 'edit' },
}

--- May be of another type than the default, or has none.
---@type table<string, string>
local types = {
  cmd = 'string table',
  root = 'function',
  trusted = 'boolean function',
  attach = 'function',
  keys = 'boolean table',
  log_file = 'string boolean',
}

---@param got table
---@param known table
---@param path string
---@param unknown string[]
---@param wrong string[]
local function check(got, known, path, unknown, wrong)
  for name, value in pairs(got) do
    local full = path .. tostring(name)
    local want = types[full] or known[name] ~= nil and type(known[name])
    if not want then
      unknown[#unknown + 1] = ('there is no option %s'):format(full)
    elseif not want:find(type(value), 1, true) then
      local kinds = want:gsub(' ', ' or a ')
      wrong[#wrong + 1] = ('%s is a %s, not a %s'):format(full, kinds, type(value))
    elseif M.choices[full] and not vim.list_contains(M.choices[full], value) then
      local all = table.concat(M.choices[full], ', ')
      wrong[#wrong + 1] = ('%s is %q; it is one of %s'):format(full, value, all)
    elseif type(known[name]) == 'table' and not vim.islist(known[name]) and full ~= 'settings' then
      check(value, known[name], full .. '.', unknown, wrong)
    end
  end
end

--- What is wrong with options, in sentences: names that are unknown first.
---@param opts table
---@return string[]
local function problems(opts)
  local unknown, wrong = {}, {}
  check(opts, M.defaults, '', unknown, wrong)
  table.sort(unknown)
  table.sort(wrong)
  return vim.list_extend(unknown, wrong)
end

---@type string[]
M.complaints = {}

---@param opts? table
function M.set(opts)
  local given = vim.tbl_deep_extend('force', vim.g.galley or {}, opts or {})
  M.complaints = problems(given)
  if #M.complaints > 0 then
    require('galley.notify').warn(table.concat(M.complaints, '; ') .. '; see :help galley-config')
  end
  for name, value in pairs(vim.deepcopy(given)) do
    if #problems({ [name] = value }) > 0 then
      given[name] = nil
    end
  end
  current = vim.tbl_deep_extend('force', M.defaults, given)
end

---@return galley.Config
function M.get()
  if not current then
    M.set()
  end
  return current --[[@as galley.Config]]
end

return M
