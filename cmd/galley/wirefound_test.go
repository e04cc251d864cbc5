package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/lsp/lsptest"
)

// Found by TestWireRandomLong: the text of two applied changes comes together with typing on the line of one, cut by lines
// as Neovim does. What is in the text is applied, and can never be put in a second time.
func TestAppliedByLinesBesideTyping(t *testing.T) {
	const path, before = "/w/a.txt", "one two three\nseven nine\nten\n"
	ws := editing.New(0)
	ws.OpenDocument(path, "a.txt", text.New(before), 1, 1)
	for _, r := range []editing.Replacement{
		{Meta: editing.Meta{Owner: "s"}, Path: path, Old: "one two three", New: "agent1x one two three (at both ends)"},
		{Meta: editing.Meta{Owner: "s"}, Path: path, Old: "seven nine", New: "seven nine\nagent6x"},
	} {
		if r := ws.Do(editing.Replace(r)); !r.OK() {
			t.Fatal(r)
		}
	}
	if r := ws.Do(editing.Apply(editing.Letters("A", "B"))); !r.OK() {
		t.Fatal(r)
	}
	const after = "agent1x one two three (at both ends)\nseven «7»nine\nagent6x\nten\n"
	if _, err := ws.Update(path, 2, []text.Edit{
		{Start: 24, End: 25, New: "\nagent6x\n"},
		{Start: 13, End: 14, New: " (at both ends)\n"},
		{Start: 0, End: 29, New: "agent1x one two three (at both ends)\n"},
		{Start: 43, End: 48, New: "«7»nine\n"},
	}); err != nil {
		t.Fatal(err)
	}
	d, _ := ws.Snapshot().Document(path)
	if d.Base.String() != after {
		t.Fatalf("the test's own edits make %q", d.Base.String())
	}
	if c, _ := ws.Snapshot().Change("A"); c.State != editing.Applied {
		t.Errorf("A is in the text, and %s: %+v; the agent's text would be %q", c.State, c.Hunks, d.Proposed("s").String())
	}
}

// Found by TestWireRandomLong: what is amended while a commit waits for the editor is no part of it.
func TestFinishedCommitTakesOnlyWhatItBegan(t *testing.T) {
	ws := editing.New(0)
	ws.OpenDocument("/w/a.txt", "a.txt", text.New("one\n"), 1, 1)
	closed := editing.NewDocument("/w/b.txt", "b.txt", text.New("two\n"))
	stage := func(path, old, now string) {
		ws.Do(editing.Replace(editing.Replacement{Meta: editing.Meta{Owner: "s"}, Path: path, Old: old, New: now}), closed)
	}
	stage("/w/a.txt", "one", "ONE")
	stage("/w/b.txt", "two", "TWO")
	ws.Do(editing.Commit("s", 1, "", nil))
	if s, _ := ws.Snapshot().Session("s", 1); s.State != editing.Committing {
		t.Fatalf("the edit is %s", s.State)
	}
	stage("/w/b.txt", "TWO", "UNSEEN")
	if _, err := ws.Update("/w/a.txt", 2, []text.Edit{{Start: 0, End: 3, New: "ONE"}}); err != nil {
		t.Fatal(err)
	}
	ws.Do(editing.FinishCommit("s", 1))
	if d, _ := ws.Snapshot().Document("/w/b.txt"); strings.Contains(d.Base.String(), "UNSEEN") {
		t.Errorf("a text that nobody has seen was committed: %q", d.Base.String())
	}
}

// The disk's text never counts while an editor has the document open: a closed file may be read in the very moment in
// which it is opened.
func TestReadFileOfADocumentThatWasOpenedMeanwhile(t *testing.T) {
	const path = "/w/a.txt"
	ws := editing.New(0)
	ws.OpenDocument(path, "a.txt", text.New("of the editor"), 3, 1)
	ws.OpenDocument(path, "a.txt", text.New("of the disk"), 0, editing.Disk)
	if d, _ := ws.Snapshot().Document(path); !d.Open() || d.Base.String() != "of the editor" {
		t.Errorf("the document is open: %t, with %q", d.Open(), d.Base.String())
	}
}

// Found by TestWireRandomLong: a commit that says what view it was given for takes nothing that was staged since, also not
// what is staged while it waits for its turn.
func TestWireCommitTakesOnlyWhatWasSeen(t *testing.T) {
	w := newWire(t, lsptest.Plain(), wireOptions{files: map[string]string{"a.txt": "one\n", "b.txt": "two\n"}})
	defer w.close(t)
	for round := range 30 {
		w.write(t, "a.txt", "one\n")
		w.write(t, "b.txt", "two\n")
		w.ask(t, replace("a.txt", "one", "ONE"))
		snap := w.host.Workspace().Snapshot()
		open := snap.Sessions("")
		w.tell(t, replace("b.txt", "two", "TWO"))
		_, err := w.Execute(context.Background(), "galley.commit", map[string]any{"edit": open[len(open)-1].N, "seq": snap.Seq})
		unseen := err == nil && strings.Contains(w.read(t, "b.txt"), "TWO")
		w.idle(t)
		if unseen {
			t.Fatalf("round %d: a change was committed that was staged behind the view of the commit", round)
		}
		for _, s := range w.host.Workspace().Snapshot().Sessions("") {
			if s.State.Open() {
				w.command(t, "galley.revert", map[string]any{"edit": s.N})
			}
		}
	}
}

// Edits of open documents carry their version in every measured editor: Neovim offers no documentChanges, but resource
// operations, which come only in documentChanges, and checks the version of what it gets.
func TestWireEditsAreVersioned(t *testing.T) {
	for _, p := range lsptest.All() {
		w := newWire(t, p, wireOptions{files: map[string]string{"a.txt": "one\n"}})
		w.open(t, "a.txt")
		w.ask(t, replace("a.txt", "one", "ONE"))
		w.command(t, "galley.apply", "A")
		w.awaitCodes(t, "a.txt")
		w.Look(func(s *lsptest.Screen) {
			if sent := string(s.Edits[0].Params); !strings.Contains(sent, `"version":`) {
				t.Errorf("%s %s was sent an edit without a version: %s", p.Name, p.Version, sent)
			}
		})
		w.close(t)
	}
}

// Keys in a row keep their order through the real host, with changes that are moved by each of them, and two runs beside.
func TestWireManyKeys(t *testing.T) {
	files := contents(2)
	w := newWire(t, lsptest.Helix(), wireOptions{files: files})
	defer w.close(t)
	w.open(t, "f0.txt")
	restage(t, w, 2)
	uri := w.uri("f0.txt")
	const keys = 2000
	for i := range keys {
		if i%500 == 0 {
			w.tell(t, replace("f1.txt", fmt.Sprintf("line %d of", 50+i/500), "another"))
		}
		w.Type(uri, lsptest.Offset(i), string(rune('a'+i%26)))
	}
	w.idle(t)
	w.Await(t, "the server has all keys", func(s *lsptest.Screen) bool {
		b, _ := s.Buffer(uri)
		d, ok := w.host.Workspace().Snapshot().Document(w.path("f0.txt"))
		return ok && int(d.Version) == keys && d.Base.String() == b.Text
	})
	w.Await(t, "all changes are shown", func(s *lsptest.Screen) bool { return len(s.Codes(uri)) == allLetters/2 })
}
