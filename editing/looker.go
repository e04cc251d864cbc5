package editing

import (
	"cmp"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// lineBlock is the run of whole lines that some hunks of one change edit. One that
// holds no line is the place between two where whole lines come in.
type lineBlock struct {
	start, end int
	hunks      []Hunk // with whole lines in their one form, "X\n" before the next line
	applied    bool
	open       bool // its other side has no last line break: what comes behind would flow in
}

func (g *lineBlock) point() bool { return g.start == g.end }

// sides are what stands of a hunk, and what would stand instead.
func (h Hunk) sides(applied bool) (is, other string) {
	if applied {
		return h.New, h.Old
	}
	return h.Old, h.New
}

// blocks sorts hunks of t by the lines they edit. t ends with a line break.
func blocks(t text.Text, hs []Hunk, applied bool) []*lineBlock {
	var out []*lineBlock
	for _, h := range hs {
		p := inOneForm(t, h)
		is, other := p.sides(applied)
		b := &lineBlock{start: lineStart(t, p.Start), end: p.End, hunks: []Hunk{p}, applied: applied}
		whole := endsLine(other) && (is != "" || p.Start == b.start) || other == "" && is != "" && p.Start == b.start
		if !whole || !atLineStart(t, p.End) {
			b.end = t.LineStart(t.LineOf(p.End) + 1)
			b.open = p.End == t.Len()
		}
		if n := len(out) - 1; n >= 0 && b.start < out[n].end {
			out[n].hunks, out[n].end, out[n].open = append(out[n].hunks, p), max(out[n].end, b.end), out[n].open || b.open
			continue
		}
		out = append(out, b)
	}
	return out
}

func inOneForm(t text.Text, h Hunk) Hunk {
	nl := breakAt(t, h.End)
	turns := func(s string) bool { return s == "" || strings.HasPrefix(s, nl) }
	if nl == "" || !turns(h.Old) || !turns(h.New) {
		return h
	}
	turn := func(s string) string {
		if s == "" {
			return ""
		}
		return s[len(nl):] + nl
	}
	h.Old, h.New, h.Start, h.End = turn(h.Old), turn(h.New), h.Start+len(nl), h.End+len(nl)
	h.moved = len(nl)
	return h
}

// looker looks for the blocks of one change in the base.
type looker struct {
	*sight
	own     []*lineBlock
	all     []*lineBlock // with those of the peers, in order
	found   []finding    // of own
	covered int          // what a region has taken in already
	asked   bool
}

func newLooker(st *standing, base text.Text, peers []*standing) *looker {
	l := &looker{sight: st.ground.sight(base, st.bare()), asked: st.asked, own: st.own}
	l.all = slices.Clone(l.own)
	for _, p := range peers {
		if !overlap(p.hunks, st.hunks) {
			l.all = append(l.all, p.own...)
		}
	}
	slices.SortStableFunc(l.all, func(a, b *lineBlock) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(a.hunks[0].Rank, b.hunks[0].Rank))
	})
	return l
}

// find says what became of one block.
func (l *looker) find(g *lineBlock) finding {
	r, meets := l.meet(g)
	if !meets {
		return l.placed(g, kept, l.shifted(g.start))
	}
	same, other := l.read(r, g)
	if same != nil {
		return *same
	}
	if l.asked {
		return l.amid(g, r)
	}
	if at, ok := l.moved(g); ok && (other == nil || endsLine(l.was.Slice(g.start, g.end))) { // else it has got an ending
		return l.placed(g, kept, at)
	}
	if other != nil {
		return *other
	}
	if f, ok := l.beside(g, r); ok {
		return f
	}
	if at, ok := l.along(g, r); ok {
		return l.placed(g, kept, at)
	}
	if f, ok := l.within(g, r); ok {
		return f
	}
	return l.alone(g, r)
}

