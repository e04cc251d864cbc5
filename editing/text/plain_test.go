package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// endingPieces are endings of all kinds, and what may be taken for one.
var endingPieces = []string{"a", "b", "\n", "\r\n", "\r", "é", "xyz"}

func endingText(rt *rapid.T, name string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(endingPieces), 0, 30).Draw(rt, name), "")
}

func TestPlain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := endingText(rt, "text")
		if rapid.Bool().Draw(rt, "long") {
			s = strings.Repeat(s, 1+chunkMax/(len(s)+1))
		}
		x := New(s)
		p := x.Plain()
		if got := p.String(); got != strings.ReplaceAll(s, "\r\n", "\n") {
			rt.Fatalf("plain it is %q", got)
		}
		fresh := New(p.String())
		if p.Lines() != x.Lines() || p.body().crlf != fresh.body().crlf || p.body().cr != fresh.body().cr {
			rt.Fatalf("%d lines, plain %d", x.Lines(), p.Lines())
		}
		at := rapid.IntRange(0, len(s)).Draw(rt, "offset")
		if q := x.InPlain(at); x.parts(at) {
			if x.FromPlain(q) != at-1 {
				rt.Fatalf("%d in an ending goes to %d and back to %d", at, q, x.FromPlain(q))
			}
		} else if x.FromPlain(q) != at || Unix(s[:at]) != p.Slice(0, q) && !strings.HasSuffix(s[:at], "\r") {
			rt.Fatalf("%d goes to %d and back to %d", at, q, x.FromPlain(q))
		}
	})
}

// Edits of a text, whatever they do to its line ends, are edits of its plain text.
func TestPlainEdits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := New(endingText(rt, "text"))
		var es Edits
		at := 0
		for range rapid.IntRange(0, 5).Draw(rt, "edits") {
			if at > x.Len() {
				break
			}
			e := Edit{Start: rapid.IntRange(at, x.Len()).Draw(rt, "start"), New: endingText(rt, "new")}
			e.End = rapid.IntRange(e.Start, x.Len()).Draw(rt, "end")
			es, at = es.add(e), e.End+1
		}
		now, err := x.Apply(es)
		if err != nil {
			rt.Fatal(err)
		}
		got, err := x.Plain().Apply(PlainEdits(x, now, es))
		if err != nil || got.String() != now.Plain().String() {
			rt.Fatalf("%q by %+v is %q, plain by %+v %q: %v", x.String(), es, now.String(), PlainEdits(x, now, es), got.String(), err)
		}
	})
}

// Became tells each line end that is another one by itself.
func TestBecame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		old, now := endingText(rt, "old"), endingText(rt, "new")
		if got := mustApply(rt, New(old), Became(old, now)); got.String() != now {
			rt.Fatalf("%q", got.String())
		}
	})
	const old, now = "a\nb\nc\nd\n", "a\r\nB\r\nc\r\nd\r\n"
	if got := Became(old, now); len(got) != 4 {
		t.Errorf("%+v", got)
	}
}
