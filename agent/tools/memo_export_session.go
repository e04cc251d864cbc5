package tools

import _ "embed"

//go:embed memo_export_session.md
var exportSessionDoc string

// exportSession gives the full log of an editing session.
func exportSession() Tool {
	return define("memo_export_session", exportSessionDoc, Table.ExportSession)
}
