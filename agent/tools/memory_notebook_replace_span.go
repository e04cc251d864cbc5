package tools

import _ "embed"

//go:embed memory_notebook_replace_span.md
var replaceSpanDoc string

// replaceSpan stages the replacement of all from one text through another.
func replaceSpan() Tool {
	return define("memory_notebook_replace_span", replaceSpanDoc, Table.ReplaceSpan)
}
