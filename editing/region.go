package editing

import (
	"maps"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file reads what stands in place of lines that were changed: as one side of
// the letters there or the other, else as the region of a conflict.

// read reads the lines that came for those of r as the unchanged text with one side
// or the other of every block in it. It answers the hunks of g as they stand, and
// as they are turned; both where the lines can be read in both ways.
func (l *looker) read(r text.Stretch, g *lineBlock) (same, other *finding) {
	mine := l.now.Slice(r.B0, r.B1)
	cs := l.clusters(r)
	from := make([]map[int]bool, len(cs)+1) // where the reading can be before each
	at, pos := map[int]bool{0: true}, r.A0
	for i, c := range cs {
		from[i] = goOn(at, mine, []string{l.was.Slice(pos, c.start)})
		at, pos = goOn(from[i], mine, c.texts()), c.end
	}
	to := map[int]bool{}
	for i, tail := len(cs)-1, l.was.Slice(pos, r.A1); i >= 0; i-- {
		if i == len(cs)-1 {
			if n := len(mine) - len(tail); n >= 0 && mine[n:] == tail {
				to[n] = true
			}
		}
		if slices.Contains(cs[i].blocks, g) {
			return l.readAs(cs[i], g, mine, r.B0, from[i], to)
		}
		to = goBack(to, mine, cs[i].texts())
		before := r.A0
		if i > 0 {
			before = cs[i-1].end
		}
		to = goBack(to, mine, []string{l.was.Slice(before, cs[i].start)})
	}
	return nil, nil
}

func goOn(at map[int]bool, mine string, texts []string) map[int]bool {
	out := map[int]bool{}
	for i := range at {
		for _, s := range texts {
			if strings.HasPrefix(mine[i:], s) {
				out[i+len(s)] = true
			}
		}
	}
	return out
}

func goBack(at map[int]bool, mine string, texts []string) map[int]bool {
	out := map[int]bool{}
	for i := range at {
		for _, s := range texts {
			if strings.HasSuffix(mine[:i], s) {
				out[i-len(s)] = true
			}
		}
	}
	return out
}

func (l *looker) readAs(c *cluster, g *lineBlock, mine string, base int, from, to map[int]bool) (same, other *finding) {
	begins := slices.Sorted(maps.Keys(from))
	for _, o := range c.options {
		for _, i := range begins {
			if !to[i+len(o.text)] || !strings.HasPrefix(mine[i:], o.text) {
				continue
			}
			f := l.in(c, g, o, base+i)
			if f.evidence == turned && other == nil {
				other = &f
			} else if f.evidence == kept && same == nil {
				same = &f
			}
			break
		}
	}
	return same, other
}

// cluster is a run of lines that blocks of several letters share.
type cluster struct {
	start, end int
	blocks     []*lineBlock
	options    []option
}

// option is a cluster with some of its blocks turned.
type option struct {
	text   string
	turned map[*lineBlock]bool
}

func (c *cluster) texts() []string {
	var out []string
	for _, o := range c.options {
		out = append(out, o.text)
	}
	return out
}

func (l *looker) clusters(r text.Stretch) []*cluster {
	var out []*cluster
	for _, b := range l.all {
		if b.start < r.A0 || b.end > r.A1 {
			continue
		}
		if n := len(out) - 1; n >= 0 && b.start < out[n].end {
			out[n].blocks, out[n].end = append(out[n].blocks, b), max(out[n].end, b.end)
			continue
		}
		out = append(out, &cluster{start: b.start, end: b.end, blocks: []*lineBlock{b}})
	}
	const most = 6 // blocks on the same lines that are all read in both ways
	for _, c := range out {
		for mask := range 1 << min(len(c.blocks), most) {
			o := option{turned: map[*lineBlock]bool{}}
			for i, b := range c.blocks {
				o.turned[b] = mask&(1<<i) != 0
			}
			if s, err := text.New(l.was.Slice(c.start, c.end)).Apply(c.edits(o)); err == nil {
				o.text = s.String()
				c.options = append(c.options, o)
			}
		}
	}
	return out
}

// edits turn the blocks of an option, in bytes of the cluster.
func (c *cluster) edits(o option) text.Edits {
	var es text.Edits
	for _, b := range c.blocks {
		for _, h := range b.hunks {
			if _, other := h.sides(b.applied); o.turned[b] {
				es = append(es, text.Edit{Start: h.Start - c.start, End: h.End - c.start, New: other})
			}
		}
	}
	slices.SortStableFunc(es, func(a, b text.Edit) int { return a.Start - b.Start })
	return joinPoints(es)
}

// in places the hunks of g in a cluster that stands at an offset of the base.
func (l *looker) in(c *cluster, g *lineBlock, o option, at int) finding {
	es := c.edits(o)
	f := finding{at: at + es.Map(g.start-c.start, false)}
	if o.turned[g] {
		f.evidence = turned
	}
	for _, p := range g.hunks {
		is, other := p.sides(g.applied)
		if o.turned[g] {
			is = other
		}
		p.Start = at + es.Map(p.Start-c.start, false)
		p.End = p.Start + len(is)
		f.hunks = append(f.hunks, p)
	}
	return f
}

// turn is the block with its other side.
func (l *looker) turn(start, end int, gs ...*lineBlock) string {
	var sb strings.Builder
	for _, g := range gs {
		for _, h := range g.hunks {
			_, other := h.sides(g.applied)
			sb.WriteString(l.was.Slice(start, h.Start) + other)
			start = h.End
		}
	}
	return sb.String() + l.was.Slice(start, end)
}

// held makes of a block whose lines read otherwise the region of a conflict: whole
// lines, the user's as they are.
func (l *looker) held(g *lineBlock, r text.Stretch) finding {
	start, end, gs := g.start, g.end, []*lineBlock{g}
	lo, hi := l.region(g, r)
	if g.point() {
		lo = hi
	}
	if l.rewrapped(g, r) { // what is on which line says nothing
		start, end, lo, hi, gs = r.A0, r.A1, r.B0, r.B1, nil
		for _, b := range l.own {
			if b.start >= r.A0 && b.end <= r.A1 {
				gs = append(gs, b)
			}
		}
		l.covered = r.A1
	}
	return finding{evidence: neither, hunks: []Hunk{l.hold(g, start, end, lo, hi, gs...)}}
}

// hold is the region [lo,hi) of the base as that of lines [start,end), with the
// place where they stood.
func (l *looker) hold(g *lineBlock, start, end, lo, hi int, gs ...*lineBlock) Hunk {
	h := Hunk{Start: lo, End: hi, Old: l.was.Slice(start, end), New: l.turn(start, end, gs...), Rank: g.hunks[0].Rank, Held: true, nth: g.hunks[0].nth}
	first, last := l.was.LineOf(start), l.was.LineOf(end)
	h.Place = &Place{
		Block: h.Old, End: len(h.Old), New: h.New,
		Before: l.was.Slice(l.was.LineStart(first-contextLines), start),
		After:  l.was.Slice(end, l.was.LineStart(last+contextLines)),
	}
	if len(gs) == 1 && len(g.hunks) == 1 {
		p := g.hunks[0]
		_, h.Place.New = p.sides(g.applied)
		h.Place.Start, h.Place.End = p.Start-start, p.End-start
	}
	return h
}

// rewrapped reports whether lines were only joined or parted, or were joined by a cut from
// within one to another.
func (l *looker) rewrapped(g *lineBlock, r text.Stretch) bool {
	was, now := l.was.Slice(r.A0, r.A1), l.now.Slice(r.B0, r.B1)
	if !l.few(g, r) || now == "" || len(split(was)) == len(split(now)) {
		return false
	}
	return unwrapped(was) == unwrapped(now) || cut(was, now) && !among(split(now), split(was))
}

// cut reports whether now is was without one piece.
func cut(was, now string) bool {
	es := text.Edits{{End: len(was), New: now}}.Trim(text.New(was))
	return len(es) == 1 && es[0].New == ""
}

// among reports whether all of some are in all, in their order.
func among(some, all []string) bool {
	for _, s := range some {
		i := slices.Index(all, s)
		if i < 0 {
			return false
		}
		all = all[i+1:]
	}
	return true
}

func unwrapped(s string) string { return strings.Join(strings.Fields(s), "") }

// few reports whether r reaches no further than the lines that are known around g.
func (l *looker) few(g *lineBlock, r text.Stretch) bool {
	return l.was.LineOf(g.start)-l.was.LineOf(r.A0) <= contextLines && l.was.LineOf(r.A1)-l.was.LineOf(g.end) <= contextLines
}

// region says which of the lines that came for those of r came for the block: all
// between the lines that came for its neighbours.
func (l *looker) region(g *lineBlock, r text.Stretch) (lo, hi int) {
	mine := lines(l.now, r.B0, r.B1)
	pre, own, post := lines(l.was, r.A0, g.start), lines(l.was, g.start, g.end), lines(l.was, g.end, r.A1)
	from, to := 0, mine
	switch {
	case pre+own+post == mine:
		from, to = pre, pre+own
	case pre+post == 0:
	case l.few(g, r) && mine <= 4*contextLines+own:
		from, to = likest(split(l.was.Slice(r.A0, g.start)), split(l.was.Slice(g.start, g.end)), split(l.was.Slice(g.end, r.A1)), split(l.now.Slice(r.B0, r.B1)))
	case pre <= post:
		from = min(pre, mine)
		to = min(from+own, mine)
	default:
		to = max(0, mine-post)
		from = max(0, to-own)
	}
	first := l.now.LineOf(r.B0)
	return min(l.now.LineStart(first+from), r.B1), min(l.now.LineStart(first+to), r.B1)
}

// lines counts the lines of a range that begins where a line does.
func lines(t text.Text, from, to int) int {
	n := t.LineOf(to) - t.LineOf(from)
	if from < to && !atLineStart(t, to) {
		n++
	}
	return n
}

func split(s string) []string {
	ls := strings.SplitAfter(s, "\n")
	if ls[len(ls)-1] == "" {
		ls = ls[:len(ls)-1]
	}
	return ls
}

// likest parts mine into what came for pre, for the block and for post, so that the
// lines are most alike; where nothing is, as evenly from the nearer side as may be.
func likest(pre, own, post, mine []string) (from, to int) {
	head := likeHead(pre, mine)
	slices.Reverse(post)
	back := slices.Clone(mine)
	slices.Reverse(back)
	tail := likeHead(post, back)
	best := 0
	for i := range len(mine) + 1 {
		amid := likeHead(own, mine[i:])
		for k := i; k <= len(mine); k++ {
			score := 1000*(head[i]+amid[k-i]+tail[len(mine)-k]) - abs(i-len(pre)) - abs(len(mine)-k-len(post)) - abs(k-i-len(own))
			if i+k == 0 || score > best {
				best, from, to = score, i, k
			}
		}
	}
	return from, to
}

// likeHead is for every n how much the first n lines of b resemble lines of a, each
// used once and in order.
func likeHead(a, b []string) []int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		next := make([]int, len(b)+1)
		for j, y := range b {
			next[j+1] = max(row[j+1], next[j], row[j]+likeness(x, y))
		}
		row = next
	}
	return row
}

// likeness of two lines, in tenths: what they begin and end with.
func likeness(x, y string) int {
	x, y = strings.TrimSpace(x), strings.TrimSpace(y)
	n, i, k := min(len(x), len(y)), 0, 0
	for i < n && x[i] == y[i] {
		i++
	}
	for k < n-i && x[len(x)-k-1] == y[len(y)-k-1] {
		k++
	}
	if n == 0 {
		return 0
	}
	return 10 * (i + k) / max(len(x), len(y))
}

func abs(n int) int { return max(n, -n) }
