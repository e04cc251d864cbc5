package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// closedSessions makes sessions in which nothing is open.
func closedSessions(tb testing.TB, home, workspace string, n int) {
	tb.Helper()
	s, err := memory.Create(home, workspace, memory.Meta{})
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.Close(); err != nil {
		tb.Fatal(err)
	}
	for i := range n - 1 { // copies: making them one by one takes long
		id := fmt.Sprintf("01J%023d", i)
		dir := filepath.Join(filepath.Dir(s.Dir()), id)
		if err := os.CopyFS(dir, os.DirFS(s.Dir())); err != nil {
			tb.Fatal(err)
		}
	}
}

// What has nothing open is read once. An entry, or an intent without an end, has it looked at again.
func TestPendingReadsEachJournalOnce(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.txt", "one\n")
	closedSessions(t, home, root, 5)
	pending := func() []string {
		t.Helper()
		all, err := Pending(home, root)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, p := range all {
			ids = append(ids, p.ID)
		}
		return ids
	}
	if got := pending(); len(got) != 0 {
		t.Fatalf("%v wait", got)
	}
	again := func() int {
		t.Helper()
		left, err := memory.MaybeOpen(home, root, func(string) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		return len(left)
	}
	if n := again(); n != 0 {
		t.Fatalf("%d are read again", n)
	}
	s, err := Open(Config{Home: home, Workspace: root})
	if err != nil {
		t.Fatal(err)
	}
	edited, err := s.Edit(By{}, "a.txt", "stage", "", func(p Place) editing.Op {
		return editing.Replace(editing.Replacement{Meta: p.Meta, Path: p.Path, Old: "one", New: "ONE", Hints: p.Hints})
	})
	if err != nil || !edited.OK() {
		t.Fatal(edited, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := pending(); !slices.Equal(got, []string{s.ID()}) {
			t.Errorf("%v wait, want %s", got, s.ID())
		}
	}
	if s, err = Open(Config{Home: home, Workspace: root, ID: s.ID()}); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Decide(Commit(1, "", nil)); err != nil || !r.OK() {
		t.Fatal(r, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := pending(); len(got) != 0 || again() != 0 {
		t.Errorf("%v wait after the commit, %d are read again", got, again())
	}
	cut, err := memory.MaybeOpen(home, root, func(id string) bool { return id == s.ID() })
	if err != nil || len(cut) != 1 || cut[0].ID != s.ID() {
		t.Errorf("%v, %v: the one that is asked for is left out", cut, err)
	}
	journal := filepath.Join(cut[0].Dir, "messages.jsonl")
	if err := os.Truncate(journal, cut[0].Size-1); err != nil {
		t.Fatal(err)
	}
	if n := again(); n != 1 {
		t.Errorf("%d are read again when one has changed", n)
	}
}

// Thousands of sessions are no reason for an editor to wait: it begins within the time for initialize.
func BenchmarkPendingOf3000(b *testing.B) {
	home, root := b.TempDir(), b.TempDir()
	closedSessions(b, home, root, 3000)
	if _, err := Pending(home, root); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Pending(home, root); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(30, "aim-ms")
}
