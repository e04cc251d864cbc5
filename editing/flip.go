package editing

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

// This file knows when a text says that a change was taken in, undone or redone.

// recognise looks whether the user's edits are the taking in, the undo or the
// redo of changes, and nothing else: then the text says so, which is a decision, and
// the other changes move with them byte for byte.
func (t *tx) recognise(d *Document, es text.Edits, sets [][]*Change) bool {
	for _, set := range sets {
		edits := flipEdits(set)
		if edits.Delta() != es.Delta() || edits.Validate(d.Base.Len()) != nil {
			continue
		}
		want := mustApply(d.Base, es)
		switch {
		case !mustApply(d.Base, edits).Equal(want):
			continue
		case set[0].asked():
			t.flip(d, set, edits)
		case !d.turns(set, want, es):
			continue
		case set[0].State == Conflict: // over the user's text again
			t.flip(d, set, edits)
		default:
			t.turn(d, set, es)
		}
		return true
	}
	return false
}

// turn edits the text, which says by itself that a set of changes was undone, or redone.
func (t *tx) turn(d *Document, set []*Change, es text.Edits) {
	applied := set[0].State == Applied
	t.userEdits(d, es)
	if !slices.ContainsFunc(set, func(c *Change) bool { return (c.State == Applied) == applied }) {
		t.letStand(d, ownersOf(set))
	}
}

// turns reports whether the text alone says that a set of changes was undone, or redone.
// Of an emptied text nothing is read, and what one key does is typing.
func (d *Document) turns(set []*Change, want text.Text, es text.Edits) bool {
	return d.Base.Len() > 0 && want.Len() > 0 && !oneKey(d.Base, es) && !slices.ContainsFunc(set, func(c *Change) bool {
		if c.last == nil || c.Covered {
			return true
		}
		f := c.last.after(es).look(want, d.beside(c, c.last.ground))
		w := Change{last: c.last, over: c.over.after(es)}
		return f.evidence != turned || c.State == Applied && w.letGo(want, f).evidence == turned
	})
}

// oneKey reports whether edits put in or take out one character.
func oneKey(t text.Text, es text.Edits) bool {
	return len(es) == 1 && utf8.RuneCountInString(text.Unix(t.Slice(es[0].Start, es[0].End)+es[0].New)) <= 1
}

// recogniseBeside does so for changes that an editor was asked to apply, and edits that do more
// than that elsewhere, on the same lines too.
func (t *tx) recogniseBeside(d *Document, es text.Edits, sets [][]*Change) bool {
	for _, set := range sets {
		edits := flipEdits(set)
		if !set[0].asked() {
			continue
		}
		if edits.Validate(d.Base.Len()) != nil {
			continue
		}
		rest, ok := besides(d.Base, edits, es)
		if !ok {
			continue
		}
		t.flip(d, set, edits)
		t.userEdits(d, rest)
		return true
	}
	return false
}

// besides returns what edits es of t do besides edits, in the text that those
// leave. ok is false if they do not leave that text as edits wrote it: then es do
// not contain them. A place where text only went proves nothing: it may have
// moved, or stand beside it still.
func besides(t text.Text, edits, es text.Edits) (text.Edits, bool) {
	undo := edits.Invert(t)
	if slices.ContainsFunc(undo, func(w text.Edit) bool { return w.Start == w.End }) {
		return nil, false
	}
	mid := mustApply(t, edits)
	var rest text.Edits
	for _, e := range effective(mid, text.Compose(undo, es).Trim(mid)) {
		old := mid.Slice(e.Start, e.End)
		if old == "" || e.New == "" {
			rest = append(rest, e)
			continue
		}
		for _, f := range text.Diff(old, e.New) {
			rest = append(rest, text.Edit{Start: e.Start + f.Start, End: e.Start + f.End, New: f.New})
		}
	}
	for _, w := range undo { // the places that edits wrote
		for _, e := range rest {
			touch := e.Start <= w.End && e.End >= w.Start
			apart := e.Start == e.End && (e.Start == w.End && startsLine(e.New) || e.End == w.Start && endsLine(e.New))
			if touch && !apart { // on doubt, no
				return nil, false
			}
		}
	}
	return rest, true
}

