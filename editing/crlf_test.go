package editing

import (
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// A staged edit that ends between \r and \n, and a user who deletes that \n.
func TestStagingKeepsLineBreaksWhole(t *testing.T) {
	w := New(0)
	w.OpenDocument(testPath, "f.txt", text.New("abbfoo\r\n"), 0, 1)
	w.Do(func(tx *tx) Result {
		_, r := tx.stage(testPath, Meta{Owner: "agent"}, text.Edits{{Start: 2, End: 7, New: ""}, {Start: 8, End: 8, New: "a\r\n"}}, "k")
		if r != nil {
			return tx.undo(*r)
		}
		return Result{Status: StatusEditing}
	})
	d, _ := w.Snapshot().Document(testPath)
	if got := d.Proposed("agent").String(); got != "ab\na\r\n" {
		t.Fatalf("proposed %q", got)
	}
	if _, err := w.Update(testPath, 0, []text.Edit{{Start: 7, End: 8}}); err != nil {
		t.Fatal(err)
	}
	d, _ = w.Snapshot().Document(testPath)
	d.Proposed("agent")
	if d.Base.String() != "abbfoo\r" {
		t.Fatalf("base %q", d.Base.String())
	}
}
