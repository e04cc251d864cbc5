package tools

import _ "embed"

//go:embed search_text.md
var searchTextDoc string

// searchText looks through the proposed text of the workspace.
func searchText() Tool { return define("search_text", searchTextDoc, Table.SearchText).readOnly() }
