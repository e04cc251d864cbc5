package editing

import (
	"cmp"
	"slices"
	"sort"

	"github.com/galley-ls/galley/editing/text"
)

// userEdits moves d over many edits of the user's as userEdit does it one by one,
// from the last to the first. Those that are far from every letter only shift
// letters: they are taken together, so that a rewritten file costs its length and
// not its lines times the letters.
func (d *Document) userEdits(es text.Edits) {
	hunks := d.stretches()
	var far text.Edits // from the last to the first
	for _, e := range slices.Backward(es) {
		if !hunks.near(d.Base, e) {
			far = append(far, e)
			continue
		}
		d.shiftAll(far)
		d.userEdit(e)
		far, hunks = nil, d.stretches()
	}
	d.shiftAll(far)
}

// shiftAll takes edits, from the last to the first, that are far from every hunk.
func (d *Document) shiftAll(es text.Edits) {
	if len(es) == 0 {
		return
	}
	slices.Reverse(es)
	sums := make([]int, len(es)+1)
	for i := range es {
		sums[i+1] = sums[i] + es[i:i+1].Delta()
	}
	for _, c := range d.changes {
		for i := range c.Hunks {
			h := &c.Hunks[i]
			n := sums[sort.Search(len(es), func(i int) bool { return es[i].Start >= h.Start })]
			h.Start, h.End = h.Start+n, h.End+n
		}
	}
	d.Base = mustApply(d.Base, es)
}

// stretch is what a hunk covers of the base, and how far the hunks up to it reach.
type stretch struct{ start, end, reach int }

type stretches []stretch

// stretches are the hunks of all letters, in the order of the text.
func (d *Document) stretches() stretches {
	var out stretches
	for _, c := range d.changes {
		for _, h := range c.Hunks {
			out = append(out, stretch{start: h.Start, end: h.End})
		}
	}
	out.sort()
	return out
}

func (s stretches) sort() {
	slices.SortFunc(s, func(a, b stretch) int { return cmp.Compare(a.start, b.start) })
	reach := 0
	for i := range s {
		reach = max(reach, s[i].end)
		s[i].reach = reach
	}
}

// meet reports whether one of them lies in a range, or at its ends.
func (s stretches) meet(from, to int) bool {
	i := sort.Search(len(s), func(i int) bool { return s[i].start > to }) - 1
	return i >= 0 && s[i].reach >= from
}

// near reports whether a hunk is on the lines of an edit, or beside them. The text
// may be the one before edits behind e that were far from every hunk: what stands
// between a hunk and such an edit keeps them apart from e as well.
func (s stretches) near(t text.Text, e text.Edit) bool {
	if len(s) == 0 {
		return false
	}
	n := neighbourhood(t, e)
	return s.meet(n.Start, n.End)
}

// neighbourhood is the lines of an edit and the line breaks around them: a hunk
// that does not reach into it is only shifted.
func neighbourhood(t text.Text, e text.Edit) text.Edit {
	return text.Edit{Start: lineStart(t, e.Start) - 2, End: lineEnd(t, e.End) + 2}
}
