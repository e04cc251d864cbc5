package editing

import (
	"cmp"
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// This file decides what the state of a change is, by what its text says.

// settle decides the state of every change of d by what its text says now.
func (t *tx) settle(d *Document) {
	for _, c := range d.changes {
		if t.apart(d, c) {
			continue
		}
		for i := range c.Hunks {
			c.Hunks[i].reunite(d.Base)
		}
		old, new := c.stands(d.Base)
		switch c.State {
		case Staged, Conflict:
			t.settleUndecided(d, c, old, new)
		case Applied:
			switch {
			case new:
				c.Settled = false
			case old && !c.Settled:
				t.back(d, c)
			}
		case Applying:
			if new {
				t.taken(c)
			}
		}
	}
}

func (t *tx) settleUndecided(d *Document, c *Change, old, new bool) {
	switch {
	case new:
		c.settleHunks()
		t.taken(c)
	case !old && c.State == Staged:
		t.move(c, Conflict, "")
	}
}

// back makes a change staged again that the text has let go: undone, or brought
// back. Where another letter has taken its place meanwhile, it is held.
func (t *tx) back(d *Document, c *Change) {
	c.heal(d.Base)
	t.move(c, Staged, "")
	if !d.fits(c) {
		c.holdHere(d.Base)
		t.move(c, Conflict, "")
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

// holdHere holds every hunk as a conflict over the text that stands there.
func (c *Change) holdHere(base text.Text) {
	for i := range c.Hunks {
		h := &c.Hunks[i]
		if !h.Held {
			p := placeOf(base, *h)
			h.Held, h.Place = true, &p
		}
	}
}

// reunite takes a held hunk back to its place where its lines stand again, whole
// and once, in what became of its region.
func (h *Hunk) reunite(base text.Text) {
	if !h.Held || h.Place == nil {
		return
	}
	mine := base.Slice(h.Start, h.End)
	if mine == h.Old || mine == h.New {
		return
	}
	at, ok := h.Place.within(mine)
	if !ok {
		return
	}
	back := h.Place.hunk(h.Start + at)
	if back.block(base).end <= h.Start+at+len(h.Place.Block) { // else something stands on its last line
		*h = back
	}
}

// healConflicts brings back what only another letter kept from its place.
func (t *tx) healConflicts(d *Document) {
	for _, c := range d.changes {
		if c.State != Conflict || c.file() || d.gone() {
			continue
		}
		if old, _ := c.stands(d.Base); old && d.heals(c) {
			t.move(c, Staged, "")
		}
	}
}

// stands reports whether every hunk's region holds its old text, or its new one.
func (c *Change) stands(base text.Text) (old, new bool) {
	old, new = true, true
	for _, h := range c.Hunks {
		mine := base.Slice(h.Start, h.End)
		new = new && mine == h.New
		if h.Old == "" && !h.Held && !c.decided() {
			continue // what the user typed at the place of an insertion stands beside it
		}
		old = old && mine == h.Old
	}
	return old, new && len(c.Hunks) > 0
}

// heals makes the hunks of c minimal again, if no other letter has taken their
// place meanwhile.
func (d *Document) heals(c *Change) bool {
	held := c.Hunks
	if c.heal(d.Base); d.fits(c) {
		return true
	}
	c.Hunks = held
	return false
}

// heal makes the hunks minimal again after a conflict or an undo.
func (c *Change) heal(base text.Text) {
	var out []Hunk
	for _, h := range c.Hunks {
		if !h.Held && base.Slice(h.Start, h.End) == h.Old && h.tight() {
			out = append(out, h)
			continue
		}
		for _, e := range text.Diff(h.Old, h.New) {
			out = append(out, Hunk{Start: h.Start + e.Start, End: h.Start + e.End, Old: h.Old[e.Start:e.End], New: e.New, Rank: h.Rank})
		}
	}
	c.Hunks = sorted(out)
}

// sorted puts hunks in the order of the text.
func sorted(hs []Hunk) []Hunk {
	slices.SortStableFunc(hs, func(a, b Hunk) int {
		x, y := a.edit(), b.edit()
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End), cmp.Compare(a.Rank, b.Rank))
	})
	return hs
}

// tight reports whether the two sides share neither beginning nor end.
func (h Hunk) tight() bool {
	if h.Old == "" || h.New == "" {
		return true
	}
	return h.Old[0] != h.New[0] && h.Old[len(h.Old)-1] != h.New[len(h.New)-1]
}

// settleHunks ends a conflict whose text decided for the agent's side.
func (c *Change) settleHunks() {
	for i := range c.Hunks {
		c.Hunks[i].Held, c.Hunks[i].Place = false, nil
	}
}
