package tools

import _ "embed"

//go:embed memo_drop.md
var dropDoc string

// drop takes one change back.
func drop() Tool { return define("memo_drop", dropDoc, Table.Drop) }
