package editing

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
	"pgregory.net/rapid"
)

// genLines is a random text of short lines.
func genLines(most int) *rapid.Generator[string] {
	lines := []string{"a\n", "b\n", "\n", "cd\r\n", "\r\n", "e f\n", "g"}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, most).Draw(t, "lines"), "")
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

// genLetters is a document with letters in any state, as a rebase may meet them.
func genLetters() *rapid.Generator[*Document] {
	return rapid.Custom(func(t *rapid.T) *Document {
		d := &Document{Path: testPath, Base: text.New(genLines(30).Draw(t, "text"))}
		for range rapid.IntRange(0, 4).Draw(t, "letters") {
			c := &Change{State: rapid.SampledFrom([]ChangeState{Staged, Applied, Applying, Rejected, Conflict}).Draw(t, "state")}
			for _, e := range genPlaces(d.Base.Len(), 3).Draw(t, "hunks") {
				h := Hunk{Start: e.Start, End: e.End, Old: d.Base.Slice(e.Start, e.End), New: e.New}
				if h.Held = c.State == Conflict; h.Held {
					p := placeOf(d.Base, h)
					h.Place = &p
				}
				c.Hunks = append(c.Hunks, h)
			}
			d.changes = append(d.changes, c)
		}
		return d
	})
}

// Edits taken together leave what they leave one by one.
func TestUserEditsTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := genLetters().Draw(t, "document")
		all := one.clone()
		es := genPlaces(one.Base.Len(), 12).Draw(t, "edits")
		for _, e := range slices.Backward(es) {
			one.userEdit(e)
		}
		all.userEdits(es)
		if !all.Base.Equal(one.Base) {
			t.Fatalf("text %q, one by one %q", all.Base.String(), one.Base.String())
		}
		for i := range one.changes {
			if a, b := all.changes[i].Hunks, one.changes[i].Hunks; len(a)+len(b) > 0 && !reflect.DeepEqual(a, b) {
				t.Fatalf("letter %d has %+v, one by one %+v", i, a, b)
			}
		}
	})
}
