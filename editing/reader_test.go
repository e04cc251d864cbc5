package editing

import (
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// A reader hears every transition once, and not what it has done itself; without
// readers nothing is kept.
func TestReaders(t *testing.T) {
	x := newTable(t, lines30())
	a, b, other := x.w.Reader("agent"), x.w.Reader(""), x.w.Reader("other")
	defer other.Close()
	p := x.w.Plan(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "line 5", New: "five"}))
	if !a.Accept(p) {
		t.Fatal("stale")
	}
	x.user("line 5", "five")
	if ts := a.Next(); len(ts) != 1 || ts[0].To != Applied {
		t.Errorf("who staged hears %+v", ts)
	}
	if ts := b.Next(); len(ts) != 2 || ts[0].From != "" || ts[1].To != Applied || ts[0].Seq >= ts[1].Seq {
		t.Errorf("the other hears %+v", ts)
	}
	if len(a.Next())+len(b.Next()) != 0 {
		t.Error("something is heard twice")
	}
	b.Close()
	for i := range 200 {
		x.user("five", "line 5").user("line 5", "five")
		if n := len(a.Next()); n != 2 {
			t.Fatalf("round %d: %d transitions", i, n)
		}
	}
	if len(a.unread)+len(b.unread)+len(other.unread) != 0 {
		t.Errorf("kept: %d and %d", len(a.unread), len(b.unread))
	}
	a.Close()
	if x.user("five", "line 5"); len(a.unread) != 0 || len(x.w.readers) != 1 {
		t.Errorf("without readers %d transitions are kept", len(a.unread))
	}
}

// The table knows a closed file from the first letter or candidate on, until
// nothing rests on it any more.
func TestTableOfDocuments(t *testing.T) {
	const path = "/w/closed.txt"
	w := New(0)
	ask := func(old string) Op {
		return Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: path, Old: old, New: "new"})
	}
	file := NewDocument(path, "closed.txt", text.New("one\ntwo\ntwo\nfour\n"))
	letters := Letters("A")
	for _, step := range []struct {
		what  string
		do    func()
		known bool
	}{
		{"nothing is found", func() { w.Do(ask("none"), file) }, false},
		{"it is read again", func() { w.OpenDocument(path, "closed.txt", file.Base, 0, Disk) }, false},
		{"candidates", func() { w.Do(ask("two"), file) }, true},
		{"the edit is closed", func() { w.Do(Revert("agent", 1, "no", nil)) }, false},
		{"a letter", func() { w.Do(ask("one"), file) }, true},
		{"it is dropped", func() { w.Do(Drop("agent", letters, "no")) }, false},
		{"another one", func() { w.Do(ask("four"), file) }, true},
		{"an editor opens it", func() { w.OpenDocument(path, "closed.txt", file.Base, 1, 1) }, true},
		{"an editor closes it", func() { w.CloseDocument(path, 1) }, true},
		{"it is committed", func() { w.Do(Commit("agent", 2, "s", nil)) }, false},
		{"an editor opens it again", func() { w.OpenDocument(path, "closed.txt", file.Base, 1, 1) }, true},
		{"and closes it", func() { w.CloseDocument(path, 1) }, false},
	} {
		step.do()
		if _, ok := w.Snapshot().Document(path); ok != step.known {
			t.Fatalf("%s: the table knows the document: %v", step.what, ok)
		}
	}
}

// A plan is stale when the file that it rests on has come into the table since.
func TestPlanOnAFileThatCame(t *testing.T) {
	const path = "/w/closed.txt"
	w := New(0)
	file := NewDocument(path, "closed.txt", text.New("one\ntwo\n"))
	ask := func(old string) Op {
		return Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: path, Old: old, New: "new"})
	}
	first, second := w.Plan(ask("one"), file), w.Plan(ask("two"), file)
	if !w.Accept(first) {
		t.Fatal("the first is stale")
	}
	if w.Fresh(second) || w.Accept(second) {
		t.Error("the second was accepted over the first")
	}
	if res := w.Do(ask("two"), file); res.Touched[0] != "B" {
		t.Errorf("%+v", res)
	}
	if d, _ := w.Snapshot().Document(path); len(d.Changes()) != 2 {
		t.Errorf("%d letters", len(d.Changes()))
	}
}
