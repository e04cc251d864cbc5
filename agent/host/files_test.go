package host

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

func TestFilesChangedRebases(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\ntwo\n"})
	h := p.open()
	p.ask(h, "a.txt: two → TWO")
	for _, c := range []struct {
		now  string // "": the file is gone
		want editing.ChangeState
	}{
		{"zero\none\ntwo\n", editing.Staged},
		{"zero\none\n2\n", editing.Conflict},
		{"zero\none\ntwo\n", editing.Staged},
		{"", editing.Conflict},
		{"one\ntwo\n", editing.Staged},
		{"one\nTWO\n", editing.Applied},
	} {
		if c.now == "" {
			if err := os.Remove(p.path("a.txt")); err != nil {
				t.Fatal(err)
			}
		} else {
			p.write("a.txt", c.now)
		}
		h.FilesChanged(context.Background(), []string{p.path("a.txt")})
		if doc, _ := h.Workspace().Snapshot().Document(p.path("a.txt")); c.now != "" && doc.Base.String() != c.now {
			t.Errorf("the text is %q, want %q", doc.Base.String(), c.now)
		}
		if got := state(h.Workspace().Snapshot(), "A"); got != c.want {
			t.Errorf("over %q A is %s, want %s", c.now, got, c.want)
		}
	}
}

// Nobody tells the host: its own watcher sees it.
func TestWatcher(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\ntwo\n"})
	h := p.open()
	p.ask(h, "a.txt: two → TWO")
	p.write("a.txt", "zero\none\ntwo\n")
	p.until(h, "a closed file with changes", func(s *editing.Snapshot) bool {
		doc, ok := s.Document(p.path("a.txt"))
		return ok && doc.Base.String() == "zero\none\ntwo\n"
	})
	s, err := h.session("")
	if err != nil {
		t.Fatal(err)
	}
	seq, err := h.Wait(context.Background(), -1)
	if err != nil {
		t.Fatal(err)
	}
	overview := filepath.Join(s.Dir(), "working-memory", "overview.md")
	if err := os.WriteFile(overview, []byte("# the user's own words\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		if shown, err := h.Document(ctx, "", "overview.md"); err == nil && strings.Contains(shown, "own words") && seq > 0 {
			break
		}
		if seq, err = h.Wait(ctx, seq); err != nil {
			t.Fatal("overview.md was changed, and nobody heard: ", err)
		}
	}
}

