package tools

import _ "embed"

//go:embed list_files.md
var listFilesDoc string

// listFiles names the files of the workspace.
func listFiles() Tool { return define("list_files", listFilesDoc, Table.ListFiles).readOnly() }
