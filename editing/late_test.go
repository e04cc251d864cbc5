package editing

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// An editor was asked to apply A, and its text comes later than anybody waited, together with other edits: what is in the
// text is applied, and never put in again.
func TestTextThatComesLate(t *testing.T) {
	for _, c := range []struct{ name, was, old, new, now, state string }{
		{"by itself", "one/seven nine/ten/", "seven nine", "seven nine/agent", "one/seven nine/agent/ten/", "A applied"},
		{"a word on its line", "one/seven nine/ten/", "seven nine", "seven nine/agent", "one/seven my nine/agent/ten/", "A applied"},
		{"a word on the line behind", "one/seven nine/ten/", "seven nine", "seven nine/agent", "one/seven nine/agent/my ten/", "A applied"},
		{"words on both", "one/seven nine/ten/", "seven nine", "seven nine/agent", "one/my seven nine/agent/my ten/", "A applied"},
		{"a line before it", "one/seven nine/ten/", "seven nine", "seven nine/agent", "one/seven nine/mine/agent/ten/", "A applied"},
		{"a line behind it", "one/seven nine/ten/", "seven nine", "seven nine/agent", "one/seven nine/agent/mine/ten/", "A applied"},
		{"its line is gone", "one/seven nine/ten/", "seven nine", "seven nine/agent", "one/agent/ten/", "A applied"},
		{"at the end", "one/seven nine", "seven nine", "seven nine/agent", "one/my seven nine/agent", "A applied"},
		{"equal lines", "{/}/end/", "}", "}/}", "{/}/}/my end/", "A applied"},
		{"within a line", "one two/ten/", "one two", "one and two", "one and two/my ten/", "A applied"},
		{"words within it", "one two/ten/", "one two", "one and two", "one and my two/ten/", "A applied"},
		{"words in front of it", "one two/ten/", "one two", "one and two", "one my and two/ten/", "A applied"},
		{"words elsewhere on its line", "one two/ten/", "one two", "one and two", "my one and two/ten/", "A conflict"},
		{"a replacement", "one/two/ten/", "two", "TWO", "my one/TWO/my ten/", "A applied"},
		{"beside what it replaces", "one/two/ten/", "two", "TWO", "my one/two/TWO/ten/", "A applied"},
		{"a deletion", "one/two/ten/", "two/", "", "my one/my ten/", "A conflict"},
		{"not come, a word on its line", "one/seven nine/ten/", "seven nine", "seven nine/agent", "one/seven my nine/ten/", "A staged"},
		{"not come, but elsewhere", "zero/one/seven nine/ten/", "seven nine", "seven nine/agent", "agent/zero/one/seven my nine/ten/", "A staged"},
		{"not deleted", "one/two/ten/", "two/", "", "one/my two/ten/", "A conflict"},
		{"not replaced", "one/two/ten/", "two", "TWO", "one/my two/ten/", "A conflict"},
	} {
		for _, waits := range []bool{false, true} {
			broken := func(s string) string { return strings.ReplaceAll(s, "/", "\n") }
			x := newTable(t, broken(c.was)).stage(broken(c.old), broken(c.new))
			x.do(Apply(Letters("A")))
			if !waits {
				x.do(Expire([]string{"A"}))
			}
			if _, err := x.w.Update(testPath, 2, backwards(text.Runs(x.buf, broken(c.now)))); err != nil {
				t.Fatal(err)
			}
			if waits {
				x.do(Expire([]string{"A"}))
			}
			got := told(x.w)
			if i := strings.Index(got, "["); i >= 0 {
				got = got[:i]
			}
			if a, _ := x.w.Snapshot().Change("A"); got != c.state || a.By != "" {
				t.Errorf("%s (waits %t): %s %s, want %s", c.name, waits, got, a.By, c.state)
			}
		}
	}
}

// Letters that leave a text as it is together are applied at once: no text would come.
func TestLettersThatUndoEachOther(t *testing.T) {
	x := newTable(t, "one\ntwo\n").stage("two\n", "").stage("one\n", "one\nnew\n").user("one\n", "").stage("new\n", "two\n")
	x.want("A staged, B staged", "two\n")
	x.do(Apply(Letters("A", "B")))
	x.want("A applied, B applied", "two\n")
}

// A letter is put in right behind one that is applied: that one stays where it stands, so that the two come out each by
// itself, by the editor's undo or by closing the file without saving.
func TestLettersRightBehindEachOther(t *testing.T) {
	const one, both = "six\nten\nfirst\n", "six\nten\nfirst\nsecond\n"
	for name, out := range map[string]func(w *Workspace) error{
		"undone": func(w *Workspace) error {
			_, err := w.Update(testPath, 4, text.Runs(both, one))
			return err
		},
		"closed": func(w *Workspace) error {
			w.CloseDocument(testPath, 1)
			w.OpenDocument(testPath, "f.txt", text.New(one), 0, Disk)
			return nil
		},
	} {
		x := newTable(t, "six\nten\n").stage("ten", "ten\nfirst")
		for _, come := range []struct{ letter, text string }{{"A", one}, {"B", both}} {
			x.do(Apply(Letters(come.letter)))
			if _, err := x.w.Update(testPath, 2, text.Runs(x.buf, come.text)); err != nil {
				t.Fatal(err)
			}
			if x.buf = come.text; come.letter == "A" {
				x.stage("first", "first\nsecond")
			}
		}
		for l, want := range map[string]string{"A": "\nfirst", "B": "\nsecond"} {
			c, _ := x.w.Snapshot().Change(l)
			if h := c.Hunks[0]; c.State != Applied || both[h.Start:h.End] != want {
				t.Errorf("%s is %s at %d-%d, which reads %q, want %q", l, c.State, h.Start, h.End, both[h.Start:h.End], want)
			}
		}
		if err := out(x.w); err != nil {
			t.Fatal(err)
		}
		if got := told(x.w); got != "A applied, B staged" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
