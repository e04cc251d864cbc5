package editing

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// userEdit moves every change of d over one edit of the user's, and the base
// with it. States are decided afterwards, by settle.
func (d *Document) userEdit(e text.Edit) {
	// A hunk that neither ends on the edited lines nor begins behind them
	// directly cannot be touched: most hunks are done with two comparisons.
	near := text.Edit{Start: lineStart(d.Base, e.Start) - 2, End: lineEnd(d.Base, e.End) + 2}
	for _, c := range d.changes {
		if !c.file() {
			c.over(d.Base, e, near, (*Hunk).yield)
		}
	}
	d.Base = mustApply(d.Base, text.Edits{e})
}

// over moves the hunks of c over an edit. Hunks that the edit touches become one
// region that holds it, together with those that the region reaches.
//
// It reports whether there were any.
func (c *Change) over(base text.Text, e, near text.Edit, staged func(*Hunk, text.Text, text.Edit) bool) bool {
	was := c.Hunks
	touched := c.move(base, e, near, staged, true)
	if !inOrder(c.Hunks) {
		c.Hunks = was // a place came back inside the region of another hunk
		touched = c.move(base, e, near, staged, false)
	}
	return touched
}

// inOrder reports whether hunks are in order and apart.
func inOrder(hs []Hunk) bool {
	for i := 1; i < len(hs); i++ {
		if hs[i].edit().Start < hs[i-1].edit().End {
			return false
		}
	}
	return true
}

func (c *Change) move(base text.Text, e, near text.Edit, staged func(*Hunk, text.Text, text.Edit) bool, back bool) bool {
	var taken []int
	was := c.Hunks
	c.Hunks = make([]Hunk, len(was))
	for i, h := range was {
		touched := false
		switch {
		case h.Start > near.End:
			h.shift(e)
		case h.End < near.Start:
		case c.State == Applied || c.State == Rejected || c.State == Applying:
			touched = h.follow(base, e)
		case h.Held:
			touched = !(back && h.returns(base, e)) && h.yieldHeld(base, e)
		default:
			touched = staged(&h, base, e)
		}
		if touched {
			taken = append(taken, i)
		}
		c.Hunks[i] = h
	}
	if len(taken) > 0 {
		c.take(base, e, was, taken)
	}
	c.Hunks = sorted(c.Hunks)
	return len(taken) > 0
}

func (h *Hunk) shift(e text.Edit) {
	n := len(e.New) - (e.End - e.Start)
	h.Start += n
	h.End += n
}

// beside moves an insertion over an edit of what the user typed at its place, or
// of text before it.
func (h *Hunk) beside(e text.Edit) {
	n := len(e.New) - (e.End - e.Start)
	switch {
	case e.End <= h.Start:
		h.Start += n
	case e.Start < h.Start:
		h.Start = e.Start + len(e.New)
	}
	h.End += n
}

// yield moves a staged hunk over the user's edit, whose text stays as typed. It
// reports whether the edit touches a line that the hunk edits.
func (h *Hunk) yield(base text.Text, e text.Edit) bool {
	switch h.where(base, e) {
	case typed: // the user's own text, in front
		h.End += len(e.New) - (e.End - e.Start)
	case before:
		if h.Old == "" {
			h.beside(e)
		} else {
			h.shift(e)
		}
	case inside:
		if s, ok := h.slid(base); ok && s.where(base, e) != inside {
			*h = s
			return h.yield(base, e)
		}
		return true
	}
	return false
}

// yieldHeld: a hunk in conflict owns its region. At the edges an edit belongs to
// it where that brings one of its texts back, or flows into its lines.
func (h *Hunk) yieldHeld(base text.Text, e text.Edit) bool {
	switch {
	case h.absorbs(base, e, h.Old) || h.absorbs(base, e, h.New):
		return true
	case h.Start == h.End && e.Start == h.Start && e.End == h.Start: // what comes where the place was gone
		return true
	case e.End <= h.Start && (e.End < h.Start || endsOnLine(base, e) || atLineEnd(base, h.Start)):
		h.shift(e)
	case e.Start >= h.End && (e.Start > h.End || goesOnWithLine(base, e) || atLineStart(base, h.End)):
	default:
		return true
	}
	return false
}

