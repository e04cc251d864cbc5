package editing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// lineRanges reads "1-2 5": ranges of lines counted from 1.
func lineRanges(t *testing.T, s string) (out [][2]int) {
	t.Helper()
	for f := range strings.FieldsSeq(s) {
		var from, to int
		if n, _ := fmt.Sscanf(f, "%d-%d", &from, &to); n == 1 {
			to = from
		} else if n != 2 {
			t.Fatalf("%q are no lines", f)
		}
		out = append(out, [2]int{from - 1, to})
	}
	return out
}

// named is a part by its lines, counted from 1: of the text without the change, and of
// the text with it.
func named(t *testing.T, old, new string) func(*Document, *Change) Part {
	p := Part{Old: lineRanges(t, old), New: lineRanges(t, new)}
	return func(*Document, *Change) Part { return p }
}

// slashed are lines as a row of a table has them.
func slashed(s string) string { return strings.ReplaceAll(s, "/", "\n") }

// takenIn is the text with letters taken in, one after the other.
func takenIn(t *testing.T, s *Snapshot, letters ...string) string {
	t.Helper()
	u, closed := New(0), *s
	d := mustDoc(s).clone()
	d.Keeper = Disk
	closed.docs = map[string]*Document{testPath: d}
	u.cur = &closed
	for _, l := range letters {
		if res := u.Do(Apply(Letters(l))); !res.OK() {
			t.Fatalf("apply %s of %v: %+v", l, letters, res)
		}
	}
	return mustDoc(u.Snapshot()).Base.String()
}

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		name     string
		was, now string
		old, new string // lines that are cut
		rest     string // the text with A alone
		cut      string // the text with B alone
	}{
		{"first of new lines", "a/z/", "a/1/2/3/z/", "", "2", "a/2/3/z/", "a/1/z/"},
		{"new lines from the middle", "a/z/", "a/1/2/3/z/", "", "3", "a/1/3/z/", "a/2/z/"},
		{"last of new lines", "a/z/", "a/1/2/3/z/", "", "3-4", "a/1/z/", "a/2/3/z/"},
		{"new lines apart", "a/z/", "a/1/2/3/4/z/", "", "2 4", "a/2/4/z/", "a/1/3/z/"},
		{"new lines at the top", "a/", "1/2/a/", "", "1", "2/a/", "1/a/"},
		{"new lines at the end", "a/", "a/1/2/", "", "3", "a/1/", "a/2/"},
		{"new lines behind an open end", "a", "a/1/2", "", "3", "a/1", "a/2"},
		{"old lines", "a/1/2/3/z/", "a/z/", "3", "", "a/2/z/", "a/1/3/z/"},
		{"old lines at an open end", "a/1/2", "a", "3", "", "a/2", "a/1"},
		{"two places, the old line named", "a/b/c/d/e/", "a/B/c/D/e/", "4", "", "a/B/c/d/e/", "a/b/c/D/e/"},
		{"two places, the new line named", "a/b/c/d/e/", "a/B/c/D/e/", "", "4", "a/B/c/d/e/", "a/b/c/D/e/"},
		{"lines beside each other", "a/b/c/d/", "a/B/C/d/", "", "3", "a/B/c/d/", "a/b/C/d/"},
		{"words of lines beside each other", "a = 1/b = 1/", "a = 2/b = 2/", "2", "", "a = 2/b = 1/", "a = 1/b = 2/"},
		{"more lines than before", "a/b/z/", "a/X/Y/W/z/", "", "4", "a/X/Y/z/", "a/b/W/z/"},
		{"more lines than before, the first", "a/b/z/", "a/X/Y/W/z/", "", "2", "a/b/Y/W/z/", "a/X/z/"},
		{"fewer lines than before", "a/b/c/d/z/", "a/X/z/", "4", "", "a/X/d/z/", "a/b/c/z/"},
		{"fewer lines than before, the first", "a/b/c/d/z/", "a/X/z/", "", "2", "a/b/z/", "a/X/c/d/z/"},
		{"an empty file", "", "1/2/3/", "", "2", "1/3/", "2/"},
	} {
		for _, nl := range []string{"\n", "\r\n"} {
			t.Run(test.name+strings.ReplaceAll(nl, "\r\n", ", CRLF"), func(t *testing.T) {
				ended := func(s string) string { return strings.ReplaceAll(slashed(s), "\n", nl) }
				x := newTable(t, ended(test.was))
				was, now := ended(test.was), ended(test.now)
				if res := x.do(Stage(testPath, Meta{Owner: "agent", Reason: "why"}, text.Diff(was, now))); !res.OK() {
					t.Fatal(res)
				}
				res := x.do(Split(Choice{"A", 1}, named(t, test.old, test.new)))
				if !res.OK() || !slices.Equal(res.Touched, []string{"A", "B"}) {
					t.Fatalf("%+v", res)
				}
				s := x.w.Snapshot()
				for letters, want := range map[string]string{"A": test.rest, "B": test.cut, "A B": test.now, "B A": test.now} {
					if got := takenIn(t, s, strings.Fields(letters)...); got != ended(want) {
						t.Errorf("%s makes %q, want %q", letters, got, ended(want))
					}
				}
				if got := x.doc().Proposed("agent").String(); got != now {
					t.Errorf("proposed is %q, want %q", got, now)
				}
				a, _ := s.Change("A")
				b, _ := s.Change("B")
				if a.Revision != 2 || b.Revision != 1 || b.Session != a.Session || b.Reason != "why" || b.State != Staged {
					t.Errorf("A is %+v, B is %+v", a, b)
				}
			})
		}
	}
}

