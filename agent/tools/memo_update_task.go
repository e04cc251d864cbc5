package tools

import _ "embed"

//go:embed memo_update_task.md
var updateTaskDoc string

// updateTask changes a task that waits.
func updateTask() Tool { return define("memo_update_task", updateTaskDoc, Table.UpdateTask) }
