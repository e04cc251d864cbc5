package tools

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

// An edit that was rejected with a reason and comes again says so to both.
func TestU36TheRejectedEditAgain(t *testing.T) {
	const first = `{"path":"a.txt","old_text":"two","new_text":"twenty","reason":"more"}`
	for _, c := range []struct {
		name, tool, arguments string
		again                 bool
	}{
		{"the same call", "memory_notebook_replace", first, true},
		{"with more around it", "memory_notebook_replace", `{"path":"a.txt","old_text":"one\ntwo\none","new_text":"one\ntwenty\none"}`, true},
		{"as a span", "memory_notebook_replace_span", `{"path":"a.txt","old_span_start":"two","old_span_end":"two","new_text":"twenty"}`, true},
		{"by a near path", "memory_notebook_replace", `{"path":"A.TXT:2","old_text":"two","new_text":"twenty"}`, true},
		{"as the whole file", "write", `{"path":"a.txt","content":"one\ntwenty\none\n"}`, true},
		{"another text", "memory_notebook_replace", `{"path":"a.txt","old_text":"two","new_text":"2"}`, false},
		{"at another place", "memo_append", `{"path":"a.txt","text":"twenty\n"}`, false},
		{"more than that", "write", `{"path":"a.txt","content":"one\ntwenty\n"}`, false},
	} {
		for _, reason := range []string{"keep the old word", ""} {
			s := opened(t, func(cfg *session.Config) { cfg.Review = editing.Ask })
			call(t, s, "memory_notebook_replace", first)
			a, _ := s.Snapshot().Change("A")
			if _, err := s.Decide(session.Reject([]editing.Choice{{Letter: "A", Revision: a.Revision}}, reason)); err != nil {
				t.Fatal(err)
			}
			o := call(t, s, c.tool, c.arguments)
			b, ok := s.Snapshot().Change("B")
			if o.Status != StatusEditing || !ok {
				t.Fatalf("%s: %s", c.name, o.JSON())
			}
			told := strings.Contains(o.Hint, "the user has rejected this very edit before, as A") && strings.Contains(o.Hint, reason)
			shown := strings.HasPrefix(b.Because(), "again: you rejected this edit before, as A") && strings.Contains(b.Because(), reason)
			if told != c.again || shown != c.again {
				t.Errorf("%s: %s, and the person sees %q", c.name, o.JSON(), b.Because())
			}
		}
	}
}

// It is known in the next editing session too, and no more when the agent has thought of something else.
func TestU36AgainLater(t *testing.T) {
	s := opened(t, func(cfg *session.Config) { cfg.Review = editing.Ask })
	const edit = `{"path":"a.txt","old_text":"two","new_text":"twenty"}`
	call(t, s, "memory_notebook_replace", edit)
	if _, err := s.Decide(session.Reject([]editing.Choice{{Letter: "A", Revision: 1}}, "no numbers")); err != nil {
		t.Fatal(err)
	}
	call(t, s, "memo_commit", `{"summary":"done"}`)
	o := call(t, s, "memory_notebook_replace", edit)
	if o.Status != StatusEditing || !strings.Contains(o.Hint, "no numbers") {
		t.Fatal(o.JSON())
	}
	o = call(t, s, "memory_notebook_replace", `{"path":"a.txt","old_text":"twenty","new_text":"deux"}`)
	if strings.Contains(o.Hint, "no numbers") {
		t.Error(o.JSON())
	}
	if c, ok := s.Snapshot().Change(o.PendingChanges[0].ChangeID); !ok || c.Because() != c.Reason {
		t.Errorf("%+v", c)
	}
}
