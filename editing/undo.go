package editing

import (
	"fmt"
	"strings"
)

// UndoApplied takes the applied changes of an editing session back out of closed
// files, where their text is intact; they are staged again. The hint names the
// letters whose text the user has changed since. Open documents are left to
// their editor, see Undoing.
func UndoApplied(owner string, n int) Op {
	return func(t *tx) Result {
		if _, r := t.named(owner, n); r != nil {
			return *r
		}
		res := Result{Status: StatusOK, Owner: owner, Session: n}
		var kept []string
		for _, c := range t.st.Of(owner, n) {
			if c.State != Applied {
				continue
			}
			d, w := t.change(c.Letter)
			switch {
			case !w.intact(d.Base):
				kept = append(kept, w.Letter)
			case !d.Open:
				t.undoClosed(d, w)
				res.Touched = append(res.Touched, w.Letter)
			}
		}
		if len(kept) > 0 {
			res.Hint = fmt.Sprintf("the user has changed the text of %s since; it stays", strings.Join(kept, ", "))
		}
		return res
	}
}

// undoClosed takes one applied change out of the text of a closed file.
func (t *tx) undoClosed(d *Document, c *Change) {
	before := d.Base
	set := []*Change{c}
	edits := toggleEdits(set)
	t.based(d.Path, edits)
	t.toggle(d, set, edits)
	t.target(d, before)
}

// Undoing returns the edits that take the applied, intact changes of an editing
// session back out of the open documents.
func (s *Snapshot) Undoing(owner string, n int) []DocumentEdit {
	var out []DocumentEdit
	for _, d := range s.Documents() {
		var set []*Change
		for _, c := range d.changes {
			if d.Open && c.Owner == owner && c.Session == n && c.State == Applied && c.intact(d.Base) {
				set = append(set, c)
			}
		}
		if len(set) > 0 {
			out = append(out, DocumentEdit{Path: d.Path, Version: d.Version, Edits: toggleEdits(set)})
		}
	}
	return out
}
