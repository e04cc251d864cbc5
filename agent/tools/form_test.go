package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
)

// args are arguments as a model writes them.
func args(t *testing.T, pairs ...string) string {
	t.Helper()
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What read and memo_read show, and what comes of it when it is given back.
func TestGivenBack(t *testing.T) {
	for name, raw := range map[string]string{
		"U12 stray bytes":    "say \x93hi\x94 now\r\nrate = 1\r\n",
		"U12 marks as text":  "the mark ⟦93⟧\nand \x93\n",
		"U13 mixed":          "a\r\nb\nc\r\n",
		"U13 lone CR":        "a\rb\r\nc\r",
		"U13 no last ending": "a\nb",
		"U14 prefixes":       "1:ca97  │a\nb\n",
		"a secret":           "key = " + secret + "\nb\n",
		"a byte order mark":  "\ufeffa\r\nb\r\n",
		"blank":              "\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := opened(t, func(cfg *session.Config) { cfg.Review = "" })
			at := filepath.Join(s.Workspace(), "f.txt")
			if err := os.WriteFile(at, []byte(raw), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, tool := range []string{"read", "memo_read"} {
				shown := call(t, s, tool, `{"path":"f.txt"}`)
				if o := call(t, s, "write", args(t, "path", "f.txt", "content", *shown.Text)); o.Code != CodeNoChange && (tool == "read" || name != "U14 prefixes") {
					t.Errorf("%s shows %q, and writing that is %s", tool, *shown.Text, o.JSON())
				}
			}
		})
	}
}

// Whatever a tool shows of a stray byte can be given back.
func TestU12MarksInEveryAnswer(t *testing.T) {
	s := opened(t, func(cfg *session.Config) { cfg.Review = "" })
	at := filepath.Join(s.Workspace(), "f.txt")
	if err := os.WriteFile(at, []byte("say \x93hi\nand \x93hi\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for tool, arguments := range map[string]string{
		"search_text": `{"pattern":"say"}`, "memo_read": `{"path":"f.txt"}`,
		"memory_notebook_replace": `{"path":"f.txt","old_text":"hi","new_text":"x"}`,
	} {
		if o := call(t, s, tool, arguments).JSON(); strings.Contains(o, "\ufffd") || !strings.Contains(o, "⟦93⟧hi") {
			t.Errorf("%s answers %s", tool, o)
		}
	}
	if o := call(t, s, "memory_notebook_replace", args(t, "path", "f.txt", "old_text", "say ⟦93⟧hi", "new_text", "say ⟦93⟧hello")); o.Status != StatusEditing {
		t.Errorf("%s", o.JSON())
	}
	if o := call(t, s, "memo_commit", `{"summary":"s"}`); o.Status != StatusProposed {
		t.Fatal(o.JSON())
	}
	if _, err := s.Decide(session.Commit(1, "s", nil)); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(at); string(got) != "say \x93hello\nand \x93hi\n" {
		t.Errorf("%q", got)
	}
}

// The same of the working memory, where it is written at once.
func TestGivenBackToTheMemory(t *testing.T) {
	s := opened(t)
	for _, c := range []struct{ name, was, change, want string }{
		{"U13 mixed", "a\r\nb\nc\r\n", "b", "a\r\nB\nc\r\n"},
		{"U14 prefixes", "a\nb\n", "b", "a\nB\n"},
		{"U12 stray bytes", "say \x93hi\nb\n", "b", "say \x93hi\nB\n"},
	} {
		for _, tool := range []string{"read", "memo_read"} {
			at := filepath.Join(s.Dir(), "working-memory", "n.md")
			if err := os.WriteFile(at, []byte(c.was), 0o600); err != nil {
				t.Fatal(err)
			}
			shown := *call(t, s, tool, `{"path":"working-memory/n.md"}`).Text
			content := strings.Replace(shown, "\nb", "\nB", 1)
			if content == shown {
				content = strings.Replace(shown, "│b", "│B", 1)
			}
			if o := call(t, s, "write", args(t, "path", "working-memory/n.md", "content", content)); o.Status != StatusOK {
				t.Fatalf("%s: %s", c.name, o.JSON())
			}
			if got, _ := os.ReadFile(at); string(got) != c.want {
				t.Errorf("%s, by %s: %q, want %q", c.name, tool, got, c.want)
			}
		}
	}
	call(t, s, "write", args(t, "path", "working-memory/m.md", "content", ""))
	call(t, s, "memo_append", args(t, "path", "working-memory/m.md", "text", "1:8ff4  │one"))
	call(t, s, "memo_append", args(t, "path", "working-memory/m.md", "text", "two"))
	if got := *call(t, s, "read", `{"path":"working-memory/m.md"}`).Text; got != "one\ntwo\n" {
		t.Errorf("U18: %q", got)
	}
}

// position and old_length are those of old_text, whatever of it differs.
func TestU83PositionIsThatOfOldText(t *testing.T) {
	s := reviewed(t)
	const was = "één\n{\n  \"stable\": 1,\n  \"experimental\": []\n}\nlast line\n"
	if err := os.WriteFile(filepath.Join(s.Workspace(), "f.txt"), []byte(was), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, old, end, now string }{
		{"memory_notebook_replace", `"experimental": []`, "", `"experimental": ["X"]`},
		{"memory_notebook_replace", "{\n", "", "{\n  \"new\": 0,\n"},
		{"memory_notebook_replace", "één", "", "één and more"},
		{"memory_notebook_replace_span", "}", "last line", "}\nlast"},
	} {
		pairs := []string{"path", "f.txt", "old_text", c.old, "new_text", c.now}
		old := c.old
		if c.end != "" {
			pairs = []string{"path", "f.txt", "old_span_start", c.old, "old_span_end", c.end, "new_text", c.now}
			old = "}\nlast line"
		}
		before := *call(t, s, "read", `{"path":"f.txt"}`).Text
		o := call(t, s, c.tool, args(t, pairs...))
		p := o.PendingChanges[len(o.PendingChanges)-1]
		for _, q := range o.PendingChanges {
			if q.Preview != "" {
				p = q
			}
		}
		at := len([]rune(before[:strings.Index(before, old)]))
		if p.Position != at || p.OldLength != len([]rune(old)) || p.Delta != len([]rune(c.now))-len([]rune(old)) {
			t.Errorf("%q: position %d, want %d; old_length %d, delta %d", c.old, p.Position, at, p.OldLength, p.Delta)
		}
	}
	stale := call(t, s, "memory_notebook_replace", `{"path":"f.txt","old_text":"last","new_text":"x","line_key":"1:0000"}`)
	if stale.Status != StatusStale || !strings.Contains(stale.Hint, "what text shows") || stale.Text == nil || !strings.Contains(*stale.Text, "│één") {
		t.Errorf("stale: %s", stale.JSON())
	}
}
