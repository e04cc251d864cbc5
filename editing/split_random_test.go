package editing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/galley-ls/galley/editing/text"
)

// However a change is cut, and in whatever order its parts are taken in, in an editor or in a file, with the user typing
// around it and restarts in between: in the end there is what the whole change makes.
func TestSplitIsTheWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := func(name string, most int) string {
			var sb strings.Builder
			for i, s := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "", "  c d", "e f g"}), 0, most).Draw(rt, name) {
				fmt.Fprintf(&sb, "%s %s%d\n", s, name, i)
			}
			return sb.String()
		}
		middle := lines("old", 6)
		now := lines("new", 6)
		if rapid.Bool().Draw(rt, "words") { // some of the old lines stay, with other words
			now = strings.ReplaceAll(middle, "old", "new") + now
		}
		was := text.New("head\n" + middle + "tail\n")
		x := newTable(t, was.String())
		es := fineEdits(was, "head\n"+now+"tail\n")
		if len(es) == 0 || !x.do(Stage(testPath, Meta{Owner: "agent"}, es)).OK() {
			return
		}
		letters := []string{"A"}
		for range rapid.IntRange(1, 4).Draw(rt, "cuts") {
			part := Part{Old: someLines(rt, "old lines"), New: someLines(rt, "new lines")}
			l := rapid.SampledFrom(letters).Draw(rt, "of")
			if res := x.do(Split(Choice{Letter: l}, func(*Document, *Change) Part { return part })); res.OK() {
				letters = append(letters, res.Touched[1])
			}
		}
		top, end := "", ""
		for i, l := range rapid.Permutation(slices.Clone(letters)).Draw(rt, "order") {
			switch rapid.IntRange(0, 3).Draw(rt, "meanwhile") {
			case 0:
				typed := fmt.Sprintf("typed %d\n", i)
				x.edit(text.Edit{New: typed})
				top = typed + top
			case 1:
				typed := fmt.Sprintf("typed %d\n", i)
				x.edit(text.Edit{Start: len(x.buf), End: len(x.buf), New: typed})
				end += typed
			case 2:
				x.restart()
			}
			if c, ok := x.w.Snapshot().Change(l); !ok || c.State != Staged {
				rt.Fatalf("%s of %v is %+v, in %q", l, letters, c, x.buf)
			}
			x.apply(l)
		}
		if want := top + "head\n" + now + "tail\n" + end; x.buf != want {
			rt.Fatalf("%v make %q, want %q", letters, x.buf, want)
		}
	})
}

func fineEdits(was text.Text, now string) text.Edits { return text.Diff(was.String(), now).Trim(was) }

// someLines are lines, each on its own.
func someLines(rt *rapid.T, name string) (out [][2]int) {
	for _, i := range rapid.SliceOfN(rapid.IntRange(0, 12), 0, 6).Draw(rt, name) {
		out = append(out, [2]int{i, i + 1})
	}
	return out
}
