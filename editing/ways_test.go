package editing

import (
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// A letter that another one has undone stays applied, whatever the texts between say: only a decision may find it standing again.
func TestCoveredLetterWhateverComesBetween(t *testing.T) {
	for name, between := range map[string][]string{"at once": nil, "by its new text": {"a\nq\nb\n", "a\nC\nb\n", "a\nq\nb\n"}} {
		x := newTable(t, "a\nc\nb\n").stage("c", "C").apply("A").stage("C", "c").apply("B").want("A applied, B applied", "a\nc\nb\n")
		for _, now := range append(between, "", "a\nc\nb\n") {
			x.edit(text.Edit{End: len(x.buf), New: now})
		}
		t.Log(name)
		x.want("A applied, B applied", "a\nc\nb\n")
	}
}

// What one key takes out is typing, even where that is all of an applied letter.
func TestOneKeyIsNoUndo(t *testing.T) {
	for name, between := range map[string][]string{"keys": {"a\nb\n"}, "one replacement": nil} {
		x := newTable(t, "a\nb\n").stage("b", "b;").apply("A")
		for _, now := range between {
			x.edit(text.Diff(x.buf, now)[0])
		}
		x.edit(text.Edit{End: len(x.buf), New: "a\nmy b\n"})
		t.Log(name)
		x.want("A applied", "a\nmy b\n")
	}
}

// An undo in a closed file leaves what an editor's undo of it leaves.
func TestUndoOfAClosedFileIsOneOfAnEditor(t *testing.T) {
	var was []Hunk
	for _, open := range []bool{true, false} {
		w := rebaseCase{was: "a\nb\nc\n", letters: "+A b/→b/new/"}.world(t, open)
		a, _ := w.Snapshot().Change("A")
		if open {
			d := mustDoc(w.Snapshot())
			if _, err := w.Update(testPath, 0, backwards(a.UndoEdits().Trim(d.Base))); err != nil {
				t.Fatal(err)
			}
		} else if res := w.Do(UndoApplied("agent", a.Session)); !res.OK() {
			t.Fatal(res)
		}
		a, _ = w.Snapshot().Change("A")
		if a.State != Staged || was != nil && a.Hunks[0] != was[0] {
			t.Errorf("open %v: %s %+v, and in an editor %+v", open, a.State, a.Hunks, was)
		}
		was = a.Hunks
	}
}

// A letter that waits behind a conflict stays behind what the conflict is taken as, in a closed file and in an editor.
func TestTakenConflictMakesWay(t *testing.T) {
	for _, way := range ways {
		w, file := begun("  \nend\n", way.open)
		m := Meta{Owner: "agent"}
		w.Do(Stage(testPath, m, text.Edits{{End: 6, New: "first one\nthe other"}}), file)
		w.Do(Stage(testPath, m, text.Edits{{Start: 20, End: 20, New: "new\n"}}))
		w = way.make(t, w, "end\n")
		if got := told(w); got != "A conflict[end/], B staged" {
			t.Fatalf("by %s: %s", way.name, got)
		}
		takeAll(t, w, "A")
		if got := mustDoc(w.Snapshot()).Proposed("agent").String(); got != "first one\nthe other\nnew\n" {
			t.Errorf("by %s: %s, %q is proposed", way.name, told(w), got)
		}
	}
}

// Where a rejected conflict lies is the same before a restart and after it: it can be brought back beside a letter that waits.
func TestRejectedConflictOverARestart(t *testing.T) {
	for _, again := range []bool{false, true} {
		w, m, now := New(0), Meta{Owner: "agent"}, "user number 18\nuser number 19\n"
		file := NewDocument(testPath, "f.txt", text.New("line number 1\nline number 2\n"))
		w.Do(Stage(testPath, m, text.Edits{{End: 14, New: "agent number 3\n"}}.Trim(file.Base)), file)
		p := mustDoc(w.Snapshot()).Proposed("agent")
		w.Do(Stage(testPath, m, text.Edits{{End: p.Len(), New: "agent number 8\n"}}.Trim(p)))
		w.Do(Stage(testPath, m, text.Edits{{Start: 15, End: 15, New: "agent number 14\n"}}))
		w.OpenDocument(testPath, "f.txt", text.New(now), 0, Disk)
		if got := told(w); got != "A conflict[user number 18/user number 19/], B staged" {
			t.Fatal(got)
		}
		w.Do(Reject(Letters("B"), ""))
		w.Do(Reject(Letters("A"), ""))
		if again {
			w = restored(t, w, now)
		}
		for _, l := range []string{"B", "A"} {
			if res := w.Do(Unreject(Letters(l))); !res.OK() {
				t.Errorf("restarted %v: %s: %+v", again, l, res)
			}
		}
	}
}
