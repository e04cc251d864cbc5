package memory

import (
	"strings"
)

// ours are the names of the elements of a request, beginning or ending one.
var ours = Pattern(`(?i)<([\s/\p{Cf}]*(?:agents_md|skills|working_memory|tasks|pending_changes|context_meta|editing_session|earlier_conversation|conversation|tool_result|finished_work|commands_run|user_decisions)\b)`)

// Element is a part of a request with a name, and attributes as name and value by turns. What stands in it may be
// anybody's words: none of them ends the element, or looks like another one.
func Element(name, content string, attributes ...string) string {
	var out strings.Builder
	out.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		out.WriteString(" " + attributes[i] + `="` + inQuotes.Replace(attributes[i+1]) + `"`)
	}
	out.WriteString(">\n" + ours().ReplaceAllString(strings.TrimRight(content, "\n"), "&lt;$1") + "\n</" + name + ">")
	return out.String()
}

// inQuotes is an attribute's value on one line, which nothing in it ends.
var inQuotes = strings.NewReplacer(`"`, "&quot;", "<", "&lt;", ">", "&gt;", "\r", " ", "\n", " ")
