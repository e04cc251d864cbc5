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
	hunks      []placed
	applied    bool
	open       bool // its other side has no last line break: what comes behind would flow in
}

// placed is a hunk with whole lines in their one form, "X\n" before the next line.
type placed struct {
	Hunk
	slid int // bytes by which it was moved for that
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
		p := inOneForm(t, h, applied)
		is, other := p.sides(applied)
		b := &lineBlock{start: lineStart(t, p.Start), end: p.End, hunks: []placed{p}, applied: applied}
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

func inOneForm(t text.Text, h Hunk, applied bool) placed {
	if h.Old == "" && !applied {
		h.Start = h.End // what was typed at the place is the user's own
	}
	nl := breakAt(t, h.End)
	turns := func(s string) bool { return s == "" || strings.HasPrefix(s, nl) }
	if nl == "" || !turns(h.Old) || !turns(h.New) {
		return placed{Hunk: h}
	}
	turn := func(s string) string {
		if s == "" {
			return ""
		}
		return s[len(nl):] + nl
	}
	h.Old, h.New, h.Start, h.End = turn(h.Old), turn(h.New), h.Start+len(nl), h.End+len(nl)
	return placed{Hunk: h, slid: len(nl)}
}

// looker looks for the blocks of one change in the base.
type looker struct {
	*sight
	own     []*lineBlock
	all     []*lineBlock // with those of the peers, in order
	found   []finding    // of own
	covered int          // what a region has taken in already
}

func newLooker(st *standing, base text.Text) *looker {
	l := &looker{sight: st.since.sight(asking{st.text, base, st.bare()})}
	l.own = blocks(l.was, st.hunks, st.applied)
	l.all = slices.Clone(l.own)
	for _, p := range st.peers {
		l.all = append(l.all, blocks(l.was, p.hunks, p.applied)...)
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
		f := l.at(g, kept, l.shifted(g.start))
		_, f.near = l.copied(g)
		return f
	}
	same, other := l.read(r, g)
	if same != nil {
		return *same
	}
	if at, ok := l.moved(g); ok {
		return l.at(g, kept, at)
	}
	if other != nil {
		return *other
	}
	if f, ok := l.beside(g, r); ok {
		return f
	}
	if f, ok := l.within(g, r); ok {
		return f
	}
	return l.alone(g, r)
}

// alone reads the lines that came for the block by themselves, whatever came for
// those around. In a text that was emptied nothing was read.
func (l *looker) alone(g *lineBlock, r stretch) finding {
	lo, hi := l.region(g, r)
	mine, is, other := l.now.Slice(lo, hi), l.was.Slice(g.start, g.end), l.turn(g.start, g.end, g)
	nothing := mine == "" && (r.b0 < r.b1 || g.applied || l.now.Len() == 0) // that they are gone says more only where nothing came
	switch {
	case g.point() || nothing:
	case mine == other:
		return l.at(g, turned, lo)
	case mine == is:
		return l.at(g, kept, lo)
	}
	return l.held(g, r)
}

// meet joins the stretches that change lines of a block, or lie at the place of a point.
func (l *looker) meet(g *lineBlock) (stretch, bool) {
	var r stretch
	found := false
	for _, p := range l.stretches {
		if p.a0 > g.end || p.a0 == g.end && !g.point() && !g.open {
			break
		}
		if p.a1 < g.start || p.a1 == g.start && !g.point() {
			continue
		}
		if !found {
			r, found = p, true
		}
		r.a1, r.b1 = p.a1, p.b1
	}
	if !found {
		return r, false
	}
	if n := r.a0 - g.start; n > 0 { // the unchanged lines of the block itself
		r.a0, r.b0 = r.a0-n, r.b0-n
	}
	if n := g.end - r.a1; n > 0 {
		r.a1, r.b1 = r.a1+n, r.b1+n
	}
	return r, true
}

// shifted is where the unchanged text at an offset stands now.
func (l *looker) shifted(at int) int {
	for _, r := range slices.Backward(l.stretches) {
		if r.a1 <= at {
			return at + r.b1 - r.a1
		}
	}
	return at
}

// at places the hunks of a block whose lines begin at an offset of the base.
func (l *looker) at(g *lineBlock, e evidence, at int) finding {
	f := finding{evidence: e, at: at}
	for _, p := range g.hunks {
		is, other := p.sides(g.applied)
		p.Start += at - g.start
		if e == turned {
			at += len(other) - len(is)
			is = other
		}
		p.End = p.Start + len(is)
		f.hunks = append(f.hunks, l.asItWas(p, is))
	}
	return f
}

// asItWas gives whole lines the form again that the hunk had, where the place has it.
func (l *looker) asItWas(p placed, is string) Hunk {
	h, n := p.Hunk, p.slid
	if n == 0 || h.Start < n || h.End > l.now.Len() {
		return h
	}
	nl := l.now.Slice(h.Start-n, h.Start)
	back := func(s string) string {
		if s == "" {
			return ""
		}
		return nl + s[:len(s)-n]
	}
	if !startsLine(nl) || l.now.Slice(h.Start-n, h.End-n) != back(is) {
		return h
	}
	h.Start, h.End, h.Old, h.New = h.Start-n, h.End-n, back(h.Old), back(h.New)
	return h
}

// beside places whole new lines whose neighbours changed. What the user has put at
// their very place stands in front of them. With the lines on both sides gone, or
// made into others, the place is gone.
func (l *looker) beside(g *lineBlock, r stretch) (finding, bool) {
	inside := r.a0 < g.start && g.start < r.a1
	if !g.point() || inside && lines(l.was, r.a0, r.a1) != lines(l.now, r.b0, r.b1) {
		return finding{}, false
	}
	lo, hi := l.region(g, r)
	if g.applied {
		lo = hi
	}
	f := l.at(g, kept, lo)
	f.near = true
	f.hunks[0].End += hi - lo
	return f, true
}

// moved finds a block that has left its place, where its lines stand now: they
// were once in the text, and are once among the lines that are new.
func (l *looker) moved(g *lineBlock) (int, bool) {
	at, ok := l.copied(g)
	return at, ok && len(linesIn(l.was.String(), l.was.Slice(g.start, g.end), 2)) == 1
}

// copied finds the lines of a block among those that are new, where they are once.
func (l *looker) copied(g *lineBlock) (int, bool) {
	block := l.was.Slice(g.start, g.end)
	if strings.TrimSpace(block) == "" {
		return 0, false
	}
	var at []int
	for _, r := range l.stretches {
		for _, i := range linesIn(l.now.Slice(r.b0, r.b1), block, 2) {
			at = append(at, r.b0+i)
		}
	}
	if len(at) != 1 {
		return 0, false
	}
	return at[0], true
}

// within finds what is smaller than lines: the user's words at the very place of an
// insertion into a line, and an applied change with the user's words around it.
func (l *looker) within(g *lineBlock, r stretch) (finding, bool) {
	if g.applied {
		return l.around(g, r)
	}
	h := g.hunks[0].Hunk
	lo, hi := l.region(g, r)
	head, tail, mine := l.was.Slice(g.start, h.Start), l.was.Slice(h.Start, g.end), l.now.Slice(lo, hi)
	if len(g.hunks) > 1 || h.Old != "" || g.point() || len(mine) < len(head)+len(tail) || !strings.HasPrefix(mine, head) || !strings.HasSuffix(mine, tail) {
		return finding{}, false
	}
	h.Start, h.End = lo+len(head), hi-len(tail)
	return finding{hunks: []Hunk{h}, near: true}, true
}

func (l *looker) around(g *lineBlock, r stretch) (finding, bool) {
	es := text.Diff(l.was.Slice(r.a0, r.a1), l.now.Slice(r.b0, r.b1))
	var f finding
	for _, p := range g.hunks {
		h := p.Hunk
		from, to := h.Start-r.a0, h.End-r.a0
		for _, e := range es {
			goesOn := e.Start == e.End && e.Start == to && from < to && !startsLine(e.New)
			if e.Start < to && e.End > from || from == to && e.Start < from && e.End > from || goesOn {
				return f, false
			}
		}
		h.Start = r.b0 + es.Map(from, true)
		h.End = h.Start + to - from
		f.hunks = append(f.hunks, l.asItWas(placed{h, p.slid}, h.New))
	}
	return f, true
}