// alone reads the lines that came for the block by themselves, whatever came for
// those around. In a text that was emptied nothing was read.
func (l *looker) alone(g *lineBlock, r text.Stretch) finding {
	lo, hi := l.region(g, r)
	mine, is, other := l.now.Slice(lo, hi), l.was.Slice(g.start, g.end), l.turn(g.start, g.end, g)
	nothing := mine == "" && (r.B0 < r.B1 || g.applied || l.now.Len() == 0) // that they are gone says more only where nothing came
	switch {
	case g.point() || nothing:
	case mine == other:
		return l.placed(g, turned, lo)
	case mine == is:
		return l.placed(g, kept, lo)
	default: // with lines of the user's own before it or behind
		for e, side := range []string{is, other} {
			if side == "" || !endsLine(is) || other != "" && !endsLine(other) {
				continue
			}
			if at := linesIn(mine, side, 2); len(at) == 1 {
				return l.placed(g, evidence(e), lo+at[0])
			}
		}
	}
	if f, ok := l.carried(g, r); ok {
		return f
	}
	return l.held(g, r)
}

// meet joins the stretches that change lines of a block, or lie at the place of a point.
func (l *sight) meet(g *lineBlock) (text.Stretch, bool) {
	var r text.Stretch
	found := false
	for _, p := range l.stretches {
		if p.A0 > g.end || p.A0 == g.end && !g.point() && !g.open {
			break
		}
		if p.A1 < g.start || p.A1 == g.start && !g.point() {
			continue
		}
		if !found {
			r, found = p, true
		}
		r.A1, r.B1 = p.A1, p.B1
	}
	if !found {
		return r, false
	}
	if n := r.A0 - g.start; n > 0 { // the unchanged lines of the block itself
		r.A0, r.B0 = r.A0-n, r.B0-n
	}
	if n := g.end - r.A1; n > 0 {
		r.A1, r.B1 = r.A1+n, r.B1+n
	}
	return r, true
}

// shifted is where the unchanged text at an offset stands now.
func (l *sight) shifted(at int) int {
	for _, r := range slices.Backward(l.stretches) {
		if r.A1 <= at {
			return at + r.B1 - r.A1
		}
	}
	return at
}

// placed is the block with its lines at an offset of the base.
func (l *sight) placed(g *lineBlock, e evidence, at int) finding {
	return finding{evidence: e, at: at, hunks: l.at(nil, g, e, at)}
}

// at adds the hunks of a block whose lines begin at an offset of the base.
func (l *sight) at(hs []Hunk, g *lineBlock, e evidence, at int) []Hunk {
	for _, h := range g.hunks {
		is, other := h.sides(g.applied)
		h.Start += at - g.start
		if e == turned {
			at += len(other) - len(is)
			is = other
		}
		h.End = h.Start + len(is)
		hs = append(hs, h)
	}
	return hs
}

// formed gives whole lines the form again that the hunks had, where the line before is
// the one that was there, and no other hunk has its line break.
func (l *sight) formed(hs []Hunk) []Hunk {
	end := 0
	for i := range hs {
		h := &hs[i]
		if n := h.moved; n > 0 && !h.Held && h.Start-n >= end && h.End <= l.now.Len() && !l.ends(h.Start) {
			l.slide(h, l.now.Slice(h.Start-n, h.Start))
		}
		h.moved, end = 0, h.End
	}
	return hs
}

// ends reports whether lines that are new end at an offset of the base, or gone ones did.
func (l *sight) ends(at int) bool {
	return slices.ContainsFunc(l.stretches, func(r text.Stretch) bool { return r.B1 == at })
}

// slide moves a hunk back over a line break that it ends with.
func (l *sight) slide(h *Hunk, nl string) {
	n := len(nl)
	back := func(s string) string {
		if s == "" {
			return ""
		}
		return nl + s[:len(s)-n]
	}
	if startsLine(nl) && l.now.Slice(h.Start-n, h.End-n) == back(l.now.Slice(h.Start, h.End)) {
		h.Start, h.End, h.Old, h.New = h.Start-n, h.End-n, back(h.Old), back(h.New)
	}
}

// beside places whole new lines whose neighbours changed. What the user has put at
// their very place stands in front of them. With the lines on both sides gone, or
// made into others, the place is gone.
func (l *looker) beside(g *lineBlock, r text.Stretch) (finding, bool) {
	inside := r.A0 < g.start && g.start < r.A1
	if !g.point() || inside && lines(l.was, r.A0, r.A1) != lines(l.now, r.B0, r.B1) {
		return finding{}, false
	}
	lo, hi := l.region(g, r)
	if g.applied {
		lo = hi
	}
	f := l.placed(g, kept, lo)
	f.hunks[0].End += hi - lo
	return f, true
}

