package session

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// journaled are the decisions of the workspace as "apply A→applied".
func journaled(s *Session) (out []string) {
	for _, d := range s.road.decisions.Decisions() {
		line := d.What
		for _, l := range d.Letters {
			line += fmt.Sprintf(" %s→%s", l.Letter, l.To)
		}
		out = append(out, line)
	}
	return out
}

// TestDecisionsAreJournaled: each decision that changes something is in the workspace's
// journal, with what it made of its letters, and those of the agent's own are not.
func TestDecisionsAreJournaled(t *testing.T) {
	s := opened(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "four\n"})
	staged(t, s, "a.txt", "one", "1")
	staged(t, s, "a.txt", "three", "3")
	staged(t, s, "b.txt", "four", "4")
	for _, d := range []Decision{
		Apply(editing.Letters("A")), Apply(editing.Letters("A")), Reject(editing.Letters("B"), "no"), Unreject(editing.Letters("B")), Commit(0, "all", nil),
	} {
		if _, err := s.Decide(d.By(memory.Client{Kind: memory.ClientTerminal, Name: "t"})); err != nil {
			t.Fatal(err)
		}
	}
	staged(t, s, "a.txt", "two", "2")
	if _, err := s.Conclude(By{Call: "c"}, EndReverted, Ending{Edit: 2, Reason: "mistaken"}); err != nil {
		t.Fatal(err)
	}
	staged(t, s, "a.txt", "two", "2")
	if _, err := s.Conclude(By{Call: "c"}, EndCommitted, Ending{Edit: 3}); err != nil {
		t.Fatal(err)
	}
	undoLast(s)
	want := []string{"apply A→applied", "reject B→rejected", "unreject B→staged", "commit B→applied C→applied", "commit A→applied", "undo A→staged"}
	if got := journaled(s); !slices.Equal(got, want) {
		t.Errorf("journaled are %q, want %q", got, want)
	}
	all := s.road.decisions.Decisions()
	if d := all[0]; d.By.Name != "t" || d.Session != s.me || d.Edit != 1 || d.Letters[0].File != "a.txt" || d.Letters[0].Revision != 1 {
		t.Errorf("the first is %+v", d)
	}
	if all[4].By.Kind != memory.ClientAgent || all[5].Of != all[4].ID {
		t.Errorf("the last are %+v", all[4:])
	}
}

// TestUndoOfACommitThatIsUnderWay: an undo that comes as soon as the commit is journaled finds its files as the commit
// has written them.
func TestUndoOfACommitThatIsUnderWay(t *testing.T) {
	for range 20 {
		s := opened(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
		staged(t, s, "a.txt", "one", "1")
		staged(t, s, "b.txt", "two", "2")
		committed := make(chan error)
		go func() {
			_, err := s.Decide(Commit(0, "", nil))
			committed <- err
		}()
		for len(s.road.decisions.Decisions()) == 0 {
			runtime.Gosched()
		}
		if res, err := s.Decide(Undo(s.road.decisions.Decisions()[0])); err != nil || !res.OK() {
			t.Fatal(res, err)
		}
		must(t, <-committed)
		must(t, s.Refresh(t.Context()))
		for _, c := range s.Snapshot().Changes() {
			if c.State != editing.Staged {
				t.Fatalf("%s is %s", c.Letter, c.State)
			}
		}
	}
}