func TestSplitRefused(t *testing.T) {
	all := func(*Document, *Change) Part { return Part{Old: [][2]int{{0, 99}}, New: [][2]int{{0, 99}}} }
	for _, test := range []struct {
		name, says string
		make       func(x *table) Op
	}{
		{"nothing", "none of these lines", func(x *table) Op { return Split(Choice{"A", 1}, named(x.t, "1", "1")) }},
		{"all", "that is all of A", func(*table) Op { return Split(Choice{"A", 1}, all) }},
		{"a line that cannot be parted", "that is all of B", func(x *table) Op {
			x.stage("line 20", "line zwanzig").stage("line 30", "line dreissig")
			return Split(Choice{"B", 1}, named(x.t, "20", ""))
		}},
		{"stale", "was amended since you saw it", func(x *table) Op { return Split(Choice{"A", 7}, named(x.t, "3", "")) }},
		{"not there", "there is no change Z", func(x *table) Op { return Split(Choice{"Z", 0}, all) }},
		{"applying", "is being applied", func(x *table) Op {
			x.do(Apply(Letters("A")))
			return Split(Choice{"A", 1}, named(x.t, "3", ""))
		}},
		{"conflict", "the user's text and the agent's meet", func(x *table) Op {
			x.user("line 3\n", "mine\n")
			return Split(Choice{"A", 1}, named(x.t, "3", ""))
		}},
		{"no letter", "all 26 letters wait", func(x *table) Op {
			for i := range 25 {
				x.w.OpenDocument("/w/"+fmt.Sprint(i), fmt.Sprint(i), text.New("old\n"), 1, 1)
				x.do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: "/w/" + fmt.Sprint(i), Old: "old", New: "new"}))
			}
			return Split(Choice{"A", 1}, named(x.t, "3", ""))
		}},
		{"a whole file", "is about a whole file", func(x *table) Op {
			x.do(DeleteFile(Deletion{Meta{Owner: "other"}, testPath}))
			x.do(Reject(Letters("A"), ""))
			x.do(DeleteFile(Deletion{Meta{Owner: "other"}, testPath}))
			return Split(Choice{"B", 0}, all)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := newTable(t, lines30()).stage("line 3\nline 4\n", "three\nfour\n")
			op := test.make(x)
			before := x.w.Snapshot()
			if res := x.do(op); res.OK() || !strings.Contains(res.Hint, test.says) || x.w.Snapshot() != before {
				t.Errorf("%+v, want a refusal that says %q and changes nothing", res, test.says)
			}
		})
	}
}

// What was cut lasts: the text moves on, letters are decided, a process ends.
func TestSplitLasts(t *testing.T) {
	x := newTable(t, "a\nz\n").stage("a", "a\n1\n2\n3")
	x.do(Split(Choice{"A", 1}, named(t, "", "3")))
	x.user("a\n", "top\na\n").apply("B").want("A staged, B applied", "top\na\n2\nz\n")
	x.apply("A").want("A applied, B applied", "top\na\n1\n2\n3\nz\n")
	x.do(Reject(Letters("A"), ""))
	for _, order := range []string{"A B", "B A"} {
		x := newTable(t, "a\nz\n").stage("a", "a\n1\n2\n3")
		x.do(Split(Choice{"A", 1}, named(t, "", "3")))
		x.restart()
		if got := takenIn(t, x.w.Snapshot(), strings.Fields(order)...); got != "a\n1\n2\n3\nz\n" {
			t.Errorf("after a restart %s make %q", order, got)
		}
	}
}

// restart makes the workspace anew of what a journal has of it.
func (x *table) restart() *table {
	x.t.Helper()
	im, s := NewImage(), x.w.Snapshot()
	var ls []string
	for _, c := range s.Changes() {
		ls = append(ls, c.Letter)
	}
	rec := s.Record(ls...)
	rec.Sessions = s.Sessions("agent")
	im.Add(rec)
	x.w = New(0)
	x.w.Restore("agent", im, map[string]text.Text{testPath: text.New(x.buf)})
	x.w.OpenDocument(testPath, "f.txt", text.New(x.buf), 0, 1)
	return x
}

