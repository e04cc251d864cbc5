package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// argKeys are the arguments that a short line shows, in its order, and how.
var argKeys = []struct{ key, form string }{
	{"path", "%s"},
	{"glob", "%s"},
	{"pattern", "“%s”"},
	{"old_text", "“%s”"},
	{"old_span_start", "“%s”"},
	{"old_span_end", "… “%s”"},
	{"new_text", "→ “%s”"},
	{"text", "“%s”"},
	{"content", "“%s”"},
	{"after", "after “%s”"},
	{"search_after", "after “%s”"},
	{"search_before", "before “%s”"},
	{"match_id", "[%s]"},
	{"change_id", "[%s]"},
	{"goal", "“%s”"},
	{"summary", "“%s”"},
	{"reason", "“%s”"},
	{"task_id", "#%s"},
	{"session_id", "%s"},
	{"to", "→ %s"},
	{"format", "%s"},
}

// argLine shows the arguments of a call in one line: "config.json “timeout: 30” → “timeout: 60” [B]".
func argLine(arguments string) string {
	var args map[string]any
	if json.Unmarshal([]byte(arguments), &args) != nil {
		return oneLine(arguments, 60)
	}
	var parts []string
	for _, k := range argKeys {
		if s, ok := args[k.key].(string); ok && (s != "" || k.key == "new_text") {
			parts = append(parts, fmt.Sprintf(k.form, oneLine(s, 40)))
		}
	}
	return strings.Join(parts, " ")
}

// oneLine cuts a text to n characters and shows line ends, so that it cannot break or recolour a terminal's line.
func oneLine(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '↵'
		case r == utf8.RuneError, unicode.IsControl(r):
			return ' '
		}
		return r
	}, s)
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
