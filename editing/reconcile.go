package editing

import (
	"cmp"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file makes of what a text says of a change, and of what was decided about
// it, its state.

// reconcile decides the state of every change of d.
func (t *tx) reconcile(d *Document) {
	t.looked = map[*standing]finding{}
	defer func() { t.looked = nil }()
	looked, on := false, (*ground)(nil)
	for c := range d.lineChanges() {
		if c.last != nil && on == nil {
			on = c.last.ground
		}
		if looked = looked || c.last == nil || c.last.ground != on; d.Gone() || !c.unmoved(d.Base) {
			looked = true
			t.decide(d, c, c.effect().look(t, d, c))
		}
	}
	if looked {
		t.part(d)
	}
}

// unmoved puts a change to its place whose lines nothing has touched since it stood,
// if that is its state already.
func (c *Change) unmoved(base text.Text) bool {
	if c.last == nil || c.says != kept || c.State == Conflict || c.asked() || c.held() || c.last.applied != (c.State == Applied) {
		return false
	}
	if !c.inForm() || c.last.touched(base) { // in another form it may lie on another letter
		return false
	}
	l := c.last.ground.sight(base, c.last.bare())
	at := c.Hunks[:0] // c is a copy
	for _, g := range c.last.own {
		at = l.at(at, g, kept, l.shifted(g.start))
	}
	f := finding{evidence: kept, hunks: l.formed(at)}
	whole := len(at) > 0 && at[len(at)-1].End <= base.Plain().Len()
	if whole {
		c.last.inBase(base, f)
	}
	c.Hunks = f.hunks
	return whole && c.inForm()
}

// inForm reports whether the hunks have the form that they stood in: see fits.
func (c *Change) inForm() bool {
	return slices.EqualFunc(c.Hunks, c.last.hunks, func(a, b Hunk) bool { return a.Old == b.Old && a.New == b.New })
}

// find finds out what the base says of a change.
func (t *tx) find(d *Document, c *Change) finding {
	if c.last == nil {
		return finding{hunks: c.Hunks}
	}
	peers := d.beside(c, c.last.ground)
	f := t.look(d, c)
	if f.evidence != turned && c.last.touched(d.Base) {
		if g := c.last.beyond(d.Base, t.turnedOn(d, c.last.ground), peers); g.evidence != neither {
			f = g
		}
	}
	if !t.typed || !c.asked() || c.last.applied || f.evidence == turned {
		return f
	}
	if f.evidence == kept && slices.ContainsFunc(c.last.hunks, func(h Hunk) bool { return h.New == "" }) {
		return f // what is there still has not gone
	}
	if g, ok := c.last.arrived(d.Base, peers); ok { // it must not be put in twice
		g.evidence = turned
		return g
	}
	return f
}

// look is what the base says of a change by itself.
func (t *tx) look(d *Document, c *Change) finding {
	f, ok := t.looked[c.last]
	if !ok {
		f = c.last.look(d.Base, d.beside(c, c.last.ground))
		if t.looked != nil {
			t.looked[c.last] = f
		}
	}
	return f
}

// turnedOn are those that stood on a ground and that the base says are turned.
func (t *tx) turnedOn(d *Document, on *ground) (out []*standing) {
	for c := range d.lineChanges() {
		if c.last != nil && c.last.ground == on && c.last.touched(d.Base) && t.look(d, c).evidence == turned {
			out = append(out, c.last)
		}
	}
	return out
}

// open reports whether nobody has decided about the change: the text alone says
// what it is.
func (c *Change) open() bool {
	return c.State != Rejected && c.State != Applying && (c.last == nil && c.State != Applied || c.last != nil && !c.last.applied)
}

// decide is the table of docs/rebase.md: decision × evidence.
func (t *tx) decide(d *Document, c *Change, f finding) {
	c.says = f.evidence
	switch {
	case c.open():
		t.decideOpen(d, c, f)
	case c.State == Rejected && f.evidence == kept && !f.anew, c.State == Applying && f.evidence == kept, c.State == Applying && f.evidence == neither && c.held():
		c.Hunks = f.hunks
	case c.State == Applying && f.evidence == turned:
		t.arrive(d, c, f)
	case c.State == Rejected || c.State == Applying:
		c.regions(f, d.Base.Len())
	case f.evidence == turned && !t.flips && !c.Covered && t.undone(d, c, f):
	default:
		t.become(c, Applied)
		if c.regions(f, d.Base.Len()); f.evidence == kept {
			c.Hunks = f.hunks
		}
		c.Covered = c.Covered || t.flips && f.evidence == turned // by another letter: that is no undo
	}
}

// arrive takes a change in that an editor was asked to put into its text.
func (t *tx) arrive(d *Document, c *Change, f finding) {
	if c.held() {
		c.over = c.last
	}
	c.Hunks = f.hunks
	t.taken(c)
	c.stand(newGround(d.Base), true)
}

// undone makes an applied change wait that the text has let go: as it was before, in
// conflict or staged. It reports whether that is so.
func (t *tx) undone(d *Document, c *Change, f finding) bool {
	if c.file() {
		t.back(c)
		return true
	}
	if f = c.letGo(d.Base, f); f.evidence == turned { // it reads in both ways
		return false
	}
	t.decideOpen(d, c, f)
	return true
}

// letGo is what the base says of a change as it was before it was applied, where it says
// that it is not any more.
func (c *Change) letGo(base text.Text, f finding) finding {
	switch {
	case c.last == nil || !c.last.applied || f.evidence != turned:
	case c.over != nil:
		return c.over.look(base, nil)
	default:
		f.evidence = kept
	}
	return f
}

// regions puts the hunks of a change as it stood to their regions in one of n bytes,
// with the texts that they had.
func (c *Change) regions(f finding, n int) {
	if c.last == nil {
		return
	}
	c.Hunks = slices.Clone(c.last.hunks)
	for i := range c.Hunks {
		h, at := &c.Hunks[i], f.hunks[min(i, len(f.hunks)-1)]
		h.Start, h.End = min(at.Start, n), min(at.End, n)
		if i >= len(f.hunks) {
			h.Start = h.End
		}
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
		c.Hunks = f.hunks
		t.become(c, Staged)
	case turned:
		if c.asked() {
			t.arrive(d, c, f)
			return
		}
		c.Hunks = f.hunks
		if c.State != Applied {
			t.taken(c)
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

// bringBack makes of a change that is not in the text what the text says of it.
func (t *tx) bringBack(d *Document, c *Change) {
	f := c.effect().look(t, d, c)
	if f.evidence == turned && c.State == Rejected { // the user wrote it themself meanwhile
		t.move(c, Staged, "")
	}
	c.says = f.evidence
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
			f = c.letGo(d.Base, t.find(d, c))
		}
		if f.evidence != kept {
			continue
		}
		if slices.ContainsFunc(beside, func(o *Change) bool { return rivals(o, c) || !f.fits(d.Base, o) }) {
			t.hold(d, c, f.hunks)
			continue
		}
		beside, c.Hunks = append(beside, c), f.hunks
		if c.Clash {
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
	c.Hunks, c.Clash = slices.Clone(at), true
	for i := range c.Hunks {
		h := &c.Hunks[i]
		p := placeOf(d.Base, *h)
		h.Held, h.Place = true, &p
	}
	t.become(c, Conflict)
}

// fits reports whether what was found does not clash with another change that waits. New
// lines share no line break with lines that go: either may stand behind it.
func (f *finding) fits(base text.Text, o *Change) bool {
	switch theirs, ours := slidAll(base, o.Hunks), slidAll(base, f.hunks); {
	case !clash(o.Hunks, f.hunks):
	case o.State == Staged && !clash(theirs, f.hunks):
		o.Hunks = theirs
	case !clash(o.Hunks, ours):
		f.hunks = ours
	default:
		return false
	}
	return true
}

func slidAll(base text.Text, hs []Hunk) []Hunk {
	out := slices.Clone(hs)
	for i, h := range out {
		if s, ok := h.slid(base); ok && s.Start > h.Start {
			out[i] = s
		}
	}
	return out
}

// clash reports whether two changes would write over the same text. Two insertions at one
// point do not: their rank tells which goes first.
func clash(hs, gs []Hunk) bool {
	for len(hs) > 0 && len(gs) > 0 {
		a, b := hs[0].edit(), gs[0].edit()
		if a.Start < b.End && a.End > b.Start || seam(hs[0], gs[0]) || seam(gs[0], hs[0]) {
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

// seam reports whether what g brings would make one line break of a lone \r that h takes.
func seam(h, g Hunk) bool {
	return h.End == g.edit().Start && strings.HasSuffix(h.Old, "\r") && strings.HasPrefix(g.New, "\n")
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
