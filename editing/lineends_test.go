package editing

import (
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
				w := New(0)
				file := NewDocument(testPath, "f.txt", text.New(there))
				if open {
					w.OpenDocument(testPath, "f.txt", text.New(there), 1, true)
				}
				w.Do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: c.old, New: c.now}), file)
				now, want := crlf(was), crlf(c.want)
				if there != was {
					now, want = was, c.want
				}
				w.OpenDocument(testPath, "f.txt", text.New(now), 2, open)
				if got := told(w); got != "A staged" {
					t.Errorf("%s, open %v, %q: %s", c.name, open, now, got)
					continue
				}
				takeAll(t, w, "A")
				if got := mustDoc(w.Snapshot()).Base.String(); got != want {
					t.Errorf("%s, open %v: %q, want %q", c.name, open, got, want)
				}
				w.OpenDocument(testPath, "f.txt", text.New(strings.ReplaceAll(want, "\r\n", "\n")), 3, open)
				if got := told(w); got != "A applied" {
					t.Errorf("%s, open %v, saved with LF: %s", c.name, open, got)
				}
			}
		}
	}
}
