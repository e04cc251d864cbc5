package editing

import (
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// What an editor put in at the end of a text, and takes back, waits again; its redo applies it again. Nothing around it
// moves, and no line break is another letter's.
func TestEditorsUndoAtTheEnd(t *testing.T) {
	for _, c := range []struct{ name, was, old, new, now string }{
		{"all is deleted", "one\ntwo\n", "one\ntwo\n", "", ""},
		{"all is deleted, without a last ending", "one\ntwo", "one\ntwo", "", ""},
		{"an empty file is filled", "", "", "one\ntwo\n", "one\ntwo\n"},
		{"an empty file is filled, without a last ending", "", "", "one\ntwo", "one\ntwo"},
		{"only the last ending goes", "one\ntwo\n", "two\n", "two", "one\ntwo"},
		{"only a last ending comes", "one\ntwo", "two", "two\n", "one\ntwo\n"},
		{"a last line comes with its ending", "one\ntwo", "two", "two\nthree\n", "one\ntwo\nthree\n"},
		{"a last line comes without one", "one\ntwo\n", "two\n", "two\nthree", "one\ntwo\nthree"},
		{"the last line goes", "one\ntwo\n", "two\n", "", "one\n"},
		{"the last line goes with the ending before", "one\ntwo\n", "\ntwo\n", "", "one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := New(0)
			w.OpenDocument(testPath, "f.txt", text.New(c.was), 1, 1)
			p := w.Plan(Replace(Replacement{Meta: Meta{Owner: agentName}, Path: testPath, Old: c.old, New: c.new}))
			if !p.Result.OK() || !w.Accept(p) {
				t.Fatal(p.Result)
			}
			if p = w.Plan(Apply(Letters("A"))); !w.Accept(p) {
				t.Fatal(p.Result)
			}
			es := text.Diff(c.was, c.now)
			state := func(want ChangeState) {
				t.Helper()
				if a, _ := w.Snapshot().Change("A"); a.State != want {
					t.Errorf("A is %s, want %s", a.State, want)
				}
			}
			for range 2 {
				if _, err := w.Update(testPath, 0, es); err != nil {
					t.Fatal(err)
				}
				state(Applied)
				if _, err := w.Update(testPath, 0, es.Invert(text.New(c.was))); err != nil {
					t.Fatal(err)
				}
				state(Staged)
			}
		})
	}
}

// New lines behind lines that go share no line break with them, though each was staged in the form that has the line
// break before: the text above goes, key by key or at once, and both letters wait, apart.
func TestLettersShareNoLineBreak(t *testing.T) {
	const was, now = "above\nline\n", "line\n"
	for name, came := range map[string][]text.Edit{
		"at once":    {{End: len(was), New: now}},
		"key by key": {{Start: 5, End: 6}, {Start: 4, End: 5}, {Start: 3, End: 4}, {Start: 2, End: 3}, {Start: 1, End: 2}, {Start: 0, End: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			w := New(0)
			w.OpenDocument(testPath, "f.txt", text.New(was), 1, 1)
			for _, e := range [][2]string{{"above\nline\n", "above\nline\nA\n"}, {"line\n", "B\nabove\n"}, {"above\nB\n", ""}} {
				if p := w.Plan(Replace(Replacement{Meta: Meta{Owner: agentName}, Path: testPath, Old: e[0], New: e[1]})); !p.Result.OK() || !w.Accept(p) {
					t.Fatal(p.Result)
				}
			}
			for _, e := range came {
				if _, err := w.Update(testPath, 0, []text.Edit{e}); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range w.Snapshot().Changes() {
				if c.State != Staged {
					t.Errorf("%s is %s", c.Letter, c.State)
				}
			}
			if got := theDocument(t, w).Proposed(agentName).String(); got != "A\n" {
				t.Errorf("%q is proposed", got)
			}
		})
	}
}
