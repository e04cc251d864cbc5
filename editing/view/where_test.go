package view

import (
	"testing"

	"github.com/galley-ls/galley/editing"
)

// A conflict that is being taken over the user's text is not part of the proposed
// text yet: it looks and stands as it did before the decision.
func TestTakenConflictStands(t *testing.T) {
	for name, typed := range map[string][2]string{
		"typed in":  {"two", "tw0"},
		"rewritten": {"one two three", "five"},
		"gone":      {"one two three\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, "f.txt", "zero\none two three\nfour\n")
			r := editing.Replacement{Meta: editing.Meta{Owner: agentName}, Path: "/w/f.txt", Old: "one two three", New: "one 2 three"}
			s.do(editing.Replace(r))
			s.types("f.txt", typed[0], typed[1])
			if c := s.change("A"); c.State != editing.Conflict {
				t.Fatal(c.State)
			}
			snap := s.w.Snapshot()
			where, places := WhereIs(snap, s.change("A")), Places(snap, s.change("A"), Options{})
			s.do(editing.TakeAgents(editing.Letters("A")))
			if c := s.change("A"); c.State != editing.Applying {
				t.Fatal(c.State)
			}
			snap = s.w.Snapshot()
			if got := WhereIs(snap, s.change("A")); got != where {
				t.Errorf("stands at %+v, before at %+v", got, where)
			}
			if got := Places(snap, s.change("A"), Options{}); got != places || got == "" {
				t.Errorf("looks like\n%s\nbefore like\n%s", got, places)
			}
		})
	}
}
