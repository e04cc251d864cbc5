package tools

import _ "embed"

//go:embed memo_read.md
var memoReadDoc string

// memoRead shows the proposed text, with the keys of its lines.
func memoRead() Tool { return define("memo_read", memoReadDoc, Table.Read).readOnly() }
