package session

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// unsavedCommit is #1 with A in a text that an editor has open, and B in a closed
// file; it is committed, and the editor has not saved.
func unsavedCommit(t *testing.T) (*Session, Config, string) {
	t.Helper()
	dir, home := t.TempDir(), t.TempDir()
	f := filepath.Join(dir, "f.txt")
	must(t, os.WriteFile(f, []byte("x\none\ny\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "g.txt"), []byte("two\n"), 0o600))
	cfg := Config{Home: home, Workspace: dir, Patience: time.Hour}
	s, err := Open(cfg)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	cfg.ID = s.ID()
	staged(t, s, "f.txt", "one", "1")
	staged(t, s, "g.txt", "two", "2")
	f, err = filepath.EvalSymlinks(f)
	must(t, err)
	s.ws.OpenDocument(f, "f.txt", text.New("x\none\ny\n"), 1, 1)
	if r, err := s.Decide(Commit(1, "both", nil)); err != nil || r.Status != editing.StatusCommitting {
		t.Fatalf("%+v, %v", r, err)
	}
	_, err = s.ws.Update(f, 2, []text.Edit{{Start: 2, End: 5, New: "1"}})
	must(t, err)
	if r, err := s.Decide(FinishCommit(1)); err != nil || r.Status != editing.StatusCommitted {
		t.Fatalf("%+v, %v", r, err)
	}
	return s, cfg, f
}

// waits checks whether A waits again, which the agent hears once.
func waits(t *testing.T, s *Session, want bool) {
	t.Helper()
	e, _ := s.Snapshot().Session(s.me, 1)
	c, there := s.Snapshot().Change("A")
	if got := there && c.State == editing.Staged && e.State.Open(); got != want || there != want {
		t.Errorf("A waits: %v (%+v), want %v; the edit is %s", got, c, want, e.State)
	}
	news := strings.Join(s.notices, "\n")
	if got := strings.Count(news, "did not save f.txt: A waits again"); got != map[bool]int{true: 1}[want] {
		t.Errorf("heard %d times: %q", got, news)
	}
	open, err := s.road.decisions.Open(s.me)
	must(t, err)
	if want && len(open) > 0 {
		t.Errorf("the intent is open: %+v", open)
	}
}

func again(t *testing.T, s *Session, cfg Config) *Session {
	t.Helper()
	must(t, s.Close())
	s, err := Open(cfg)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// U7: the editor dies before it has saved.
func TestCommitWhoseEditorDies(t *testing.T) {
	s, cfg, f := unsavedCommit(t)
	waits(t, s, false)
	cfg.Patience = 0
	for range 2 { // the second start finds what the first did
		s = again(t, s, cfg)
		waits(t, s, true)
	}
	if r, err := s.Decide(Commit(1, "again", nil)); err != nil || r.Status != editing.StatusCommitted {
		t.Fatalf("%+v, %v", r, err)
	}
	if b, _ := os.ReadFile(f); string(b) != "x\n1\ny\n" {
		t.Errorf("f holds %q", b)
	}
	s = again(t, s, cfg)
	if e, _ := s.Snapshot().Session(s.me, 1); e.State != editing.Committed {
		t.Errorf("#1 is %s", e.State)
	}
}

func TestCommitIsOverWhenAllIsSaved(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, s *Session, cfg Config, f string) *Session{
		"saved": func(t *testing.T, s *Session, _ Config, f string) *Session {
			must(t, os.WriteFile(f, []byte("x\n1\ny\n"), 0o600))
			return s
		},
		"saved, with more": func(t *testing.T, s *Session, _ Config, f string) *Session {
			must(t, os.WriteFile(f, []byte("new\nx\n1\ny\n"), 0o600))
			return s
		},
		"taken out by the user": func(t *testing.T, s *Session, _ Config, f string) *Session {
			_, err := s.ws.Update(f, 3, []text.Edit{{Start: 2, End: 3, New: "one"}})
			must(t, err)
			return s
		},
		"the galley ended, and the editor saves later": func(t *testing.T, s *Session, cfg Config, f string) *Session {
			s = again(t, s, cfg)
			must(t, s.Refresh(t.Context()))
			s.ws.OpenDocument(f, "f.txt", text.New("x\n1\ny\n"), 1, 1)
			must(t, s.Refresh(t.Context()))
			must(t, os.WriteFile(f, []byte("x\n1\ny\n"), 0o600))
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, cfg, f := unsavedCommit(t)
			s = end(t, s, cfg, f)
			must(t, s.Refresh(t.Context()))
			waits(t, s, false)
			if open, err := s.road.decisions.Open(s.me); err != nil || len(open) > 0 {
				t.Errorf("the intent is open: %+v, %v", open, err)
			}
			if e, _ := s.Snapshot().Session(s.me, 1); e.State != editing.Committed {
				t.Errorf("#1 is %s", e.State)
			}
		})
	}
}

// The letters are others' by now: A comes back as another.
func TestLostLetterIsTaken(t *testing.T) {
	s, cfg, _ := unsavedCommit(t)
	staged(t, s, "g.txt", "2", "zwei")
	if c, ok := s.Snapshot().Change("A"); !ok || c.Name != "g.txt" {
		t.Fatal("A is not taken")
	}
	cfg.Patience = 0
	s = again(t, s, cfg)
	c, ok := s.Snapshot().Change("C") // B was one of that edit's, and is told of as such
	if !ok || c.Name != "f.txt" || c.State != editing.Staged || !strings.Contains(strings.Join(s.notices, "\n"), "C waits again") {
		t.Errorf("%+v, %q", c, s.notices)
	}
}

// Two texts are lost, one after the other: each letter comes back by itself.
func TestTextsLostOneByOne(t *testing.T) {
	s, cfg, f := unsavedCommit(t)
	g := filepath.Join(filepath.Dir(f), "g.txt")
	staged(t, s, "f.txt", "y", "z")
	s.ws.OpenDocument(g, "g.txt", text.New("2\n"), 1, 1)
	staged(t, s, "g.txt", "2", "3")
	ctx := context.Background()
	if r, err := s.Decide(Commit(2, "both", nil)); err != nil || r.Status != editing.StatusCommitting {
		t.Fatalf("%+v, %v", r, err)
	}
	_, err := s.ws.Update(f, 3, []text.Edit{{Start: 4, End: 5, New: "z"}})
	must(t, err)
	_, err = s.ws.Update(g, 2, []text.Edit{{Start: 0, End: 1, New: "3"}})
	must(t, err)
	if r, err := s.Decide(FinishCommit(2)); err != nil || r.Status != editing.StatusCommitted {
		t.Fatalf("%+v, %v", r, err)
	}
	must(t, s.Renew(func(cfg *Config) { cfg.Patience = 0 }))
	for _, lost := range []string{f, g} {
		s.ws.CloseDocument(lost, 1)
		must(t, s.Refresh(ctx))
	}
	look := func() {
		var got []string
		for _, c := range s.Snapshot().Of(s.me, 2) {
			if c.State == editing.Staged {
				got = append(got, c.Name)
			}
		}
		slices.Sort(got) // the letters of one are others by now
		if strings.Join(got, " ") != "f.txt g.txt" {
			t.Errorf("in #2 wait %q; %q", got, s.notices)
		}
	}
	look()
	s = again(t, s, cfg)
	look()
}

// appliedInDocument is A, applied in a text that an editor has open.
func appliedInDocument(t *testing.T) (*Session, Config, string) {
	t.Helper()
	cfg := Config{Home: t.TempDir(), Workspace: t.TempDir()}
	f := filepath.Join(cfg.Workspace, "f.txt")
	must(t, os.WriteFile(f, []byte("x\none\ny\n"), 0o600))
	s, err := Open(cfg)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	staged(t, s, "f.txt", "one", "1")
	f, err = filepath.EvalSymlinks(f)
	must(t, err)
	s.ws.OpenDocument(f, "f.txt", text.New("x\none\ny\n"), 1, 1)
	_, err = s.Decide(Apply(editing.Letters("A")))
	must(t, err)
	_, err = s.ws.Update(f, 2, []text.Edit{{Start: 2, End: 5, New: "1"}})
	must(t, err)
	return s, cfg, f
}

// What was applied to a text that nobody saved waits, and is found.
func TestPendingOfUnsavedText(t *testing.T) {
	s, cfg, f := appliedInDocument(t)
	must(t, s.TextDecided(t.Context()))
	home, dir := cfg.Home, cfg.Workspace
	finds := func(want string) {
		t.Helper()
		got, err := Pending(home, dir)
		must(t, err)
		var letters []string
		for _, p := range got {
			letters = append(letters, p.Letters...)
		}
		if strings.Join(letters, " ") != want {
			t.Errorf("waiting are %q, want %q", letters, want)
		}
	}
	finds("") // an editor has it
	must(t, s.Close())
	finds("A")
	must(t, os.WriteFile(f, []byte("x\n1\ny\n"), 0o600))
	finds("")
}

// A document that is closed without being saved is waited for, then lost.
func TestClosedWithoutSaving(t *testing.T) {
	s, _, f := unsavedCommit(t)
	must(t, s.Renew(func(cfg *Config) { cfg.Patience = 20 * time.Millisecond }))
	s.ws.CloseDocument(f, 1)
	must(t, s.Refresh(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for seq := int64(-1); ; {
		snap, err := s.ws.Wait(ctx, seq)
		must(t, err)
		if _, ok := snap.Change("A"); ok {
			break
		}
		seq = snap.Seq
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	waits(t, s, true)
}

// A text and a new file that nobody saves are lost together, and told once.
func TestLostTogether(t *testing.T) {
	for name, lose := range map[string]func(s *Session, cfg Config, paths []string) *Session{
		"closed": func(s *Session, _ Config, paths []string) *Session {
			must(t, s.Renew(func(cfg *Config) { cfg.Patience = 20 * time.Millisecond }))
			for _, p := range paths {
				s.ws.CloseDocument(p, 1)
			}
			must(t, s.Refresh(t.Context()))
			return s
		},
		"the editor died": func(s *Session, cfg Config, _ []string) *Session {
			cfg.Patience = 0
			return again(t, s, cfg)
		},
		"another editor shows what the disk has": func(s *Session, cfg Config, paths []string) *Session {
			cfg.Patience = 20 * time.Millisecond
			s = again(t, s, cfg)
			for i, p := range paths {
				s.ws.OpenDocument(p, filepath.Base(p), text.New([]string{"one\n", ""}[i]), 1, 1)
				must(t, s.Refresh(t.Context()))
			}
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Home: t.TempDir(), Workspace: t.TempDir(), Patience: time.Hour}
			must(t, os.WriteFile(filepath.Join(cfg.Workspace, "f.txt"), []byte("one\n"), 0o600))
			s, err := Open(cfg)
			must(t, err)
			cfg.ID = s.ID()
			staged(t, s, "f.txt", "one", "1")
			n, _ := s.Look("n.txt", true)
			if e, err := s.Edit(By{}, "n.txt", opWrite, "", func(p Place) editing.Op {
				return editing.Write(editing.Writing{Meta: p.Meta, Path: p.Path, Name: p.Name, Content: "new\n"})
			}); err != nil || !e.OK() {
				t.Fatalf("%+v, %v", e, err)
			}
			paths := []string{filepath.Join(s.Workspace(), "f.txt"), n.Path}
			for i, p := range paths {
				s.ws.OpenDocument(p, filepath.Base(p), text.New([]string{"one\n", ""}[i]), 1, 1)
			}
			if r, err := s.Decide(Commit(1, "both", nil)); err != nil || r.Status != editing.StatusCommitting {
				t.Fatalf("%+v, %v", r, err)
			}
			for i, p := range paths {
				_, err := s.ws.Update(p, 2, []text.Edit{{End: []int{3, 0}[i], New: []string{"1", "new\n"}[i]}})
				must(t, err)
			}
			if r, err := s.Decide(FinishCommit(1)); err != nil || r.Status != editing.StatusCommitted {
				t.Fatalf("%+v, %v", r, err)
			}
			s = lose(s, cfg, paths)
			t.Cleanup(func() { _ = s.Close() })
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			for seq := int64(-1); len(s.Snapshot().Undecided(s.me, 1)) < 2; {
				snap, err := s.ws.Wait(ctx, seq)
				if err != nil {
					t.Fatalf("%v; %q", err, s.notices)
				}
				seq = snap.Seq
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if got := strings.Join(s.notices, "; "); strings.Count(got, "did not save") != 1 || !strings.Contains(got, "A, B waits again") {
				t.Errorf("the agent hears %q", got)
			}
		})
	}
}

// The agent hears of every way in which a text takes a letter in, and out.
func TestRedoIsHeard(t *testing.T) {
	s, _, f := appliedInDocument(t)
	must(t, s.TextDecided(t.Context()))
	for i, now := range []string{"one", "1", "one", "1"} {
		was := map[string]int{"one": 1, "1": 3}[now]
		_, err := s.ws.Update(f, int32(3+i), []text.Edit{{Start: 2, End: 2 + was, New: now}})
		must(t, err)
		must(t, s.TextDecided(t.Context()))
	}
	out := "A was undone by the user, and waits again"
	if got, want := strings.Join(s.notices, "; "), strings.Join([]string{"A applied", out, "A applied", out, "A applied"}, "; "); got != want {
		t.Errorf("the agent hears %q, want %q", got, want)
	}
}

// What the agent hears of a text is in the journal, also where the reading of another
// file came first: a start that does not find it says so.
func TestHeardIsJournaled(t *testing.T) {
	s, cfg, _ := appliedInDocument(t)
	g := filepath.Join(cfg.Workspace, "g.txt")
	must(t, os.WriteFile(g, []byte("two\n"), 0o600))
	staged(t, s, "g.txt", "two", "2")
	must(t, os.WriteFile(g, []byte("new\ntwo\n"), 0o600))
	must(t, s.Refresh(t.Context()))
	cfg.ID = s.ID()
	s = again(t, s, cfg)
	out := "A applied; the user changed g.txt at line 1; A was undone by the user, and waits again"
	if got := strings.Join(s.notices, "; "); got != out {
		t.Errorf("the agent hears %q, want %q", got, out)
	}
}

// The agent hears that what it heard was applied is out, also if no revert follows.
func TestUndoOfAppliedIsHeard(t *testing.T) {
	p := newKillPlace(t)
	s := p.open(nil)
	_, err := s.Decide(Apply(editing.Letters("A", "B")))
	must(t, err)
	_, err = s.Decide(UndoApplied(1))
	must(t, err)
	if got := strings.Join(s.notices, "; "); !strings.Contains(got, "A was undone by the user, and waits again; B was undone") {
		t.Errorf("the agent hears %q", got)
	}
	must(t, s.Close())
}
