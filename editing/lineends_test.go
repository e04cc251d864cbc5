package editing

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// A save with other line ends changes nothing about a letter, and what it writes
// takes those of the text.
func TestOtherLineEnds(t *testing.T) {
	const was = "one\ntwo\nthree\nfour\n"
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for _, c := range []struct{ name, old, now, want string }{
		{"a replacement", "two\n", "TWO\nnew\n", "one\nTWO\nnew\nthree\nfour\n"},
		{"a deletion", "two\n", "", "one\nthree\nfour\n"},
		{"an insertion", "two\n", "two\nnew\n", "one\ntwo\nnew\nthree\nfour\n"},
		{"the last line", "four\n", "four\nfive\n", "one\ntwo\nthree\nfour\nfive\n"},
		{"in a line", "three", "3", "one\ntwo\n3\nfour\n"},
	} {
		for _, open := range []bool{true, false} {
			for _, there := range []string{was, crlf(was)} {
				w, keeper := New(0), Disk
				file := NewDocument(testPath, "f.txt", text.New(there))
				if open {
					keeper = 1
					w.OpenDocument(testPath, "f.txt", text.New(there), 1, keeper)
				}
				w.Do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: c.old, New: c.now}), file)
				now, want := crlf(was), crlf(c.want)
				if there != was {
					now, want = was, c.want
				}
				w.OpenDocument(testPath, "f.txt", text.New(now), 2, keeper)
				if got := told(w); got != "A staged" {
					t.Errorf("%s, open %v, %q: %s", c.name, open, now, got)
					continue
				}
				takeAll(t, w, "A")
				if got := mustDoc(w.Snapshot()).Base.String(); got != want {
					t.Errorf("%s, open %v: %q, want %q", c.name, open, got, want)
				}
				w.OpenDocument(testPath, "f.txt", text.New(strings.ReplaceAll(want, "\r\n", "\n")), 3, keeper)
				if got := told(w); got != "A applied" {
					t.Errorf("%s, open %v, saved with LF: %s", c.name, open, got)
				}
			}
		}
	}
}

// endings are the ways in which the lines of a text can end.
var endings = []func(line int) string{
	func(int) string { return "\n" },
	func(int) string { return "\r\n" },
	func(line int) string { return []string{"\r\n", "\n"}[line%2] },
	func(line int) string { return []string{"\n", "\n", "\r\n"}[line%3] },
}

func withEndings(s string, of func(int) string) string {
	var sb strings.Builder
	for i, line := range strings.SplitAfter(s, "\n") {
		body, ok := strings.CutSuffix(line, "\n")
		sb.WriteString(body)
		if ok {
			sb.WriteString(of(i))
		}
	}
	return sb.String()
}

// endsOf are the endings of the lines that a text has once.
func endsOf(s string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(s) {
		body := bareLine(line)
		if _, twice := out[body]; twice {
			out[body] = ""
		} else {
			out[body] = line[len(body):]
		}
	}
	return out
}

// Every case of docs/rebase.md comes to the same in every way, with any line ends
// before and any others after; and what is taken in leaves those of all other lines.
func TestU10LineEndsSayNothingLong(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: one goroutine does it all")
	}
	n := 0
	for _, c := range rebaseCases(t) {
		for from, before := range endings {
			for to, after := range endings {
				for _, way := range ways {
					if n++; n%8 != 0 && os.Getenv("GALLEY_LONG") == "" {
						continue
					}
					t.Run(fmt.Sprintf("%q %s %q/%d to %d/%s", c.was, c.letters, c.now, from, to, way.name), func(t *testing.T) {
						now := withEndings(c.now, after)
						is := rebaseCase{was: withEndings(c.was, before), letters: c.letters}
						w := way.make(t, is.world(t, way.open), now)
						if got := strings.ReplaceAll(told(w), "\r", ""); got != c.states {
							t.Fatalf("%s, want %s", got, c.states)
						}
						takeAll(t, w, waitingIn(w)...)
						got := mustDoc(w.Snapshot()).Base.String()
						if text.Unix(got) != c.taken {
							t.Errorf("taken it reads %q, want %q", got, c.taken)
						}
						keepsEndings(t, now, got)
					})
				}
			}
		}
	}
}

// waitingIn are the letters that nobody has decided about.
func waitingIn(w *Workspace) (letters []string) {
	for _, c := range w.Snapshot().Changes() {
		if c.State.Undecided() {
			letters = append(letters, c.Letter)
		}
	}
	return letters
}

// keepsEndings checks that lines have the endings that they had, and new ones those of
// the text, where they are all one.
func keepsEndings(t *testing.T, before, after string) {
	t.Helper()
	has := endsOf(after)
	for line, end := range endsOf(before) {
		if now := has[line]; now != "" && end != "" && now != end {
			t.Errorf("%q ended in %q, and in %q when %q was taken", line, end, now, after)
		}
	}
	if was, is := text.New(before), text.New(after); is.Lines() > 1 && was.Lines() > 1 && !was.MixedEOL() && (is.MixedEOL() || is.EOL() != was.EOL()) {
		t.Errorf("taken it has other line ends: %q", after)
	}
}

// A line feed behind a lone \r would make one line break of both: whoever has the one has
// the other, or waits.
func TestLoneReturnAndWhatComesBehindIt(t *testing.T) {
	x := newTable(t, "a\nten\r").stage("ten\r", "ten!")
	end := x.doc().Proposed("agent").Len()
	x.do(Stage(testPath, Meta{Owner: "agent"}, text.Edits{{Start: end, End: end, New: "\nend"}}))
	x.want("A staged", "a\nten\r").apply("A").want("A applied", "a\nten!\nend")

	x = newTable(t, "a\nten\r").stage("ten\r", "ten!").apply("A")
	end = len(x.buf)
	x.do(Stage(testPath, Meta{Owner: "agent"}, text.Edits{{Start: end, End: end, New: "\nend"}}))
	x.user("ten!", "ten\r") // an undo
	x.want("A staged, B conflict", "a\nten\r").apply("A").want("A applied, B staged", "a\nten!")
	x.apply("B").want("A applied, B applied", "a\nten!\nend")
}
