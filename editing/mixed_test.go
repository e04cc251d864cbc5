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
