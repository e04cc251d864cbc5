package memory

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// JournalQuery selects entries of the journal. Zero fields select everything.
type JournalQuery struct {
	From, To int      // iterations, both included; To 0: through the last
	Entry    int64    // its number; 0: any
	Through  int64    // with Entry: through this one; 0: that one alone
	Types    []string // tool_call selects the replies that hold calls
	Text     string   // occurs in a text of the entry, letter case aside
	File     string   // the entry names this file, by its path or the end of it
	Limit    int      // the newest so many; 0: all
}

// Talk is the types of the conversation.
var Talk = []string{TypeUser, TypeAssistant, TypeToolResult}

// Told is Talk, and what stands in the place of that which left the requests.
var Told = append(slices.Clone(Talk), TypeCompact)

// Query selects entries, in order, and changes nothing.
func (s *Store) Query(q JournalQuery) []Entry {
	entries := s.Entries()
	found := []Entry{}
	for i := len(entries) - 1; i >= 0 && (q.Limit <= 0 || len(found) < q.Limit); i-- {
		if q.matches(entries[i]) {
			found = append(found, entries[i])
		}
	}
	slices.Reverse(found)
	return found
}

func (q JournalQuery) matches(e Entry) bool {
	if q.Entry != 0 && (e.Seq < q.Entry || e.Seq > max(q.Entry, q.Through)) || e.Iteration < q.From || q.To > 0 && e.Iteration > q.To || !q.hasType(e) {
		return false
	}
	if q.Text == "" && q.File == "" {
		return true
	}
	w := walker{text: strings.ToLower(q.Text), file: path.Clean(q.File)}
	w.walkJSON("", e.Payload)
	return (q.Text == "" || w.textFound) && (q.File == "" || w.fileFound)
}

func (q JournalQuery) hasType(e Entry) bool {
	if len(q.Types) == 0 || slices.Contains(q.Types, e.Type) {
		return true
	}
	return e.Type == TypeAssistant && slices.Contains(q.Types, TypeToolCall) && bytes.Contains(e.Payload, []byte(`"tool_calls"`))
}

// walker looks through all strings of a payload, and through the JSON in them:
// arguments and results of tools.
type walker struct {
	text, file           string
	textFound, fileFound bool
}

func (w *walker) walkJSON(key string, data []byte) {
	var v any
	if json.Unmarshal(data, &v) == nil {
		w.walk(key, v)
	}
}

func (w *walker) walk(key string, v any) {
	switch v := v.(type) {
	case string:
		w.see(key, v)
	case []any:
		for _, item := range v {
			w.walk(key, item)
		}
	case map[string]any:
		for k, item := range v {
			w.walk(k, item)
		}
	}
}

func (w *walker) see(key, s string) {
	if w.text != "" && strings.Contains(strings.ToLower(s), w.text) {
		w.textFound = true
	}
	if names(key) && sameFile(s, w.file) {
		w.fileFound = true
	}
	if strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
		w.walkJSON(key, []byte(s))
	}
}

// names tells whether a field of this name holds a path.
func names(key string) bool {
	switch key {
	case "path", "file", "files", "to":
		return true
	}
	return false
}

func sameFile(have, want string) bool {
	have = path.Clean(have)
	return have == want || strings.HasSuffix(have, "/"+want)
}
