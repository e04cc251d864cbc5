-- Every name that is galley's own on the wire: the mirror of lsp/ext.go. A test of the server compares the two.
local M = {}

-- Notifications and requests to the client.
M.methods = {
  changes = 'galley/changes',
  tasks = 'galley/tasks',
  context = 'galley/context',
  run = 'galley/run',
  save = 'galley/save',
  memory = 'galley/memory',
  question = 'galley/question', -- for editors that ask modally; here it is a message with buttons
}

M.commands = {
  ask = 'galley.ask',
  cancel = 'galley.cancel',
  apply = 'galley.apply',
  reject = 'galley.reject',
  unreject = 'galley.unreject',
  resolve = 'galley.resolve',
  commit = 'galley.commit',
  revert = 'galley.revert',
  undo = 'galley.undo',
  preview = 'galley.preview',
  next = 'galley.next',
  previous = 'galley.previous',
  changes = 'galley.changes',
  runs = 'galley.runs',
  tasks = 'galley.tasks',
  context = 'galley.context',
  sessions = 'galley.sessions',
  newSession = 'galley.newSession',
  openSession = 'galley.openSession',
  renameSession = 'galley.renameSession',
  deleteSession = 'galley.deleteSession',
  rewind = 'galley.rewind',
  compact = 'galley.compact',
  unfold = 'galley.unfold',
  memory = 'galley.memory',
  export = 'galley.export',
  comment = 'galley.comment',
  send = 'galley.send',
  edit = 'galley.edit',
  amend = 'galley.amend',
  split = 'galley.split',
}

M.scheme = 'galley' -- of virtual documents
M.section = 'galley' -- of the settings
M.current = 'current' -- stands for the active session in the URI of a virtual document

return M
