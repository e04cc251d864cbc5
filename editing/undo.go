package editing

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
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
		var files []*Change // after the texts in them
		for _, c := range t.st.Of(owner, n) {
			if c.State != Applied {
				continue
			}
			d, w := t.change(c.Letter)
			if w.file() {
				files = append(files, w)
				continue
			}
			switch {
			case !w.Intact(d.Base):
				kept = append(kept, w.Letter)
			case !d.Open:
				t.undoClosed(d, w)
				res.Touched = append(res.Touched, w.Letter)
			}
		}
		for _, c := range slices.Backward(files) {
			switch {
			case t.st.docs[c.Path].keeps(c): // by Undoing
			case t.undoFile(c):
				res.Touched = append(res.Touched, c.Letter)
			default:
				kept = append(kept, c.Letter)
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

// Undoing returns the edits that take letters which are applied, and read as the
// agent wrote them, back out of the open documents.
func (s *Snapshot) Undoing(letters ...string) []DocumentEdit {
	var out []DocumentEdit
	for _, d := range s.Documents() {
		var set []*Change
		to := ""
		for _, c := range d.changes {
			switch {
			case !d.keeps(c) || !slices.Contains(letters, c.Letter) || c.State != Applied:
			case c.Kind == KindRename:
				to = c.File.From
			case c.Intact(d.Base):
				set = append(set, c)
			}
		}
		if len(set) > 0 || to != "" {
			out = append(out, DocumentEdit{Path: d.Path, Version: d.Version, Edits: toggleEdits(set), Rename: to})
		}
	}
	return out
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
			if d := t.st.docs[c.Path]; c.file() && c.WasApplied() && (d == nil || !d.keeps(c)) {
				if t.undoClosedFile(c) {
					res.Touched = append(res.Touched, c.Letter)
				} else {
					kept = append(kept, c.Letter)
				}
				continue
			}
			d := t.doc(c.Path)
			if !c.WasApplied() || d != nil && d.Open {
				continue
			}
			var es text.Edits
			ok := d != nil
			if ok {
				es, ok = c.back(d.Base)
			}
			if !ok {
				kept = append(kept, c.Letter)
				continue
			}
			before := d.Base
			t.userText(d, es)
			t.target(d, before)
			res.Touched = append(res.Touched, c.Letter)
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
	byPath, renames := map[string]text.Edits{}, map[string]string{}
	for _, c := range ses.Closed {
		d, ok := s.Document(c.Path)
		if !ok || !d.keeps(c) || !c.WasApplied() {
			continue
		}
		if c.Kind == KindRename {
			byPath[c.Path], renames[c.Path] = append(byPath[c.Path], text.Edits{}...), c.File.From
			continue
		}
		if es, ok := c.back(d.Base); ok {
			byPath[c.Path] = append(byPath[c.Path], es...)
		}
	}
	var out []DocumentEdit
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		d, es := s.docs[path], byPath[path]
		slices.SortFunc(es, func(a, b text.Edit) int { return cmp.Compare(a.Start, b.Start) })
		if es = joinPoints(es); es.Validate(d.Base.Len()) == nil {
			out = append(out, DocumentEdit{Path: path, Version: d.Version, Edits: es, Rename: renames[path]})
		}
	}
	return out
}

// inUndoOrder puts the texts in files before the files, and later operations on
// those before earlier ones.
func inUndoOrder(cs []*Change) []*Change {
	out := slices.Clone(cs)
	slices.SortStableFunc(out, func(a, b *Change) int {
		switch {
		case a.file() && b.file():
			return int(b.Order - a.Order)
		case a.file():
			return 1
		case b.file():
			return -1
		}
		return 0
	})
	return out
}

// back finds the text of a closed change that was applied, by its lines, and
// returns the edits that write the old text there.
func (c *Change) back(base text.Text) (text.Edits, bool) {
	var es text.Edits
	same := c.BaseHash == base.Hash().String()
	for _, h := range c.Hunks {
		if at, ok := h.Place.found(base); !same && ok {
			h.Start, h.End = at+h.Place.Start, at+h.Place.End
		} else if !same {
			return nil, false
		}
		if h.End > base.Len() || base.Slice(h.Start, h.End) != h.New {
			return nil, false
		}
		es = append(es, text.Edit{Start: h.Start, End: h.End, New: h.Old})
	}
	return es, es.Validate(base.Len()) == nil
}
