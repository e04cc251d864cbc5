package lsptest

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

var encodings = []string{UTF8, UTF16, UTF32}

// pieces make texts with everything that positions trip over.
var pieces = []string{"a", "end", "\n", "\r\n", "é", "😀", "e\u0301", "\u2028", " ", "\t", "x = \"😀\"; y = 1"}

func genText(max int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		s := ""
		for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, max).Draw(t, "pieces") {
			s += p
		}
		return s
	})
}

// genEdits draws ascending edits whose ends are on code points, also inside \r\n.
func genEdits(text string) *rapid.Generator[[]edit] {
	return rapid.Custom(func(t *rapid.T) []edit {
		points := []int{len(text)}
		for i := range text {
			points = append(points, i)
		}
		var edits []edit
		at := 0
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			a, b := rapid.SampledFrom(points).Draw(t, "a"), rapid.SampledFrom(points).Draw(t, "b")
			start, end := min(a, b), max(a, b)
			if start < at || len(edits) > 0 && start == at {
				continue
			}
			edits = append(edits, edit{start, end, genText(4).Draw(t, "new")})
			at = end
		}
		if edits == nil {
			edits = []edit{{0, 0, "!"}}
		}
		return edits
	})
}

// Whatever the style and the encoding, a reader of the events comes to the same text.
func TestCutsSayTheSameChange(t *testing.T) {
	for _, style := range Cuts() {
		for _, encoding := range encodings {
			t.Run(fmt.Sprintf("%d/%s", style, encoding), rapid.MakeCheck(func(t *rapid.T) {
				s := &server{encoding: encoding}
				text := genText(12).Draw(t, "text")
				edits := genEdits(text).Draw(t, "edits")
				got := text
				for _, c := range cut(style, text, edits, encoding) {
					if c.Range == nil {
						got = c.Text
						continue
					}
					got = got[:s.at(got, c.Range.Start)] + c.Text + got[s.at(got, c.Range.End):]
				}
				if want := splice(text, edits); got != want {
					t.Fatalf("events make %q, want %q", got, want)
				}
				if back := splice(splice(text, edits), invert(text, edits)); back != text {
					t.Fatalf("inverted to %q, want %q", back, text)
				}
			}))
		}
	}
}

func TestCutStyles(t *testing.T) {
	const text = "one\ntwo 😀\nthree\n"
	edits := []edit{{4, 7, "TWO"}, {13, 13, "x"}} // "two", and before "three"
	for _, c := range []struct {
		style Cut
		want  string
	}{
		{CutExact, `{{2 0} {2 0}} "x", {{1 0} {1 3}} "TWO"`},
		{CutAscending, `{{1 0} {1 3}} "TWO", {{2 0} {2 0}} "x"`},
		{CutLines, `{{2 0} {2 0}} "x", {{1 0} {1 3}} "TWO"`},
		{CutWhole, `"one\nTWO 😀\nxthree\n"`},
		{CutWide, `{{0 1} {2 5}} "ne\nTWO 😀\nxthree"`},
		{CutSeveral, `{{2 0} {2 0}} "", {{2 0} {2 0}} "", {{2 0} {2 0}} "x", {{2 0} {2 0}} "", {{1 1} {1 3}} "", {{1 0} {1 1}} "", {{1 0} {1 0}} "WO", {{1 0} {1 0}} "T"`},
		{CutOverrun, `{{2 0} {2 0}} "x", {{1 0} {1 3}} "TWO"`},
	} {
		got := ""
		for i, event := range cut(c.style, text, edits, UTF16) {
			if i > 0 {
				got += ", "
			}
			if event.Range != nil {
				got += fmt.Sprintf("%v ", *event.Range)
			}
			got += fmt.Sprintf("%q", event.Text)
		}
		if got != c.want {
			t.Errorf("style %d:\n got %s\nwant %s", c.style, got, c.want)
		}
	}
}

func TestPlace(t *testing.T) {
	const text = "a\r\n😀b\nc"
	for _, c := range []struct {
		at       Position
		encoding string
		offset   int
		exact    bool
	}{
		{Position{0, 1}, UTF16, 1, true},
		{Position{0, 2}, UTF16, 1, false}, // behind the line's end
		{Position{1, 1}, UTF16, 3, false}, // inside a pair
		{Position{1, 2}, UTF16, 7, true},
		{Position{1, 4}, UTF8, 7, true},
		{Position{1, 1}, UTF32, 7, true},
		{Position{2, 1}, UTF32, 10, true},
		{Position{9, 0}, UTF32, 10, false}, // behind the last line
	} {
		if offset, exact := place(text, c.at, c.encoding); offset != c.offset || exact != c.exact {
			t.Errorf("place(%v, %s) = %d, %t; want %d, %t", c.at, c.encoding, offset, exact, c.offset, c.exact)
		}
	}
}
