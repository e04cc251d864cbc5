package tools

import _ "embed"

//go:embed memo_preview.md
var previewDoc string

// preview shows what is staged.
func preview() Tool { return define("memo_preview", previewDoc, Table.Preview).readOnly() }
