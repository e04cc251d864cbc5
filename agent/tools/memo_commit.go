package tools

import _ "embed"

//go:embed memo_commit.md
var commitDoc string

// commit proposes or commits the editing session of the current task, and ends the task.
func commit() Tool { return define("memo_commit", commitDoc, Table.Commit) }
