package editing

import (
	"fmt"
	"slices"
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
		out, kept := t.takeOut(slices.DeleteFunc(t.st.Of(owner, n), func(c *Change) bool { return c.State != Applied }))
		for _, l := range out {
			if _, w := t.change(l); w.State != Applied { // the rest is by Undoing
				res.Touched = append(res.Touched, l)
			}
		}
		if len(kept) > 0 {
			res.Hint = stays(kept)
		}
		return res
	}
}

// Undoing returns the edits that take letters which are applied, and read as the
// agent wrote them, back out of the open documents.
func (s *Snapshot) Undoing(letters ...string) []DocumentEdit {
	return s.documentEdits(func(d *Document) []*Change {
		return slices.DeleteFunc(slices.Clone(d.changes), func(c *Change) bool {
			return !d.keeps(c) || !slices.Contains(letters, c.Letter) || c.State != Applied || !c.Intact(d.Base)
		})
	})
}

// UndoClosed takes the changes that were applied in a closed editing session back
// out of the closed files, where their text is still there as it was written.
// The letters stay closed; the session is marked as undone. The hint names the
// letters whose text has changed since. For open documents see UndoingClosed.
func UndoClosed(owner string, n int) Op {
	return func(t *tx) Result {
		ses, ok := t.st.Session(owner, n)
		if !ok || ses.State.Open() || ses.Undone {
			return refuse("state", "editing session %s is not closed, or was taken back already", SessionID(n))
		}
		res := Result{Status: StatusReverted, Owner: owner, Session: n}
		var kept []string
		for _, c := range inUndoOrder(ses.Closed) {
			d := t.doc(c.Path)
			if !c.WasApplied() || d.keeps(c) {
				continue
			}
			if d == nil { // the table forgets what is not there
				d = t.add(&Document{Path: c.Path, Name: c.Name, Missing: true})
			}
			if c.effect().undo(t, d, c) {
				res.Touched = append(res.Touched, c.Letter)
			} else {
				kept = append(kept, c.Letter)
			}
		}
		t.session(owner, n).Undone = true
		if len(kept) > 0 {
			res.Hint = fmt.Sprintf("the text of %s has changed since; it stays", strings.Join(kept, ", "))
		}
		return res
	}
}

// UndoingClosed returns the edits that take the changes of a closed editing
// session back out of the open documents, where their text is intact.
func (s *Snapshot) UndoingClosed(owner string, n int) []DocumentEdit {
	ses, ok := s.Session(owner, n)
	if !ok || ses.State.Open() || ses.Undone {
		return nil
	}
	return s.documentEdits(func(d *Document) (set []*Change) {
		for _, c := range ses.Closed {
			if c.Path != d.Path || !d.keeps(c) || !c.WasApplied() {
				continue
			}
			if w, ok := c.found(d.Base); ok {
				w.State = Applied
				set = append(set, w)
			}
		}
		return set
	})
}

// inUndoOrder puts the texts in files before the files, and later operations on
// those before earlier ones.
func inUndoOrder(cs []*Change) []*Change {
	out := slices.Clone(cs)
	slices.SortStableFunc(out, func(a, b *Change) int {
		if a.step() > 0 && b.step() > 0 {
			return int(b.Order - a.Order)
		}
		return a.step() - b.step()
	})
	return out
}
