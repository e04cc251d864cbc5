package editing

import (
	"cmp"
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// OpenDocument puts a document into the workspace, or replaces what is known of
// it: an editor opened the file with this text, or a closed file was read. If
// the text differs from what was known, the difference is rebased as the user's.
func (w *Workspace) OpenDocument(path, name string, t text.Text, version int32, open bool) Record {
	for {
		was, ok := w.Snapshot().Document(path)
		var es text.Edits
		if ok && !was.Base.Equal(t) { // comparing texts can be slow: not under the lock
			es = text.Diff(was.Base.String(), t.String())
		}
		done := false
		did := w.now(func(tx *tx) Result {
			d := tx.st.docs[path]
			if ok != (d != nil) || ok && d.Base != was.Base {
				return Result{} // it moved meanwhile: compare again
			}
			done = true
			if !ok {
				tx.add(&Document{Path: path, Name: name, Base: t, Version: version, Open: open})
				return Result{}
			}
			d = tx.doc(path)
			d.Version, d.Open, d.Missing = version, open, false
			tx.userText(d, es)
			d.Base = t // the BOM and the like are facts of the new text
			return Result{}
		})
		if done {
			return did.record()
		}
	}
}

// CloseDocument tells that no editor has the document any more; its text is the
// disk's from now on, to be fed in with OpenDocument.
func (w *Workspace) CloseDocument(path string) {
	w.now(func(tx *tx) Result {
		if d := tx.doc(path); d != nil {
			d.Open, d.Version = false, 0
		}
		return Result{}
	})
}

// Lose tells that a closed file is gone from the disk. Its changes are held as
// conflicts and heal when it comes back.
func (w *Workspace) Lose(path string) Record {
	return w.now(func(tx *tx) Result {
		if d := tx.doc(path); d != nil && !d.Missing {
			tx.userText(d, wholeEdit(d.Base, ""))
			d.Missing = true
		}
		return Result{}
	}).record()
}

func wholeEdit(t text.Text, s string) text.Edits {
	if t.Len() == 0 && s == "" {
		return nil
	}
	return text.Edits{{Start: 0, End: t.Len(), New: s}}
}

// Update is the user's typing: edits in the order they happened, each in the
// text that the one before left. It answers the record of what the text decided
// (conflict, healed, undone, typed), which is empty for most; an edit outside the text is refused whole.
// Updates of one document come one after the other.
func (w *Workspace) Update(path string, version int32, edits []text.Edit) (Record, error) {
	for {
		was, ok := w.Snapshot().Document(path)
		if !ok {
			return Record{}, ErrUnknownDocument
		}
		es, err := sequence(was.Base, edits)
		if err != nil {
			return Record{}, err
		}
		es = es.Trim(was.Base)
		done := false
		fine := finer(was.Base, es) // comparing texts can be slow: not under the lock
		did := w.now(func(tx *tx) Result {
			if d := tx.st.docs[path]; d == nil || d.Base != was.Base {
				return Result{}
			}
			done = true
			d := tx.doc(path)
			d.Version = version
			tx.rebase(d, es, fine)
			return Result{}
		})
		if done {
			return did.decidedByText(), nil
		}
	}
}

// sequence composes edits that follow one another into edits of t.
func sequence(t text.Text, edits []text.Edit) (text.Edits, error) {
	var all text.Edits
	n := t.Len()
	for _, e := range edits {
		one := text.Edits{e}
		if err := one.Validate(n); err != nil {
			return nil, err
		}
		n += one.Delta()
		all = text.Compose(all, one)
	}
	return all, nil
}

// userText moves d over the user's edits of its base and decides what they mean.
func (t *tx) userText(d *Document, es text.Edits) {
	es = es.Trim(d.Base)
	t.rebase(d, es, es)
}

// rebase is userText for edits that are cut finer already.
func (t *tx) rebase(d *Document, es, fine text.Edits) {
	if len(es) == 0 {
		return
	}
	t.based(d.Path, es)
	if t.recognise(d, es) {
		return
	}
	for _, e := range slices.Backward(fine) {
		d.userEdit(e)
	}
	t.settle(d)
}

// finer cuts edits that replace several lines by several into the edits they
// really are: editors send whole documents, and formatters whole files.
func finer(t text.Text, es text.Edits) text.Edits {
	var out text.Edits
	for _, e := range es {
		old := t.Slice(e.Start, e.End)
		if !multiline(old) || !multiline(e.New) {
			out = append(out, e)
			continue
		}
		for _, f := range text.Diff(old, e.New) {
			out = append(out, text.Edit{Start: e.Start + f.Start, End: e.Start + f.End, New: f.New})
		}
	}
	return out
}

func multiline(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '\n' {
			return true
		}
	}
	return false
}

