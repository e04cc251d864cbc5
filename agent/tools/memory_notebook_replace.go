package tools

import _ "embed"

//go:embed memory_notebook_replace.md
var replaceDoc string

// replace stages one replacement.
func replace() Tool { return define("memory_notebook_replace", replaceDoc, Table.Replace) }
