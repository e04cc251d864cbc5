package tools

import _ "embed"

//go:embed memo_begin_task.md
var beginTaskDoc string

// beginTask starts a task.
func beginTask() Tool { return define("memo_begin_task", beginTaskDoc, Table.BeginTask) }