// A working memory is watched as a whole: what somebody makes, renames or removes in
// detail/ and archive/ stands in the index, and a removed overview is there again.
func TestU62TheMemoryIsWatched(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	p.ask(h, "a.txt: one → two")
	s, err := h.session("")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(s.Dir(), "working-memory")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	until := func(what string, is func(overview string) bool) {
		t.Helper()
		for seq := int64(-1); ; {
			now, err := os.ReadFile(filepath.Join(dir, "overview.md"))
			if err == nil && is(string(now)) {
				return
			}
			if seq, err = h.Wait(ctx, seq); err != nil {
				t.Fatalf("%s: %v\n%s", what, err, now)
			}
		}
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(os.WriteFile(filepath.Join(dir, "detail", "api.md"), []byte("# The API\n"), 0o600))
	until("a new file", func(o string) bool { return strings.Contains(o, "- detail/api.md — The API <!-- galley -->\n") })
	do(os.Mkdir(filepath.Join(dir, "detail", "deep"), 0o700))
	do(os.Rename(filepath.Join(dir, "detail", "api.md"), filepath.Join(dir, "detail", "deep", "api.md")))
	until("a moved file", func(o string) bool {
		return strings.Contains(o, "- detail/deep/api.md — The API") && !strings.Contains(o, "detail/api.md")
	})
	do(os.WriteFile(filepath.Join(dir, "archive", "old.md"), []byte("# Old\n"), 0o600))
	until("an archived file", func(o string) bool { return strings.Contains(o, "- archive/old.md — Old") })
	do(os.RemoveAll(filepath.Join(dir, "detail")))
	until("removed files", func(o string) bool { return !strings.Contains(o, "- detail/") })
	do(os.Remove(filepath.Join(dir, "overview.md")))
	until("a removed overview", func(o string) bool {
		return strings.Contains(o, "## Current task") && strings.Contains(o, "- archive/old.md — Old")
	})
}

// What the text decided is told to the agent, also when the user decides something else before anybody has journaled it.
func TestNothingThatTheTextDecidedIsForgotten(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\ntwo\n"})
	h := p.open()
	p.ask(h, "a.txt: one → ONE")
	p.ask(h, "a.txt: two → TWO")
	ws := h.Workspace()
	ws.OpenDocument(p.path("a.txt"), "a.txt", text.New("one\ntwo\n"), 1, 1)
	if r, err := h.Apply(context.Background(), 1, editing.Letters("A")); err != nil || !r.OK() {
		t.Fatal(r, err)
	}
	if _, err := ws.Update(p.path("a.txt"), 2, []text.Edit{{Start: 0, End: 3, New: "ONE"}}); err != nil {
		t.Fatal(err)
	}
	if r, err := h.Reject(context.Background(), editing.Disk, editing.Letters("B"), "no"); err != nil || !r.OK() { // before TextDecided
		t.Fatal(r, err)
	}
	h.TextDecided(context.Background())
	s, err := h.session("")
	if err != nil {
		t.Fatal(err)
	}
	if told, _, err := s.Notices(); err != nil || !strings.Contains(told, "A applied") || !strings.Contains(told, "B rejected") {
		t.Errorf("the agent hears %q, %v", told, err)
	}
}

// twoSessions have a letter each: A in a.txt, and B in b.txt.
func twoSessions(t *testing.T) (*place, *Host) {
	t.Helper()
	p := newPlace(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
	h := p.open()
	p.ask(h, "a.txt: one → ONE")
	if _, err := h.NewSession(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	p.ask(h, "b.txt: two → TWO")
	return p, h
}

// One decision over the letters of two sessions is done whole or not at all.
func TestDecisionsOverSeveralSessions(t *testing.T) {
	p, h := twoSessions(t)
	stale := []editing.Choice{{Letter: "A", Revision: 1}, {Letter: "B", Revision: 7}}
	if r, err := h.Reject(context.Background(), editing.Disk, stale, "no"); err != nil || r.OK() {
		t.Errorf("%+v %v", r, err)
	}
	if a := state(h.Workspace().Snapshot(), "A"); a != editing.Staged {
		t.Errorf("B was refused as stale, and A is %s all the same", a)
	}
	if r, err := h.Apply(context.Background(), 1, editing.Letters("A", "B")); err != nil || !r.OK() {
		t.Errorf("%+v %v", r, err)
	}
	if r, err := h.Apply(context.Background(), 1, editing.Letters("Q")); err != nil || r.OK() {
		t.Errorf("a letter that is nobody's: %+v %v", r, err)
	}
	for name, want := range map[string]string{"a.txt": "ONE\n", "b.txt": "TWO\n"} {
		if got, err := os.ReadFile(p.path(name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
}

// Where a letter of one session cannot be applied that could be a moment ago, it is said that those of another are, and these
// come into their texts.
func TestADecisionOverSeveralSessionsFailsInOne(t *testing.T) {
	p, h := twoSessions(t)
	h.Workspace().OpenDocument(p.path("a.txt"), "a.txt", text.New("one\n"), 1, h.Join(Client{Edits: true, Exact: true}))
	both := editing.Letters("A", "B")
	decided := make(chan struct{})
	go func() {
		defer close(decided)
		r, err := h.Begin(context.Background(), Applying(1, "Apply", both), func() (editing.Result, error) {
			return h.each(1, both, func(cs []editing.Choice) session.Decision {
				if len(cs) == 1 && cs[0].Letter == "B" { // A is decided
					p.write("b.txt", "mine\n")
				}
				return session.Apply(cs)
			})
		})
		if err != nil || r.OK() || !strings.Contains(r.Hint, "A is done") {
			t.Errorf("%+v %v", r, err)
		}
	}()
	if said := keeps(t, h, takes); said != "" {
		t.Error(said)
	}
	<-decided
	snap := h.Workspace().Snapshot()
	if a, b := state(snap, "A"), state(snap, "B"); a != editing.Applied || b != editing.Conflict || p.disk("b.txt") != "mine\n" {
		t.Errorf("A is %s, B is %s, b.txt holds %q", a, b, p.disk("b.txt"))
	}
}

// What is being committed is not reverted meanwhile.
func TestRevertDuringACommit(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\ntwo\n"})
	h := p.open()
	p.ask(h, "a.txt: one → ONE")
	p.ask(h, "a.txt: two → TWO")
	h.Workspace().OpenDocument(p.path("a.txt"), "a.txt", text.New("one\ntwo\n"), 1, 1)
	ctx := context.Background()
	if r, err := h.Apply(ctx, 1, editing.Letters("A")); err != nil || !r.OK() {
		t.Fatalf("%+v %v", r, err)
	}
	if _, err := h.Workspace().Update(p.path("a.txt"), 2, []text.Edit{{End: 3, New: "ONE"}}); err != nil {
		t.Fatal(err)
	}
	if r, err := h.Commit(ctx, 1, "", 1, "both", nil); err != nil || r.Status != editing.StatusCommitting {
		t.Fatalf("%+v %v", r, err)
	}
	if r, err := h.Revert(ctx, 1, h.Current(), 1, "no", true); err != nil || r.Code != "applying" {
		t.Errorf("%+v %v", r, err)
	}
}
