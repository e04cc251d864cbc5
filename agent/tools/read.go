package tools

import _ "embed"

//go:embed read.md
var readFileDoc string

// readFile shows any text file.
func readFile() Tool { return define("read", readFileDoc, Table.ReadFile).readOnly() }
