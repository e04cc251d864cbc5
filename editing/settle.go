package editing

import (
	"cmp"
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// This file makes of what a text says of a change, and of what was decided about
// it, its state.

// settle decides the state of every change of d that the text has touched.
func (t *tx) settle(d *Document) {
	looked := false
	for c := range d.lineChanges() {
		if c.last != nil || d.Gone() {
			looked = true
			t.decide(d, c, c.effect().look(t, d, c))
		}
	}
	if looked {
		t.part(d)
	}
}

// look finds out what the base says of a change that did not stay where it stood.
func (c *Change) look(base text.Text) finding {
	f := c.last.look(base)
	if !c.asked() || c.last.applied || f.evidence == turned {
		return f
	}
	if g, ok := c.last.arrived(base); ok { // it must not be put in twice
		g.evidence = turned
		return g
	}
	return f
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
		t.back(c)
	case c.State == Applying && c.held():
		c.Hunks = f.hunks
	}
}

func (t *tx) decideOpen(d *Document, c *Change, f finding) {
	switch f.evidence {
	case kept:
		if c.State == Conflict {
			if c.Clash = c.Clash || c.Yields; c.Clash { // see part
				return
			}
		}
		c.place(f)
		t.become(c, Staged)
	case turned:
		c.Hunks = f.hunks
		if c.State == Applied {
			return
		}
		if t.taken(c); c.By == "" {
			c.last = nil
		}
	default:
		c.Hunks, c.Clash = f.hunks, false
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
func (t *tx) back(c *Change) {
	yields := c.Yields
	d := t.followFile(c, c.from())
	c.last, c.over = c.over, nil
	t.move(c, Staged, "")
	c.Yields = yields
	t.bringBack(d, c)
}

// bringBack makes of a change that is not in the text what the text says of it.
func (t *tx) bringBack(d *Document, c *Change) {
	f := c.effect().look(t, d, c)
	if f.evidence == turned && c.State == Rejected { // the user wrote it themself meanwhile
		t.move(c, Staged, "")
	}
	t.decideOpen(d, c, f)
	t.part(d)
}

// yield lets what comes back by a decision yield to the letters that wait, so that each
// of these can be taken, in any order.
func (d *Document) yield(set []*Change) {
	for _, c := range d.changes {
		c.Yields = c.Yields || c.State != Staged && !slices.Contains(set, c)
	}
}

func (d *Document) yielded() {
	for _, c := range d.changes {
		c.Yields = c.Yields && c.Clash
	}
}

// part keeps letters out of each other: of those that have come to lie on one another
// the ones staged later wait in conflict until the earlier are decided, or go elsewhere.
func (t *tx) part(d *Document) {
	if d.Gone() {
		return
	}
	var beside, open []*Change
	for _, c := range d.changes {
		switch {
		case c.State == Applying, c.State == Staged && c.file():
			beside = append(beside, c)
		case c.State == Staged || c.State == Conflict && c.Clash:
			open = append(open, c)
		}
	}
	slices.SortFunc(open, func(a, b *Change) int {
		if a.Yields != b.Yields {
			return cmp.Compare(yielding(a), yielding(b))
		}
		return cmp.Compare(a.Order, b.Order)
	})
	for _, c := range open {
		f := finding{hunks: c.Hunks}
		if c.Clash {
			f = c.last.look(d.Base)
		}
		if f.evidence != kept {
			continue
		}
		if slices.ContainsFunc(beside, func(o *Change) bool { return rivals(o, c) || clash(o.Hunks, f.hunks) }) {
			t.hold(d, c, f.hunks)
			continue
		}
		beside = append(beside, c)
		if c.Clash {
			c.place(f)
			t.move(c, Staged, "")
		}
	}
}

func yielding(c *Change) int {
	if c.Yields {
		return 1
	}
	return 0
}

// hold makes a conflict of a change that stands where another letter has come to lie.
func (t *tx) hold(d *Document, c *Change, at []Hunk) {
	if !c.Clash {
		c.last = &standing{text: d.Base, hunks: slices.Clone(at), since: &course{}}
	}
	c.Hunks, c.Clash = slices.Clone(at), true
	for i := range c.Hunks {
		h := &c.Hunks[i]
		p := placeOf(d.Base, *h)
		h.Held, h.Place = true, &p
	}
	t.become(c, Conflict)
}

// clash reports whether two changes would write over the same text. Two insertions at one
// point do not: their rank tells which goes first.
func clash(hs, gs []Hunk) bool {
	for len(hs) > 0 && len(gs) > 0 {
		a, b := hs[0].edit(), gs[0].edit()
		if a.Start < b.End && a.End > b.Start {
			return true
		}
		if a.Start < b.Start || a.Start == b.Start && a.End < b.End {
			hs = hs[1:]
		} else {
			gs = gs[1:]
		}
	}
	return false
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
