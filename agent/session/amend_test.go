package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
)

// What a person does to the text of a letter lasts from process to process, and the agent
// hears it.
func TestEditedAndCut(t *testing.T) {
	p := &killPlace{t: t, home: t.TempDir(), dir: t.TempDir()}
	must(t, os.WriteFile(filepath.Join(p.dir, "a.txt"), []byte("a\nz\n"), 0o600))
	s := p.open(nil)
	staged(t, s, "a.txt", "a\nz\n", "a\n1\n2\n3\nz\n")
	decide := func(d Decision) {
		t.Helper()
		if r, err := s.Decide(d); err != nil || !r.OK() {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	second := func(*editing.Document, *editing.Change) editing.Part { return editing.Part{New: [][2]int{{2, 3}}} }
	decide(Split(editing.Choice{Letter: "A", Revision: 1}, second))
	must(t, s.Close())
	s = p.open(nil)
	decide(Amend(editing.Amendment{Choice: editing.Choice{Letter: "B", Revision: 1}, Text: "zwei\n", Lines: true}))
	must(t, s.Close())
	s = p.open(nil)
	said, _, err := s.Notices()
	must(t, err)
	for _, want := range []string{
		"the user cut A in two: what it does at a.txt · line 3 is B now",
		"the user edited B (a.txt · line 3): read the place again before you edit there",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the agent hears %q, and not %q", said, want)
		}
	}
	if r, err := s.Decide(Split(editing.Choice{Letter: "A", Revision: 1}, second)); err != nil || r.Status != editing.StatusStale {
		t.Errorf("a choice about what A was: %+v, %v", r, err)
	}
	decide(Apply(editing.Letters("A")))
	decide(Apply(editing.Letters("B")))
	b, err := os.ReadFile(filepath.Join(p.dir, "a.txt"))
	must(t, err)
	if string(b) != "a\n1\nzwei\n3\nz\n" {
		t.Errorf("the file is %q", b)
	}
	must(t, s.Close())
}

// A secret that a person writes is not written down, and the letter is as it was.
func TestEditedWithASecret(t *testing.T) {
	const key = "c3VwZXI-secret"
	dir, home := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a\n"), 0o600))
	s, err := Open(Config{Home: home, Workspace: dir, Secrets: []string{key}})
	must(t, err)
	staged(t, s, "a.txt", "a", "b")
	r, err := s.Decide(Amend(editing.Amendment{Choice: editing.Choice{Letter: "A"}, Text: key + "\n", Lines: true}))
	if c, _ := s.Snapshot().Change("A"); err != nil || r.OK() || r.Code != "denied" || c.Revision != 1 {
		t.Errorf("%+v, %v; A is %+v", r, err, c)
	}
	must(t, s.Close())
}
