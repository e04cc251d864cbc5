package editing

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// Whatever became of a letter's line, and in whichever way: the conflict has the same three texts, in whole lines, and taking
// the agent's side makes the same of it.
func TestU1ConflictsAreWholeLines(t *testing.T) {
	const was = "a\nb\nc\nd\ne\n"
	for _, c := range []struct {
		name, old, new, now string
		want                Sides
		taken               string
	}{
		{"the line is gone", "c", "C", "a\nb\nd\ne\n", Sides{"", "C\n", "c\n"}, "a\nb\nC\nd\ne\n"},
		{"the next one too", "c", "C", "a\nb\ne\n", Sides{"", "C\n", "c\n"}, "a\nb\nC\ne\n"},
		{"lines are joined", "c", "C", "a\nb\nc d\ne\n", Sides{"c d\n", "C\nd\n", "c\nd\n"}, "a\nb\nC\nd\ne\n"},
		{"the first is gone", "a", "A", "b\nc\nd\ne\n", Sides{"", "A\n", "a\n"}, "A\nb\nc\nd\ne\n"},
		{"the last is gone", "e", "E", "a\nb\nc\nd\n", Sides{"", "E\n", "e\n"}, "a\nb\nc\nd\nE\n"},
		{"a word is put in", "c", "C", "a\nb\nmy c\nd\ne\n", Sides{"my c\n", "C\n", "c\n"}, "a\nb\nC\nd\ne\n"},
		{"all is gone", "c", "C", "", Sides{"", "C\n", "c\n"}, "C\n"},
	} {
		for _, way := range ways {
			w := way.make(t, rebaseCase{was: was, letters: "A " + c.old + "→" + c.new}.world(t, way.open), c.now)
			a, _ := w.Snapshot().Change("A")
			if got := a.Conflicts(mustDoc(w.Snapshot()).Base); a.State != Conflict || len(got) != 1 || got[0] != c.want {
				t.Errorf("%s, by %s: A is %s: %q", c.name, way.name, a.State, got)
				continue
			}
			takeAll(t, w, "A")
			if got := mustDoc(w.Snapshot()).Base.String(); got != c.taken {
				t.Errorf("%s, by %s: taken it reads %q", c.name, way.name, got)
			}
		}
	}
}

// A new line goes with the line before it, or stays where that is gone.
func TestU1NewLineBehindALineThatGoes(t *testing.T) {
	for _, way := range ways {
		w := way.make(t, rebaseCase{was: "a\nb\nc\nd\ne\n", letters: "A c/→c/new/"}.world(t, way.open), "a\nb\nd\ne\n")
		if got, now := told(w), mustDoc(w.Snapshot()).Proposed("agent").String(); got != "A staged" || now != "a\nb\nnew\nd\ne\n" {
			t.Errorf("by %s: %s, %q is proposed", way.name, got, now)
		}
	}
}

// A line that was moved and moved back.
func TestU2MovedLineAndUndo(t *testing.T) {
	x := newTable(t, "a\nb\nc\nd\ne\n").stage("c", "C")
	x.edit(text.Edit{Start: 4, End: 8, New: "d\nc\n"}).edit(text.Edit{Start: 4, End: 8, New: "c\nd\n"}).want("A staged", "")
	x.apply("A").want("A applied", "a\nb\nC\nd\ne\n")
}

// A copy of the line that goes, which goes again.
func TestU3CopyThatGoesAgain(t *testing.T) {
	x := newTable(t, "a\nx\nb\n").stage("x\n", "").stage("b", "B")
	x.edit(text.Edit{Start: 2, End: 2, New: "x\n"}).edit(text.Edit{Start: 2, End: 4}).want("A staged, B staged", "a\nx\nb\n")
	x.apply("A", "B").want("A applied, B applied", "a\nB\n")
}

// A copy of the line and its new text beside it are no "applied".
func TestU3BothTextsAreThere(t *testing.T) {
	for _, way := range ways {
		if got := told(way.make(t, rebaseCase{was: "w5\n", letters: "A w5→W5"}.world(t, way.open), "w5\nW5\nw5\n")); got != "A staged" {
			t.Errorf("by %s: %s", way.name, got)
		}
	}
}