// flippable returns the sets of changes whose flipping the edits may be: those
// being applied; all touched that are applied (one undo step); all touched that
// were applied before (one redo step), over the user's text or not; each of these alone.
func (d *Document) flippable(es text.Edits) [][]*Change {
	var applying, undo, redo, over, one []*Change
	for c := range d.lineChanges() {
		if c.State == Applying {
			applying = append(applying, c)
		}
		if !c.near(es) {
			continue
		}
		switch {
		case c.State == Applied && c.last != nil && c.last.applied && c.says == kept && c.Intact(d.Base):
			undo, one = append(undo, c), append(one, c)
		case c.State == Staged && c.Took:
			redo, one = append(redo, c), append(one, c)
		case c.State == Conflict && c.Took: // it was taken over the user's text
			over, one = append(over, c), append(one, c)
		case c.State == Staged && c.Late:
			one = append(one, c)
		case c.State == Applying:
			one = append(one, c)
		}
	}
	var sets [][]*Change
	for _, s := range [][]*Change{applying, undo, redo, over} {
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

// Intact reports whether an applied change reads as the agent wrote it.
func (c *Change) Intact(base text.Text) bool {
	for _, h := range c.Hunks {
		if base.Slice(h.Start, h.End) != h.New {
			return false
		}
	}
	return true
}

// piece is one hunk of a flipped change with the edit that flips it.
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
			es = c.UndoEdits()
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

func flipEdits(set []*Change) text.Edits { return editsOf(pieces(set)) }

func editsOf(ps []piece) text.Edits {
	var es text.Edits
	for _, p := range ps {
		es = append(es, p.e)
	}
	return joinPoints(es)
}

// intoText puts the hunks of pieces to where their edits write.
func intoText(ps []piece) {
	delta := 0
	for _, p := range ps {
		h := &p.c.Hunks[p.i]
		h.Start = p.e.Start + delta
		h.End = h.Start + len(p.e.New)
		h.Held, h.Place = false, nil
		delta += p.e.Delta()
	}
	for _, p := range ps {
		p.c.Hunks = sorted(p.c.Hunks)
	}
}

// flip takes a set of changes into the base, or out of it, by exactly edits.
func (t *tx) flip(d *Document, set []*Change, edits text.Edits) {
	before := d.Base
	t.based(d.Path, edits)
	d.founded(ownersOf(set))
	if set[0].State != Applied {
		t.makeWay(d, set)
		d.yield(set)
	}
	ps := pieces(set)
	still := d.passOthers(set, ps)
	for _, c := range set {
		c.taking(before)
	}
	intoText(ps)
	d.Base = mustApply(before, edits)
	on := newGround(d.Base)
	for _, c := range d.changes {
		switch {
		case c.file():
		case slices.Contains(set, c):
			c.stand(on, c.State != Applied)
		case slices.Contains(still, c):
			c.stand(on, c.State == Applied)
		case c.last != nil:
			c.last = c.last.after(edits)
		}
		c.over = c.over.after(edits)
	}
	for _, c := range set {
		if c.State == Applied {
			t.back(c)
			continue
		}
		t.taken(c)
	}
	t.flips = true
	t.reconcile(d)
	t.part(d)
	t.letStand(d, ownersOf(set))
	t.flips = false
}

// makeWay parts the letters that wait from those that are taken in now.
func (t *tx) makeWay(d *Document, set []*Change) {
	var was []ChangeState
	for _, c := range set {
		was = append(was, c.State)
		c.State = Applying
	}
	t.part(d)
	for i, c := range set {
		c.State = was[i]
	}
}

func ownersOf(cs []*Change) map[string]bool {
	out := map[string]bool{}
	for _, c := range cs {
		out[c.Owner] = true
	}
	return out
}

// taking notes, before a change is taken in, what an undo would bring back: over a
// conflict the user's text, and the conflict.
func (c *Change) taking(base text.Text) {
	if c.State == Applied || !c.held() {
		return
	}
	c.over = c.last
	for i := range c.Hunks {
		if h := &c.Hunks[i]; h.Held {
			h.Old = base.Slice(h.Start, h.End)
		}
	}
}

// back makes a change wait again that a decision has taken out of the text: as it was
// before, in conflict or staged.
func (t *tx) back(c *Change) {
	d := t.followFile(c, c.from())
	if c.over != nil {
		c.last, c.over = c.over, nil
	}
	t.move(c, Staged, "")
	t.bringBack(d, c)
}

// taken marks a change as applied, because the text says so.
func (t *tx) taken(c *Change) {
	if c.State == Applying || c.Late {
		c.Took = true
	}
	if !c.Took {
		c.By = "you"
	}
	t.followFile(c, c.to())
	t.move(c, Applied, c.Verdict)
}

// passOthers moves the changes outside set over the flipped pieces: staged letters are
// disjoint from them, so that no line rule applies. It returns those that stand, and
// will.
func (d *Document) passOthers(set []*Change, ps []piece) []*Change {
	var still []*Change
	for c := range d.lineChanges() {
		if slices.Contains(set, c) {
			continue
		}
		stood := c.last != nil && len(c.last.ground.edits) == 0 && c.last.applied == (c.State == Applied) && !c.held()
		if touched := c.pass(ps); !touched && stood {
			still = append(still, c)
		}
	}
	return still
}

// pass moves the hunks of a change over pieces of other letters. It reports whether
// they overlap.
func (c *Change) pass(ps []piece) bool {
	touched := false
	for i := range c.Hunks {
		h := &c.Hunks[i]
		for _, p := range slices.Backward(ps) {
			point := c.State != Applied && h.Old == "" && p.e.Start == p.e.End && p.e.Start == h.End
			touched = h.pass(p.e, point, h.Rank < p.rank()) || touched
		}
	}
	c.Hunks = apart(sorted(c.Hunks))
	return touched
}

// pass moves a hunk over a piece of another letter. point says that both would insert
// at one point, first that the hunk then goes before the other. It reports an overlap.
func (h *Hunk) pass(e text.Edit, point, first bool) bool {
	n := len(e.New) - (e.End - e.Start)
	switch {
	case point && first || e.Start >= h.End && !point:
		return false
	case e.End <= h.Start || point:
		h.Start, h.End = h.Start+n, h.End+n
		return false
	}
	one := text.Edits{e}
	h.Start, h.End = one.Map(h.Start, false), one.Map(h.End, true)
	return true
}