// recognise looks whether the user's edits are exactly the taking in, the undo or
// the redo of changes: then the text says so, and the other changes move with
// them byte for byte.
func (t *tx) recognise(d *Document, es text.Edits) bool {
	for _, set := range d.togglable(es) {
		edits := toggleEdits(set)
		if edits.Delta() != es.Delta() || edits.Validate(d.Base.Len()) != nil {
			continue
		}
		if want := mustApply(d.Base, es); !mustApply(d.Base, edits).Equal(want) {
			continue
		}
		t.toggle(d, set, edits)
		return true
	}
	return false
}

// togglable returns the sets of changes whose toggling the edits may be: those
// being applied; one change; all touched that are applied (one undo step); all
// touched that were applied before (one redo step).
func (d *Document) togglable(es text.Edits) [][]*Change {
	var applying, undo, redo, one []*Change
	for _, c := range d.changes {
		if c.State == Applying {
			applying = append(applying, c)
		}
		if !c.near(es) {
			continue
		}
		switch {
		case c.State == Applied && c.intact(d.Base):
			undo, one = append(undo, c), append(one, c)
		case c.State == Staged:
			one = append(one, c)
			if c.Took {
				redo = append(redo, c)
			}
		case c.State == Applying:
			one = append(one, c)
		}
	}
	var sets [][]*Change
	for _, s := range [][]*Change{applying, undo, redo} {
		if len(s) > 0 {
			sets = append(sets, s)
		}
	}
	for _, c := range one {
		sets = append(sets, []*Change{c})
	}
	return sets
}

func (c *Change) near(es text.Edits) bool {
	for _, h := range c.Hunks {
		for _, e := range es {
			if e.Start <= h.End+len(h.Old)+len(h.New) && h.Start <= e.End+len(h.Old)+len(h.New) {
				return true
			}
		}
	}
	return false
}

// intact reports whether an applied change reads as the agent wrote it.
func (c *Change) intact(base text.Text) bool {
	for _, h := range c.Hunks {
		if base.Slice(h.Start, h.End) != h.New {
			return false
		}
	}
	return true
}

// piece is one hunk of a toggled change with the edit that toggles it.
type piece struct {
	c *Change
	i int
	e text.Edit
}

func (p piece) rank() int { return p.c.Hunks[p.i].Rank }

func pieces(set []*Change) []piece {
	var ps []piece
	for _, c := range set {
		es := c.Edits()
		if c.State == Applied {
			es = c.undoEdits()
		}
		for i, e := range es {
			ps = append(ps, piece{c, i, e})
		}
	}
	slices.SortStableFunc(ps, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.e.Start, b.e.Start), cmp.Compare(a.e.End, b.e.End), cmp.Compare(a.rank(), b.rank()))
	})
	return ps
}

func toggleEdits(set []*Change) text.Edits {
	var es text.Edits
	for _, p := range pieces(set) {
		es = append(es, p.e)
	}
	return joinPoints(es)
}

// toggle takes a set of changes into the base, or out of it, by exactly edits.
func (t *tx) toggle(d *Document, set []*Change, edits text.Edits) {
	ps := pieces(set)
	d.shiftOthers(set, ps)
	delta := 0
	for _, p := range ps {
		h := &p.c.Hunks[p.i]
		h.Start = p.e.Start + delta
		h.End = h.Start + len(p.e.New)
		h.Held, h.Place = false, nil
		delta += len(p.e.New) - (p.e.End - p.e.Start)
	}
	d.Base = mustApply(d.Base, edits)
	for _, c := range set {
		if c.State == Applied {
			t.back(d, c)
			continue
		}
		t.taken(c)
	}
	t.settle(d)
}

// taken marks a change as applied, because the text says so.
func (t *tx) taken(c *Change) {
	if c.State == Applying {
		c.Took = true
	}
	if !c.Took {
		c.By = "you"
	}
	t.move(c, Applied, c.Verdict)
}

// shiftOthers moves the changes outside set over the toggled pieces. Staged
// letters are disjoint from them, so that no line rule applies.
func (d *Document) shiftOthers(set []*Change, ps []piece) {
	base := d.Base
	for _, p := range slices.Backward(ps) {
		for _, c := range d.changes {
			if slices.Contains(set, c) {
				continue
			}
			c.over(base, p.e, text.Edit{Start: p.e.Start, End: p.e.End}, func(h *Hunk, _ text.Text, e text.Edit) bool {
				return h.pass(e, h.Rank < p.rank())
			})
		}
		base = mustApply(base, text.Edits{p.e})
	}
}

// pass moves a staged hunk over a piece of another letter. first says that it
// goes before the other where both insert at one point. It reports an overlap.
func (h *Hunk) pass(e text.Edit, first bool) bool {
	point := h.Old == "" && e.Start == e.End && e.Start == h.End
	switch {
	case point && first:
	case h.Old == "" && !point && e.End <= h.End && e.Start < h.End:
		h.beside(e)
	case e.End <= h.Start || point:
		h.shift(e)
	case e.Start >= h.End:
	default:
		return true
	}
	return false
}