// moved finds a block that has left its place, where its lines stand now: they
// were once in the text, and are once among the lines that are new.
func (l *looker) moved(g *lineBlock) (int, bool) {
	at, ok := l.copied(g)
	return at, ok && len(linesIn(l.was.String(), l.was.Slice(g.start, g.end), 2)) == 1
}

// along finds the place of new lines whose line before has moved.
func (l *looker) along(g *lineBlock, r text.Stretch) (int, bool) {
	if !g.point() || g.applied || r.A0 >= g.start {
		return 0, false
	}
	before := &lineBlock{start: lineStart(l.was, g.start-1), end: g.start}
	at, ok := l.moved(before)
	return at + before.end - before.start, ok
}

// copied finds the lines of a block among those that are new, where they are once.
func (l *looker) copied(g *lineBlock) (int, bool) {
	block := l.was.Slice(g.start, g.end)
	if strings.TrimSpace(block) == "" {
		return 0, false
	}
	var at []int
	for _, r := range l.stretches {
		for _, i := range linesIn(l.now.Slice(r.B0, r.B1), block, 2) {
			at = append(at, r.B0+i)
		}
	}
	if len(at) != 1 {
		return 0, false
	}
	return at[0], true
}

// within finds what is smaller than lines: the user's words at the very place of an
// insertion into a line, or around a change.
func (l *looker) within(g *lineBlock, r text.Stretch) (finding, bool) {
	h := g.hunks[0]
	lo, hi := l.region(g, r)
	head, tail, mine := l.was.Slice(g.start, h.Start), l.was.Slice(h.Start, g.end), l.now.Slice(lo, hi)
	if g.applied || g.point() || len(g.hunks) > 1 || h.Old != "" || len(mine) < len(head)+len(tail) || !strings.HasPrefix(mine, head) || !strings.HasSuffix(mine, tail) {
		return l.around(g, r)
	}
	if mine == head+h.New+tail { // these are not the user's
		return finding{}, false
	}
	h.Start, h.End = lo+len(head), hi-len(tail)
	return finding{hunks: []Hunk{h}}, true
}

// amid finds what was inserted into a line with the user's words before it or behind.
// What else the user has made of the place does not tell whether it ever stood there.
func (l *looker) amid(g *lineBlock, r text.Stretch) finding {
	h := g.hunks[0]
	lo, hi := l.region(g, r)
	head, tail := l.was.Slice(g.start, h.Start), l.was.Slice(h.End, g.end)
	mine, before := strings.CutPrefix(l.now.Slice(lo, hi), head)
	mine, behind := strings.CutSuffix(mine, tail)
	first := strings.HasPrefix(mine, h.New)
	if len(g.hunks) > 1 || h.Old != "" || !before || !behind || !first && !strings.HasSuffix(mine, h.New) {
		return finding{evidence: neither}
	}
	h.Start = lo + len(head)
	if !first {
		h.Start = hi - len(tail) - len(h.New)
	}
	h.End = h.Start + len(h.New)
	return finding{hunks: []Hunk{h}}
}

// around finds a change with the user's words around it: of one that waits, far from it on a
// very long line.
func (l *looker) around(g *lineBlock, r text.Stretch) (finding, bool) {
	var f finding
	if g.point() || !g.applied && g.end-g.start <= grainChars {
		return f, false
	}
	lo, hi := l.region(g, r)
	was := l.was.Slice(g.start, g.end)
	es := text.Diff(was, l.now.Slice(lo, hi))
	for _, p := range g.hunks {
		h := p
		from, to := h.Start-g.start, h.End-g.start
		for _, e := range es {
			goesOn := e.Start == e.End && e.Start == to && from < to && !startsLine(e.New)
			if e.Start < to && e.End > from || from == to && e.Start < from && e.End > from || goesOn {
				return f, false
			}
			if a, b := grain(was, from, to); !g.applied && e.Start <= b && e.End >= a {
				return f, false
			}
		}
		h.Start = lo + es.Map(from, true)
		h.End = h.Start + to - from
		f.hunks = append(f.hunks, h)
	}
	return f, true
}
