package tools

import _ "embed"

//go:embed write.md
var writeDoc string

// write stages a whole file, or writes a note at once.
func write() Tool { return define("write", writeDoc, Table.Write) }
