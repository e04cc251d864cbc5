package editing

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
	"pgregory.net/rapid"
)

// A change of very many places has fewer and larger ones, and leaves other letters
// between them alone.
func TestBoundedPlaces(t *testing.T) {
	const lines = 5000
	w := New(0)
	w.OpenDocument("/w/a.txt", "a.txt", text.New(strings.Repeat("one\n", lines)), 1, 1)
	stage := func(es text.Edits) {
		if res := w.Do(Stage("/w/a.txt", Meta{Owner: agentName}, es)); !res.OK() {
			t.Fatalf("%s: %s", res.Code, res.Hint)
		}
	}
	mid := 4 * (lines / 2)
	stage(text.Edits{{Start: mid, End: mid + 3, New: "kept"}})
	d, _ := w.Snapshot().Document("/w/a.txt")
	p := d.Proposed(agentName)
	var es text.Edits
	for i := range lines {
		if at := p.LineStart(i); i != lines/2 {
			es = append(es, text.Edit{Start: at, End: at + 3, New: "two"})
		}
	}
	stage(es)
	d, _ = w.Snapshot().Document("/w/a.txt")
	want := strings.Repeat("two\n", lines/2) + "kept\n" + strings.Repeat("two\n", lines-lines/2-1)
	if got := d.Proposed(agentName).String(); got != want {
		t.Errorf("proposed is another text, %d bytes of %d", len(got), len(want))
	}
	a, _ := w.Snapshot().Change("A")
	b, _ := w.Snapshot().Change("B")
	if len(a.Hunks) != 1 || len(b.Hunks) > mostHunks || len(b.Hunks) < mostHunks/4 {
		t.Errorf("%d and %d places", len(a.Hunks), len(b.Hunks))
	}
}

// grouped joins what is nearest, the first of equals first.
func TestGrouped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		es := genPlaces(40, 10).Draw(t, "edits")
		n := rapid.IntRange(1, 8).Draw(t, "groups")
		var want [][]text.Edit
		for _, e := range es {
			want = append(want, []text.Edit{e})
		}
		for len(want) > n {
			best, gap := 0, -1
			for i := 1; i < len(want); i++ {
				if g := want[i][0].Start - want[i-1][len(want[i-1])-1].End; gap < 0 || g < gap {
					best, gap = i, g
				}
			}
			want[best-1] = append(want[best-1], want[best]...)
			want = slices.Delete(want, best, best+1)
		}
		var got [][]text.Edit
		if len(es) > 0 {
			for _, g := range grouped(es, n) {
				got = append(got, g)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// genPlaces are random edits of a text of n bytes.
func genPlaces(n, most int) *rapid.Generator[text.Edits] {
	return rapid.Custom(func(t *rapid.T) text.Edits {
		at := rapid.SliceOfN(rapid.IntRange(0, n), 0, 2*most).Draw(t, "at")
		slices.Sort(at)
		var es text.Edits
		for i := 0; i+1 < len(at); i += 2 {
			e := text.Edit{Start: at[i], End: at[i+1], New: genLines(2).Draw(t, "new")}
			if next := append(slices.Clip(es), e); next.Validate(n) == nil {
				es = next
			}
		}
		return es
	})
}

// genLines is a random text of short lines.
func genLines(most int) *rapid.Generator[string] {
	lines := []string{"a\n", "b\n", "\n", "cd\r\n", "\r\n", "e f\n", "g"}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, most).Draw(t, "lines"), "")
	})
}
