package editing

import (
	"cmp"
	"slices"
)

// This file makes of what a text says of a change, and of what was decided about
// it, its state.

// settle decides the state of every change of d that the text has touched.
func (t *tx) settle(d *Document) {
	for _, c := range d.changes {
		if !t.apart(d, c) && c.last != nil {
			t.decide(d, c, c.last.look(d.Base))
		}
	}
}

// open reports whether nobody has decided about the change: the text alone says
// what it is.
func (c *Change) open() bool {
	return c.State == Staged || c.State == Conflict || c.State == Applied && c.last != nil && !c.last.applied
}

// decide is the table of docs/rebase.md: decision × evidence.
func (t *tx) decide(d *Document, c *Change, f finding) {
	switch {
	case c.open():
		t.decideOpen(d, c, f)
	case f.evidence == kept:
		c.place(f)
		if c.State == Applied {
			c.Settled = false
		}
	case f.evidence == turned && c.State == Applying:
		c.Hunks, c.last = f.hunks, nil
		t.taken(c)
	case f.evidence == turned && c.State == Applied && !c.Settled:
		c.Hunks = f.hunks
		t.back(d, c)
	case c.State == Applying && c.held():
		c.Hunks = f.hunks
	}
}

func (t *tx) decideOpen(d *Document, c *Change, f finding) {
	switch f.evidence {
	case kept:
		c.place(f)
		t.become(c, Staged)
		if !d.fits(c) {
			t.hold(d, c)
		}
	case turned:
		c.Hunks = f.hunks
		if c.State == Applied {
			return
		}
		if t.taken(c); c.By == "" {
			c.last = nil
		}
	default:
		c.Hunks = f.hunks
		t.become(c, Conflict)
	}
}

// become moves a change whose state the text says to that state.
func (t *tx) become(c *Change, to ChangeState) {
	if c.State == to {
		return
	}
	if !c.State.CanBecome(to) { // typed by the user, and no more
		t.move(c, Staged, "")
	}
	t.move(c, to, "")
}

// place puts a change where it stands.
func (c *Change) place(f finding) {
	c.Hunks = f.hunks
	if !f.near {
		c.last = nil
	}
}

// back makes an applied change wait again that the text has let go: as it was
// before, in conflict or staged.
func (t *tx) back(d *Document, c *Change) {
	c.last, c.over = c.over, nil
	t.move(c, Staged, "")
	t.bringBack(d, c)
}

// bringBack makes of a change that is not in the text what the text says of it.
func (t *tx) bringBack(d *Document, c *Change) {
	if c.file() {
		t.bringFileBack(d, c)
		return
	}
	f := finding{hunks: c.Hunks}
	if c.last != nil {
		f = c.last.look(d.Base)
	}
	if d.gone() {
		f.evidence = neither
	}
	if f.evidence == turned && c.State == Rejected { // the user wrote it themself meanwhile
		t.move(c, Staged, "")
	}
	t.decideOpen(d, c, f)
}

// hold makes a conflict of a change that stands where another letter has come to
// lie; it heals when that one goes.
func (t *tx) hold(d *Document, c *Change) {
	c.last, c.Clash = &standing{text: d.Base, hunks: slices.Clone(c.Hunks), since: &course{}}, true
	for i := range c.Hunks {
		h := &c.Hunks[i]
		p := placeOf(d.Base, *h)
		h.Held, h.Place = true, &p
	}
	t.become(c, Conflict)
}

// healConflicts brings back what only another letter kept from its place.
func (t *tx) healConflicts(d *Document) {
	for _, c := range d.changes {
		if c.State != Conflict || !c.Clash || d.gone() {
			continue
		}
		held := c.Hunks
		f := c.last.look(d.Base)
		c.Hunks = f.hunks
		if f.evidence != kept || !d.fits(c) {
			c.Hunks = held
			continue
		}
		c.place(f)
		t.move(c, Staged, "")
	}
}

// fits reports whether c, with its old text in place, is disjoint from every
// other letter that would be applied beside it.
func (d *Document) fits(c *Change) bool {
	for _, o := range d.changes {
		if o == c || o.State != Staged && o.State != Applying {
			continue
		}
		if rivals(o, c) {
			return false
		}
		for _, h := range c.Hunks {
			for _, g := range o.Hunks {
				a, b := h.edit(), g.edit()
				if a.Start < b.End && a.End > b.Start || a.Start == b.Start && a.End == b.End {
					return false
				}
			}
		}
	}
	return true
}

// held reports whether a hunk of the change is held in a conflict.
func (c *Change) held() bool {
	return slices.ContainsFunc(c.Hunks, func(h Hunk) bool { return h.Held })
}

// sorted puts hunks in the order of the text.
func sorted(hs []Hunk) []Hunk {
	slices.SortStableFunc(hs, func(a, b Hunk) int {
		x, y := a.edit(), b.edit()
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End), cmp.Compare(a.Rank, b.Rank))
	})
	return hs
}