// A file rewritten in place: what the user saved elsewhere is not in the conflict.
func TestU4RewrittenInPlace(t *testing.T) {
	x := newTable(t, lines30()).stage("line 15", "fifteen")
	now := strings.NewReplacer("line 15\n", "my line 15\n", "line 2\n", "my line 2\n", "line 29\n", "").Replace(lines30())
	x.edit(text.Edit{End: len(x.buf)}).edit(text.Edit{New: now}).want("A conflict", now)
	takeAll(t, x.w, "A")
	if got, want := x.doc().Base.String(), strings.Replace(now, "my line 15", "fifteen", 1); got != want {
		t.Errorf("taken it reads %q", got)
	}
}

// The undo of a conflict that was taken over brings the conflict back.
func TestU5UndoOfATakenConflict(t *testing.T) {
	x := newTable(t, "a\nb\nc\n").stage("b", "B").user("b", "my b").want("A conflict", "")
	takeAll(t, x.w, "A")
	x.buf = x.doc().Base.String()
	x.want("A applied", "a\nB\nc\n").edit(text.Edit{Start: 2, End: 3, New: "my b"}).want("A conflict", "a\nmy b\nc\n")
	if c, _ := x.w.Snapshot().Change("A"); c.Conflicts(x.doc().Base)[0] != (Sides{"my b\n", "B\n", "b\n"}) {
		t.Errorf("%+v", c.Conflicts(x.doc().Base))
	}
	x.user("my b", "b").want("A staged", "")
}

// And its redo: the letter is in the text again, whatever is typed beside it, and the next undo brings the conflict back.
func TestRedoOfATakenConflict(t *testing.T) {
	x := newTable(t, "a\nb\nc\n").stage("b", "B").user("b", "my b").want("A conflict", "")
	takeAll(t, x.w, "A")
	x.buf = x.doc().Base.String()
	mine, theirs := text.Edit{Start: 2, End: 3, New: "my b"}, text.Edit{Start: 2, End: 6, New: "B"}
	for range 2 {
		x.edit(mine).want("A conflict", "a\nmy b\nc\n").edit(theirs).want("A applied", "a\nB\nc\n")
	}
	x.user("c", "my c").want("A applied", "a\nB\nmy c\n").edit(mine).want("A conflict", "a\nmy b\nmy c\n")
	x.edit(theirs).user("B", "B!").want("A applied", "a\nB!\nmy c\n")
}

// So it is with a word in a line, where the lines around are the user's by now.
func TestRedoOfATakenWord(t *testing.T) {
	x := newTable(t, "a\nfour five\nb\n").stage("four five", "four and five").user("a", "x").user("four five", "c").user("b", "y").want("A conflict", "")
	takeAll(t, x.w, "A")
	x.buf = x.doc().Base.String()
	x.want("A applied", "x\nfour and five\ny\n").user("four and five", "c").want("A conflict", "").user("c", "four and five").want("A applied", "")
	x.user("y", "z").want("A applied", "")
}

// So does an undo while nothing ran.
func TestU5UndoOfATakenConflictWhileNothingRan(t *testing.T) {
	x := newTable(t, "a\nb\nc\n").stage("b", "B").user("b", "my b")
	takeAll(t, x.w, "A")
	if got := told(restored(t, x.w, "a\nmy b\nc\n")); got != "A conflict[my b/]" {
		t.Errorf("%s", got)
	}
}

// Texts of decided letters are kept.
func TestU6TextsOfDecidedLetters(t *testing.T) {
	x := newTable(t, "one\ntwo\n").stage("one", "ONE")
	x.do(Reject(Letters("A"), ""))
	x.stage("one", "UNO").apply("B").user("UNO", "DOS")
	if c, _ := x.w.Snapshot().Change("A"); c.Hunks[0].Old != "one" || c.Hunks[0].New != "ONE" {
		t.Errorf("%+v", c.Hunks)
	}
}

