package memory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// place is a home and a workspace of a test's own.
type place struct{ home, workspace string }

func newPlace(t testing.TB) place {
	t.Helper()
	return place{home: t.TempDir(), workspace: t.TempDir()}
}

// create makes a session in p and closes it with the test.
func (p place) create(t testing.TB) *Store {
	t.Helper()
	s, err := Create(p.home, p.workspace, Meta{Title: "a test", Model: "offline"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func newStore(t testing.TB) *Store {
	t.Helper()
	s := newPlace(t).create(t)
	s.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	return s
}

// reopen closes s and opens its session again.
func (p place) reopen(t testing.TB, s *Store) *Store {
	t.Helper()
	ok(t, s.Close())
	again, err := Open(p.home, p.workspace, s.ID())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { again.Close() })
	return again
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func readFile(t testing.TB, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	ok(t, err)
	return string(data)
}

func writeFile(t testing.TB, text string, path ...string) {
	t.Helper()
	ok(t, os.WriteFile(filepath.Join(path...), []byte(text), 0o600))
}

// play journals a history: "U" and "N" are messages of the user and of galley,
// "A" a text of the model, "A{c1,c2}" its calls, "Tc1" the result of a call.
// What stands behind a colon is the text; _ in it is a blank.
func play(t testing.TB, s *Store, history string) {
	t.Helper()
	for _, word := range strings.Fields(history) {
		word, text, _ := strings.Cut(word, ":")
		text = strings.ReplaceAll(text, "_", " ")
		switch {
		case word == "U":
			ok(t, s.AddUser(or(text, "question")))
		case word == "N":
			ok(t, s.AddNotice(or(text, "notice")))
		case word[0] == 'A':
			ok(t, s.AddAssistant(assistantOf(word, text), Usage{}))
		case word[0] == 'T':
			ok(t, s.AddResult(word[1:], or(text, "result of "+word[1:])))
		}
	}
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

func assistantOf(word, text string) Message {
	m := Message{Role: RoleAssistant, Content: text}
	calls := strings.Trim(word[1:], "{}")
	if calls == "" {
		m.Content = or(text, "answer")
		return m
	}
	for _, id := range strings.Split(calls, ",") {
		m.ToolCalls = append(m.ToolCalls, ToolCall{ID: id, Name: "memo_" + id, Arguments: `{"path":"` + id + `"}`})
	}
	return m
}

// written is the inverse of play for a view: unanswered calls are "T?".
func written(msgs []Message) string {
	names := map[string]string{}
	var words []string
	for _, m := range msgs {
		switch {
		case m.Role == RoleUser && m.Content == openerText:
			words = append(words, "(opener)")
		case m.Role == RoleUser:
			words = append(words, "U:"+strings.ReplaceAll(m.Content, " ", "_"))
		case m.Role == RoleAssistant && len(m.ToolCalls) == 0:
			words = append(words, "A")
		case m.Role == RoleAssistant:
			var ids []string
			for _, c := range m.ToolCalls {
				names[c.ID] = strings.TrimPrefix(c.Name, "memo_")
				ids = append(ids, names[c.ID])
			}
			words = append(words, "A{"+strings.Join(ids, ",")+"}")
		case m.Content == unansweredText:
			words = append(words, "T?"+names[m.ToolCallID])
		default:
			words = append(words, "T"+names[m.ToolCallID])
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(strings.Join(words, " "), "U:question", "U"), "U:notice", "N")
}

func removeFile(t testing.TB, path string) {
	t.Helper()
	ok(t, os.Remove(path))
}

// Messages is the conversation as a model is shown it.
func (s *Store) Messages() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return (&gate{taken: map[string]bool{}}).messages(s.convLocked().messages())
}
