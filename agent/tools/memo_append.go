package tools

import _ "embed"

//go:embed memo_append.md
var appendTextDoc string

// appendText stages an insertion at the end of a file or a section.
func appendText() Tool { return define("memo_append", appendTextDoc, Table.Append) }
