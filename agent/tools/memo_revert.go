package tools

import _ "embed"

//go:embed memo_revert.md
var revertDoc string

// revert throws the editing session of the current task away, and ends the task.
func revert() Tool { return define("memo_revert", revertDoc, Table.Revert) }