// Blanks, and the far side of a very long line, are not what a letter is about.
func TestU42EditsBesideALetter(t *testing.T) {
	words := strings.Repeat("There are words in it. ", 20)
	code := strings.Repeat("f(x,y);", 100)
	for _, c := range []struct{ name, was, old, new, now, want string }{
		{"blanks behind are trimmed", "one\nf(a)  \n", "f(a)", "f(b)", "one\nf(a)\n", "one\nf(b)\n"},
		{"blanks come behind", "one\nf(a)\n", "f(a)", "f(b)", "one\nf(a) \t\n", "one\nf(b) \t\n"},
		{"tabs for blanks", "if\n    f(a)\n    g(a)\n", "f(a)\n    g(a)", "f(b)\n    g(b)", "if\n\tf(a)\n\tg(a)\n", "if\n\tf(b)\n\tg(b)\n"},
		{"a whole file is indented", "one\n}\ntwo\n}\nthree\n}\n", "two\n}", "2\n  new\n}", "\tone\n\t}\n\ttwo\n\t}\n\tthree\n\t}\n", "\tone\n\t}\n\t2\n\t  new\n\t}\n\tthree\n\t}\n"},
		{"lines are put into a block", "one\ntwo\nthree\n", "two", "2", "one\nif {\n  two\n}\nthree\n", "one\nif {\n  2\n}\nthree\n"},
		{"a line moves into a block", "two\nif {\n  x\n}\n", "two", "2", "if {\n  x\n  two\n}\n", "if {\n  x\n  2\n}\n"},
		{"the last line, without an ending", "one\ntwo ", "two", "2", "one\ntwo", "one\n2"},
		{"a line to be deleted is indented", "one\n  two\nthree\n", "  two\n", "", "one\n\ttwo\nthree\n", "one\nthree\n"},
		{"far behind on a long line", words + "The needle is here. " + words + "\n", "needle", "pin", words + "The needle is here. " + words + "Mine.\n", words + "The pin is here. " + words + "Mine.\n"},
		{"far before on a long line", words + "The needle is here. " + words + "\n", "needle", "pin", "Mine. " + words + "The needle is here. " + words + "\n", "Mine. " + words + "The pin is here. " + words + "\n"},
		{"the next sentence", words + "The needle is here. Next. " + words + "\n", "needle", "pin", words + "The needle is here. My next. " + words + "\n", words + "The pin is here. My next. " + words + "\n"},
		{"a long line without sentences", code + "needle;" + code + "\n", "needle", "pin", "my " + code + "needle;" + code + "more\n", "my " + code + "pin;" + code + "more\n"},
		{"both at the end", "one\n", "one\n", "one\nagent\n", "one\nmine\n", "one\nmine\nagent\n"},
		{"both at the end, without an ending", "one", "one", "one\nagent", "one\nmine", "one\nmine\nagent"},
		// and what is one
		{"the same sentence", words + "The needle is here. " + words + "\n", "needle", "pin", words + "The needle is not here. " + words + "\n", ""},
		{"near it, without sentences", code + "needle;" + code + "\n", "needle", "pin", code + "needle;my " + code + "\n", ""},
		{"a short line", "The needle is here. Next.\n", "needle", "pin", "The needle is here. My next.\n", ""},
		{"both indent", "one\n  two\n", "  two", "    two", "one\n\ttwo\n", ""},
	} {
		for _, way := range ways {
			t.Run(c.name+"/"+way.name, func(t *testing.T) {
				w, file := begun(c.was, way.open)
				if res := w.Do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: c.old, New: c.new}), file); !res.OK() {
					t.Fatal(res)
				}
				w = way.make(t, w, c.now)
				a, _ := w.Snapshot().Change("A")
				state, want := Staged, c.want
				if want == "" {
					state, want = Conflict, c.now
				}
				if got := mustDoc(w.Snapshot()).Proposed("agent").String(); a.State != state || got != want {
					t.Errorf("A is %s, proposed is\n%q, want\n%q", a.State, got, want)
				}
			})
		}
	}
}

// What a rejected letter was about stays what it was, whatever its lines are indented by.
func TestU42RejectedLettersKeepTheirTexts(t *testing.T) {
	x := newTable(t, "a\n  b\nc\n").stage("  b\n", "").stage("c", "C")
	x.do(Reject(Letters("A"), ""))
	x.user("  b", "\tb").apply("B")
	if c, _ := x.w.Snapshot().Change("A"); c.State != Rejected || c.Hunks[0].Old != "  b\n" {
		t.Errorf("%s: %+v", c.State, c.Hunks)
	}
	x.do(Unreject(Letters("A")))
	x.want("A staged, B applied", "").apply("A").want("A applied, B applied", "a\nC\n")
}

// A letter whose file is gone says so, and nothing of texts that meet.
func TestU42DeletedFile(t *testing.T) {
	w := New(0)
	w.Do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: "one", New: "1"}), NewDocument(testPath, "f.txt", text.New("one\n")))
	w.Lose(testPath)
	for _, op := range []Op{Apply(Letters("A")), TakeAgents(Letters("A"))} {
		if r := w.Do(op); r.OK() || !strings.Contains(r.Hint, "gone") && !strings.Contains(r.Hint, "not there any more") || strings.Contains(r.Hint, "meet") {
			t.Errorf("%+v", r)
		}
	}
}
