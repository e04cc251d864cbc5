package editing

import (
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// userEdits moves d over the user's edits of its base, and decides what they mean.
func (t *tx) userEdits(d *Document, es text.Edits) {
	before := d.Base
	d.Base = mustApply(before, es)
	d.follow(before, es)
	t.settle(d)
}

// follow takes the changes of d along with edits of before: what they cannot have
// touched is shifted, what they may have is asked of the text from here on.
func (d *Document) follow(before text.Text, es text.Edits) {
	near := neighbourhoods(before, es)
	var close []*Change
	for _, c := range d.changes {
		if c.file() {
			continue
		}
		if c.over = c.over.after(es); c.last != nil {
			c.last = c.last.after(es)
		} else if c.touches(near) && c.stands(before) {
			close = append(close, c)
		}
	}
	since := &course{edits: es}
	for _, c := range close {
		c.last = c.standing(before, since, close)
	}
	moved := es.Mapper()
	for _, c := range d.changes {
		if !c.file() {
			c.shift(moved)
		}
	}
}

// standing is where c stands before what comes since, beside those of others that stand there.
func (c *Change) standing(before text.Text, since *course, others []*Change) *standing {
	st := &standing{text: before, hunks: slices.Clone(c.Hunks), applied: c.State == Applied, since: since}
	for _, o := range others {
		if o != c && (o.State == Staged || o.State == Applying || o.State == Applied) && !overlap(o.Hunks, c.Hunks) {
			st.peers = append(st.peers, peer{slices.Clone(o.Hunks), o.State == Applied})
		}
	}
	return st
}

// overlap reports whether two changes hold text in common: one was applied, and
// the other edits what it wrote.
func overlap(a, b []Hunk) bool {
	return slices.ContainsFunc(a, func(h Hunk) bool {
		return slices.ContainsFunc(b, func(g Hunk) bool { return g.Start < h.End && g.End > h.Start })
	})
}

// touches reports whether a hunk lies on one of the ranges, or at its edge.
func (c *Change) touches(near zones) bool {
	return slices.ContainsFunc(c.Hunks, func(h Hunk) bool { return near.meet(h.Start, h.End) })
}

// shift moves the hunks with edits around them. They stay in order and apart.
func (c *Change) shift(moved func(offset int, after bool) int) {
	for i := range c.Hunks {
		h := &c.Hunks[i]
		h.Start, h.End = moved(h.Start, h.Start < h.End), moved(h.End, false)
		h.End = max(h.Start, h.End)
	}
	c.Hunks = apart(sorted(c.Hunks))
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

// stands reports whether the change reads in the text as its state says.
func (c *Change) stands(base text.Text) bool {
	if c.State == Applied {
		return inOrder(c.Hunks) && c.Intact(base)
	}
	return inOrder(c.Hunks) && !c.held() && c.reads(base)
}
