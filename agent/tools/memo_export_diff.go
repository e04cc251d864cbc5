package tools

import _ "embed"

//go:embed memo_export_diff.md
var exportDiffDoc string

// exportDiff gives the full diff of an editing session.
func exportDiff() Tool { return define("memo_export_diff", exportDiffDoc, Table.ExportDiff) }