// follow keeps the region of a decided hunk around what became of its text, so
// that an undo is seen however the editor cuts it.
func (h *Hunk) follow(base text.Text, e text.Edit) bool {
	switch {
	case h.absorbs(base, e, h.Old) || h.absorbs(base, e, h.New):
		return true
	case e.Start == e.End && e.Start == h.End && h.Start < h.End && !startsLine(e.New) && base.Slice(h.Start, h.End) == h.New:
		return true // the user goes on writing in the agent's words
	case e.End <= h.Start:
		h.shift(e)
	case e.Start >= h.End:
	default:
		return true
	}
	return false
}

// returns takes the hunk back to its place where that was gone from the text and
// comes back, whole and once, with the user's edit.
func (h *Hunk) returns(base text.Text, e text.Edit) bool {
	if h.Place == nil || strings.TrimSpace(base.Slice(h.Start, h.End)) != "" || h.absorbs(base, e, h.Old) {
		return false
	}
	at, ok := h.Place.within(e.New)
	if ok {
		*h = h.Place.hunk(e.Start + at)
	}
	return ok
}

// take makes one hunk of those that the edit touches: its region is all that the
// edit replaces and the lines they edit, its sides are that text with their old
// and their new.
func (c *Change) take(base text.Text, e text.Edit, was []Hunk, taken []int) {
	hull := text.Edit{Start: e.Start, End: e.End}
	in := make([]bool, len(was))
	for grown := true; grown; {
		grown = false
		for i, h := range was {
			if in[i] || !slices.Contains(taken, i) && !h.reaches(hull) {
				continue
			}
			in[i], grown = true, true
			b := c.reach(base, h)
			hull.Start, hull.End = min(hull.Start, b.start), max(hull.End, b.end)
		}
	}
	one := c.joined(base, hull, was, in)
	one.End += len(e.New) - (e.End - e.Start)
	var out []Hunk
	for i, h := range c.Hunks {
		if !in[i] {
			out = append(out, h)
		}
	}
	out = append(out, one)
	c.Hunks = sorted(out)
}

func (h Hunk) reaches(hull text.Edit) bool {
	if h.Old == "" && !h.Held {
		h.Start = h.End
	}
	return h.Start < hull.End && h.End > hull.Start || h.Start == h.End && h.Start >= hull.Start && h.End <= hull.End
}

// reach is what a touched hunk brings into the region: of a staged one the
// lines it edits.
func (c *Change) reach(base text.Text, h Hunk) block {
	if h.Held || c.decided() {
		return block{start: h.Start, end: h.End}
	}
	return h.block(base)
}

// decided reports whether the hunks are followed and not held.
func (c *Change) decided() bool {
	return c.State == Applied || c.State == Rejected || c.State == Applying
}

// joined makes the one hunk over hull.
func (c *Change) joined(base text.Text, hull text.Edit, was []Hunk, in []bool) Hunk {
	one := Hunk{Start: hull.Start, End: hull.End, Held: !c.decided(), Rank: was[slices.Index(in, true)].Rank}
	pos, n, first := hull.Start, 0, Hunk{}
	for i, h := range was {
		if !in[i] {
			continue
		}
		if !h.Held && !c.decided() {
			h.Start = h.edit().Start // what was typed at an insertion is the user's own
		}
		gap := base.Slice(pos, h.Start)
		one.Old += gap + h.Old
		one.New += gap + h.New
		pos = h.End
		n++
		first = h
	}
	tail := base.Slice(pos, hull.End)
	one.Old += tail
	one.New += tail
	if !one.Held {
		return one
	}
	one.Place = first.Place
	switch {
	case n > 1:
		p := placeAt(base, hull.Start, hull.End, one.New)
		p.Block, p.Start, p.End = one.Old, 0, len(one.Old)
		one.Place = &p
	case !first.Held:
		p := placeOf(base, first)
		one.Place = &p
	}
	return one
}

// absorbs reports whether the region reads as want once e is part of it.
func (h *Hunk) absorbs(base text.Text, e text.Edit, want string) bool {
	if e.Start > h.End || e.End < h.Start {
		return false
	}
	start, end := min(h.Start, e.Start), max(h.End, e.End)
	if end-start+len(e.New)-(e.End-e.Start) != h.Start-start+len(want)+end-h.End {
		return false
	}
	got := base.Slice(start, e.Start) + e.New + base.Slice(e.End, end)
	return got == base.Slice(start, h.Start)+want+base.Slice(h.End, end)
}
