package editing

import (
	"iter"
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// effect is all that differs from kind to kind of a change. To letters, states,
// decisions and the journal, changes of lines and of whole files are the same.
type effect interface {
	// look finds out what the user's files say of the change: of lines, by the text;
	// of a whole file, by which files there are, and what they hold.
	look(t *tx, d *Document, c *Change) finding
	// unfit answers why the change cannot be taken in together with others.
	unfit(t *tx, d *Document, c *Change, with []*Change) *Result
	// do takes changes of one document into the files on the disk.
	do(t *tx, d *Document, set []*Change)
	// undo takes an applied change, of an open or a closed editing session, out of the
	// files on the disk. It answers false where the user has been there since.
	undo(t *tx, d *Document, c *Change) bool
	// describe adds to the copy for a record what finds the change again.
	describe(c *Change, base text.Text)
}

func (c *Change) effect() effect {
	if c.file() {
		return fileEffect{}
	}
	return lineEffect{}
}

// lineChanges are the changes of a document's lines. Those of the whole file go by what
// there is, see reconcileTree.
func (d *Document) lineChanges() iter.Seq[*Change] {
	return func(yield func(*Change) bool) {
		for _, c := range d.changes {
			if !c.file() && !yield(c) {
				return
			}
		}
	}
}

// lineEffect is the effect of a change of lines.
type lineEffect struct{}

func (lineEffect) look(t *tx, d *Document, c *Change) finding {
	f := t.find(d, c)
	if d.Gone() { // whatever an empty text would say of it
		f.evidence = neither
	}
	return f
}

func (lineEffect) unfit(_ *tx, d *Document, c *Change, _ []*Change) *Result {
	var r Result
	err := flipEdits([]*Change{c}).Validate(d.Base.Len())
	switch {
	case d.Gone():
		r = refuse("state", "%s is not there any more, so change %s cannot be taken in; it waits for the file to come back. Reject it, or have the agent write the file again", c.Name, c.Letter)
	case err != nil:
		r = refuse("state", "change %s does not fit the text of %s any more (%v); reject it, or ask the agent again", c.Letter, c.Name, err)
	default:
		return nil
	}
	return &r
}

func (lineEffect) do(t *tx, d *Document, set []*Change) {
	for _, c := range set {
		c.Took = true
	}
	if edits := flipEdits(set); edits.Validate(d.Base.Len()) == nil {
		t.flipClosed(d, set, edits)
		return
	}
	for _, c := range set { // two conflicts over one place: one after the other
		one := []*Change{c}
		t.flipClosed(d, one, flipEdits(one))
	}
}

// flipClosed flips changes in a file that no editor has open.
func (t *tx) flipClosed(d *Document, set []*Change, edits text.Edits) {
	at, before := fileName{d.Path, d.Name}, d.Base
	t.flip(d, set, edits)
	t.becomes(fate{at, at, before, d.Base, nil})
}

func (lineEffect) undo(t *tx, d *Document, c *Change) bool {
	if d.bears(c) {
		set, at, before := []*Change{c}, fileName{d.Path, d.Name}, d.Base
		if !c.Intact(before) {
			return false
		}
		if edits := flipEdits(set); !t.recognise(d, edits, [][]*Change{set}) {
			t.flip(d, set, edits)
		}
		t.becomes(fate{at, at, before, d.Base, nil})
		return true
	}
	w, ok := c.found(d.Base)
	if !ok || d.Gone() {
		return false
	}
	at, before := fileName{d.Path, d.Name}, d.Base
	t.userEdits(d, w.UndoEdits())
	t.becomes(fate{at, at, before, d.Base, nil})
	return true
}

// bears reports whether a change is the document's, and not one of a closed editing
// session.
func (d *Document) bears(c *Change) bool { return slices.Contains(d.changes, c) }

// found is a closed change that was applied where its text stands in base, by its
// lines.
func (c *Change) found(base text.Text) (*Change, bool) {
	w := c.clone()
	same := c.BaseHash == base.Hash().String()
	for i := range w.Hunks {
		h := &w.Hunks[i]
		if from, to, ok := h.Place.locate(base); !same && ok {
			h.put(base, from, to)
		} else if !same {
			return nil, false
		}
		if h.End > base.Len() || base.Slice(h.Start, h.End) != h.New {
			return nil, false
		}
	}
	return w, w.UndoEdits().Validate(base.Len()) == nil
}

func (lineEffect) describe(c *Change, base text.Text) {
	for i := range c.Hunks {
		if h := &c.Hunks[i]; !h.Held {
			p := h.describe(base, c.WasApplied())
			h.Place = &p
		}
	}
}
