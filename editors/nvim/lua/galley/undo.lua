-- Taking back the latest decision of the workspace, whoever made it.
local actions = require('galley.actions')
local editor = require('galley.editor')
local ext = require('galley.ext')
local notify = require('galley.notify')
local state = require('galley.state')

local M = {}

--- Takes back the decision of that name, or the latest one that the user has seen. The server knows where to ask first.
---@type fun(name?: string)
M.undo = actions.with_client(function(c, name)
  local latest = state.workspace(c.id).changes.latest
  local argument = { decision = name or latest and latest.decision, ask = not name }
  local function told(result)
    if result.undone then
      notify.info(result.undone.said)
    elseif editor.agreed(result.question, 'Take back') then
      argument.ask = nil
      actions.execute(c, ext.commands.undo, argument, told)
    else
      notify.info('nothing was taken back')
    end
  end
  actions.execute(c, ext.commands.undo, argument, told)
end)

return M
