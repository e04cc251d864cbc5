---@meta
-- What the plugin reads of the wire (docs/protocol.md), and what it makes of it. Nothing here is loaded.

---@alias galley.State 'staged'|'applying'|'applied'|'rejected'|'conflict'

---@class galley.Change
---@field change string the letter
---@field revision integer
---@field session string
---@field edit integer
---@field state galley.State
---@field by? string
---@field kind 'replace'|'insert'|'delete'|'create'|'delete_file'|'rename'
---@field to? string of a rename: the new URI
---@field range lsp.Range of a whole file's change its beginning, which the server leaves out
---@field newText string
---@field lines galley.Line[] what to draw
---@field summary string
---@field reason string
---@field hash string
---@field conflict? {mine: string}

---@class galley.Line
---@field sign ' '|'-'|'+'|'!'
---@field line? integer from 1: of a line that comes in the text with the change, of others in the text without it
---@field text string
---@field marks [integer, integer][] what differs, in units of the position encoding

---@class galley.File
---@field uri string
---@field path string below the workspace
---@field version integer|vim.NIL|nil
---@field changes galley.Change[]

---@class galley.EditingSession
---@field session string
---@field edit integer
---@field state 'editing'|'proposed'|'committing'
---@field summary string
---@field title string of the session
---@field pending integer

---@class galley.Changes
---@field session string
---@field seq integer
---@field edits galley.EditingSession[]
---@field files galley.File[]
---@field latest? {decision: string} that an undo takes back

---@class galley.Context
---@field seq integer
---@field tokensPercent number
---@field actionHint string

---@class galley.MemoryFile
---@field session string
---@field path string overview.md, detail/x.md or archive/x.md
---@field size integer
---@field hash string empty for one that is gone

---@class galley.RunMessage
---@field run string
---@field session string
---@field seq integer
---@field state 'thinking'|'tool'|'waiting'|'done'|'failed'|'cancelled'
---@field step integer
---@field tool? string
---@field text? string
---@field error? string
---@field prompt? string of an earlier run
---@field calls? galley.RunCall[] of the step

---@class galley.RunCall
---@field tool string
---@field path? string
---@field letters? string[]
---@field status? string none while it goes on
---@field code? string
---@field hint? string
---@field output? string
---@field line string

---@class galley.AgentSession
---@field session string
---@field title string
---@field updated string
---@field pending integer
---@field lockedBy? string
---@field current boolean

--- A change and where it is.
---@class galley.Place
---@field change galley.Change
---@field file galley.File
---@field bufnr? integer of the buffer that has the file, if one is loaded
---@field row integer 0-based, the first row that it is about
---@field last integer 0-based, the last one
---@field start integer 0-based, the row in which it begins
---@field col integer and the byte
