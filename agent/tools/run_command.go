package tools

import _ "embed"

//go:embed run_command.md
var runCommandDoc string

// runCommand runs a command of the shell, after the user's consent.
func runCommand() Tool { return define(commandTool, runCommandDoc, Table.RunCommand) }
