package editing

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/galley-ls/galley/editing/text"
)

// mixed are lines, each with one line end or the other.
func mixed(rt *rapid.T, name string, ends ...string) string {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", " ", "a b"}), 1, 9).Draw(rt, name)
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line + rapid.SampledFrom(ends).Draw(rt, "end"))
	}
	return b.String()
}

// What an agent asks for is what its letters make, also where line ends are mixed: an insertion between two lines takes the
// end of the line before, which may be longer or shorter than its own.
func TestMixedLineEndsMoveNothing(t *testing.T) {
	const path, owner = "/w/f.txt", "agent"
	rapid.Check(t, func(rt *rapid.T) {
		w := New(0)
		was := mixed(rt, "old", "\n", "\r\n")
		w.OpenDocument(path, "f.txt", text.New(was), 1, 1)
		want := ""
		if rapid.Bool().Draw(rt, "write") {
			want = mixed(rt, "new", "\n")
			w.Do(Write(Writing{Meta: Meta{Owner: owner}, Path: path, Content: want}))
		} else {
			r := Replacement{Meta: Meta{Owner: owner}, Path: path, Old: "b\n", New: mixed(rt, "new", "\n"), MatchID: "all"}
			want = strings.ReplaceAll(text.Unix(was), r.Old, r.New)
			w.Do(Replace(r))
		}
		d, _ := w.Snapshot().Document(path)
		if got := text.Unix(d.Proposed(owner).String()); len(w.Snapshot().Of(owner, 1)) > 0 && got != want {
			rt.Fatalf("%q becomes %q, want %q", was, got, want)
		}
	})
}

// An edit between the two halves of a line break puts lines behind it: the break itself stays out of the letter.
func TestEditWithinALineBreak(t *testing.T) {
	base := text.New("one\r\ntwo\r\n")
	for _, c := range []struct{ e, want text.Edit }{
		{text.Edit{Start: 4, End: 4, New: "\nnew"}, text.Edit{Start: 5, End: 5, New: "new\n"}},
		{text.Edit{Start: 4, End: 5, New: "\nnew\n"}, text.Edit{Start: 5, End: 5, New: "new\n"}},
		{text.Edit{Start: 4, End: 4, New: "new"}, text.Edit{Start: 3, End: 5, New: "\rnew\n"}},
		{text.Edit{Start: 5, End: 5, New: "new\n"}, text.Edit{Start: 5, End: 5, New: "new\n"}},
	} {
		if got := whole(base, text.Edits{c.e}); len(got) != 1 || got[0] != c.want {
			t.Errorf("%+v: %+v, want %+v", c.e, got, c.want)
		}
	}
}
