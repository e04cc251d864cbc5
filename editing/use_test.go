package editing

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// A line that was moved and moved back.
func TestMovedLineAndUndo(t *testing.T) { // U2
	x := newTable(t, "a\nb\nc\nd\ne\n").stage("c", "C")
	x.edit(text.Edit{Start: 4, End: 8, New: "d\nc\n"}).edit(text.Edit{Start: 4, End: 8, New: "c\nd\n"}).want("A staged", "")
	x.apply("A").want("A applied", "a\nb\nC\nd\ne\n")
}

// A copy of the line that goes, which goes again.
func TestCopyThatGoesAgain(t *testing.T) { // U3
	x := newTable(t, "a\nx\nb\n").stage("x\n", "").stage("b", "B")
	x.edit(text.Edit{Start: 2, End: 2, New: "x\n"}).edit(text.Edit{Start: 2, End: 4}).want("A staged, B staged", "a\nx\nb\n")
	x.apply("A", "B").want("A applied, B applied", "a\nB\n")
}

// A file rewritten in place: what the user saved elsewhere is not in the conflict.
func TestRewrittenInPlace(t *testing.T) { // U4
	x := newTable(t, lines30()).stage("line 15", "fifteen")
	now := strings.NewReplacer("line 15\n", "my line 15\n", "line 2\n", "my line 2\n", "line 29\n", "").Replace(lines30())
	x.edit(text.Edit{End: len(x.buf)}).edit(text.Edit{New: now}).want("A conflict", now)
	takeAll(t, x.w, "A")
	if got, want := x.doc().Base.String(), strings.Replace(now, "my line 15", "fifteen", 1); got != want {
		t.Errorf("taken it reads %q", got)
	}
}

// The undo of a conflict that was taken over brings the conflict back.
func TestUndoOfATakenConflict(t *testing.T) { // U5
	x := newTable(t, "a\nb\nc\n").stage("b", "B").user("b", "my b").want("A conflict", "")
	takeAll(t, x.w, "A")
	x.buf = x.doc().Base.String()
	x.want("A applied", "a\nB\nc\n").edit(text.Edit{Start: 2, End: 3, New: "my b"}).want("A conflict", "a\nmy b\nc\n")
	if c, _ := x.w.Snapshot().Change("A"); c.Conflicts(x.doc().Base)[0] != (Sides{"my b\n", "B\n", "b\n"}) {
		t.Errorf("%+v", c.Conflicts(x.doc().Base))
	}
	x.user("my b", "b").want("A staged", "")
}

// So does an undo while nothing ran.
func TestUndoOfATakenConflictWhileNothingRan(t *testing.T) {
	x := newTable(t, "a\nb\nc\n").stage("b", "B").user("b", "my b")
	takeAll(t, x.w, "A")
	if got := told(restored(t, x.w, "a\nmy b\nc\n")); got != "A conflict[my b/]" {
		t.Errorf("%s", got)
	}
}

// Texts of decided letters are kept.
func TestTextsOfDecidedLetters(t *testing.T) { // U6
	x := newTable(t, "one\ntwo\n").stage("one", "ONE")
	x.do(Reject(Letters("A"), ""))
	x.stage("one", "UNO").apply("B").user("UNO", "DOS")
	if c, _ := x.w.Snapshot().Change("A"); c.Hunks[0].Old != "one" || c.Hunks[0].New != "ONE" {
		t.Errorf("%+v", c.Hunks)
	}
}