func TestAmendByAPerson(t *testing.T) {
	for _, test := range []struct {
		name     string
		was, now string
		draft    string // as the person is shown it
		wrote    string
		then     string // the text with it
	}{
		{"a word", "a/b = 1/c/", "a/b = 2/c/", "b = 2/", "b = 3/", "a/b = 3/c/"},
		{"two lines of three", "a/b/c/d/", "a/B/c/D/", "B/c/D/", "B/CC/D/", "a/B/CC/D/"},
		{"new lines", "a/z/", "a/1/2/z/", "1/2/", "1/zwei/3/", "a/1/zwei/3/z/"},
		{"new lines, without a last line break", "a/z/", "a/1/2/z/", "1/2/", "1", "a/1/z/"},
		{"new lines at the top", "a/", "1/a/", "1/", "0/1/", "0/1/a/"},
		{"an open end", "0/a", "0/a/1", "1/", "1/2/", "0/a/1/2"},
		{"a word at an open end", "a/b", "a/c", "c/", "d/", "a/d"},
		{"old lines", "a/1/2/z/", "a/z/", "", "2/", "a/2/z/"},
		{"nothing in place of lines", "a/b/z/", "a/c/z/", "c/", "", "a/z/"},
		{"in other words", "a/b/z/", "a/c/z/", "c/", "c//d/", "a/c//d/z/"},
	} {
		for _, nl := range []string{"\n", "\r\n"} {
			t.Run(test.name+strings.ReplaceAll(nl, "\r\n", ", CRLF"), func(t *testing.T) {
				ended := func(s string) string { return strings.ReplaceAll(slashed(s), "\n", nl) }
				was, now := ended(test.was), ended(test.now)
				x := newTable(t, was)
				x.do(Stage(testPath, Meta{Owner: "agent"}, text.Diff(was, now)))
				c, _ := x.w.Snapshot().Change("A")
				if got, ok := x.doc().Draft(c); !ok || text.Unix(got) != slashed(test.draft) {
					t.Fatalf("it is shown as %q, want %q", got, slashed(test.draft))
				}
				if res := x.do(Amend(Amendment{Choice{"A", 1}, slashed(test.draft), true})); !res.OK() || x.w.Snapshot().Changes()[0] != c {
					t.Errorf("what was shown is given back: %+v", res)
				}
				if res := x.do(Amend(Amendment{Choice{"A", 1}, slashed(test.wrote), true})); !res.OK() {
					t.Fatalf("%+v", res)
				}
				c, _ = x.w.Snapshot().Change("A")
				if got := takenIn(t, x.w.Snapshot(), "A"); got != ended(test.then) || c.Revision != 2 || !c.Yours {
					t.Errorf("A makes %q, want %q; it is %+v", got, ended(test.then), c)
				}
				if got := x.doc().Base.String(); got != was {
					t.Errorf("the text has become %q", got)
				}
			})
		}
	}
}

func TestAmendRefused(t *testing.T) {
	for _, test := range []struct {
		name, says string
		make       func(x *table) Amendment
	}{
		{"as the file is", "would change nothing", func(*table) Amendment { return Amendment{Choice{"A", 1}, "line 3\n", true} }},
		{"stale", "was amended since you saw it", func(*table) Amendment { return Amendment{Choice{"A", 3}, "x\n", true} }},
		{"conflict", "the user's text and the agent's meet", func(x *table) Amendment {
			x.user("line 3\n", "mine\n")
			return Amendment{Choice{"A", 1}, "x\n", true}
		}},
		{"rejected", "bring it back first", func(x *table) Amendment {
			x.do(Reject(Letters("A"), ""))
			return Amendment{Choice{"A", 1}, "x\n", true}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := newTable(t, lines30()).stage("line 3\n", "three\n")
			a := test.make(x)
			before := x.w.Snapshot()
			if res := x.do(Amend(a)); res.OK() || !strings.Contains(res.Hint, test.says) || x.w.Snapshot() != before {
				t.Errorf("%+v, want a refusal that says %q and changes nothing", res, test.says)
			}
		})
	}
}

// A person's text that comes to lie on another letter: the one staged later waits.
func TestAmendOverAnotherLetter(t *testing.T) {
	x := newTable(t, "a\nb\nc\nd\ne\n").stage("c", "C")
	x.do(Stage(testPath, Meta{Owner: "agent"}, text.Edits{{Start: 0, End: 1, New: "A"}, {Start: 8, End: 9, New: "E"}}))
	x.want("A staged, B staged", "a\nb\nc\nd\ne\n")
	x.do(Amend(Amendment{Choice{"B", 1}, "A\nb\nmine\nd\nE\n", true}))
	x.want("A staged, B conflict", "a\nb\nc\nd\ne\n")
	x.do(Reject(Letters("A"), ""))
	x.want("A rejected, B staged", "a\nb\nc\nd\ne\n")
	x.apply("B").want("A rejected, B applied", "A\nb\nmine\nd\nE\n")
}

// The place of the wire is that of the change, within a line too.
func TestAmendWithinALine(t *testing.T) {
	x := newTable(t, "timeout: 30 s\n").stage("30", "60")
	x.do(Amend(Amendment{Choice{"A", 1}, "90", false}))
	x.apply("A").want("A applied", "timeout: 90 s\n")
}
