package editing

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/galley-ls/galley/editing/text"
)

// ground is a text in which changes stood when somebody decided last, and what became
// of it. All that stood in it share the ground, so that edits are composed, and texts
// compared, once for all of them.
type ground struct {
	text   text.Text
	lines  text.Text     // its lines as they are compared: each ends with \n, the last one too
	hashes func() []byte // of its lines, for whoever keeps them
	edits  text.Edits    // from text to the base; they say where to look, never what to see

	unknown map[uint64]bool // lines of which a restart knows no more than the hash

	mu   sync.Mutex // guards the rest: what was asked already
	by   text.Edits
	next *ground
	said *ground // where some of the unknown lines are known
	as   text.Edits
	seen map[asking]*sight
}

// asking is what a sight depends on. Whoever asks for a line break at the end, or its
// absence, sees the texts as they are.
type asking struct {
	was, now text.Text
	bare     bool
}

// sight is a text, what became of it, and which lines differ.
type sight struct {
	was, now  text.Text
	stretches []text.Stretch
	came      func() wordLines // those of now that differ
}

func newGround(t text.Text) *ground {
	return &ground{text: t, lines: ended(t.Plain()), hashes: sync.OnceValue(func() []byte { return hashesOf(t) })}
}

// after is the ground once edits have followed.
func (g *ground) after(es text.Edits) *ground {
	if len(es) == 0 {
		return g
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.by) != len(es) || &g.by[0] != &es[0] {
		g.by, g.next = es, &ground{text: g.text, lines: g.lines, hashes: g.hashes, edits: text.Compose(g.edits, es), unknown: g.unknown}
	}
	return g.next
}

// told is the ground with lines that have come back into the base, and what that
// changes of its text.
func (g *ground) told(words map[uint64]string) (*ground, text.Edits) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.said != nil {
		return g.said, g.as
	}
	g.said = g
	unknown := maps.Clone(g.unknown)
	maps.DeleteFunc(unknown, func(h uint64, _ bool) bool { _, ok := words[h]; return ok })
	if len(unknown) == len(g.unknown) {
		return g, nil
	}
	at := 0
	for line := range strings.Lines(g.text.String()) {
		content := bareLine(line)
		if word, ok := words[text.LineHash(content)]; ok && word != content {
			g.as = append(g.as, text.Edit{Start: at, End: at + len(content), New: word})
		}
		at += len(line)
	}
	g.said = newGround(mustApply(g.text, g.as))
	g.said.edits, g.said.unknown = text.Compose(g.as.Invert(g.text), g.edits), unknown
	return g.said, g.as
}

// told is the standing with lines that have come back.
func (st *standing) told(words func() map[uint64]string) *standing {
	if st == nil || len(st.ground.unknown) == 0 {
		return st
	}
	on, es := st.ground.told(words())
	if on == st.ground {
		return st
	}
	hs := slices.Clone(st.hunks)
	for i := range hs {
		hs[i].Start, hs[i].End = es.Map(hs[i].Start, true), es.Map(hs[i].End, true)
	}
	return newStanding(on, hs, st.applied)
}

// cameIn are the lines of t that edits have written, by their hashes.
func cameIn(t text.Text, es text.Edits) map[uint64]string {
	out := map[uint64]string{}
	shift := 0
	for _, e := range es {
		from := lineStart(t, e.Start+shift)
		shift += len(e.New) - (e.End - e.Start)
		to := t.LineStart(t.LineOf(min(e.End+shift, t.Len())) + 1)
		for line := range strings.Lines(t.Slice(from, to)) {
			line = bareLine(line)
			out[text.LineHash(line)] = line
		}
	}
	return out
}

// bareLine is a line without its ending.
func bareLine(line string) string {
	s, ended := strings.CutSuffix(line, "\n")
	if ended {
		s = strings.TrimSuffix(s, "\r")
	}
	return s
}

func (g *ground) sight(now text.Text, bare bool) *sight {
	g.mu.Lock()
	defer g.mu.Unlock()
	a := asking{g.text, now, bare}
	if s := g.seen[a]; s != nil {
		return s
	}
	s, es := &sight{was: g.text.Plain(), now: now.Plain()}, text.PlainEdits(g.text, now, g.edits)
	if !bare {
		es = endedEdits(s.was, s.now, es)
		s.was, s.now = g.lines, ended(s.now)
	}
	s.stretches = text.Stretches(s.was, s.now, es)
	s.came = sync.OnceValue(func() wordLines { return wordsOf(s.now, s.stretches...) })
	if g.seen == nil {
		g.seen = map[asking]*sight{}
	}
	g.seen[a] = s
	return s
}

// flipped are some of what stood on the ground as if they had been taken in, or out, before
// all edits, with the others that they do not overlap. It is nil if they cannot be so
// together.
func (g *ground) flipped(set, others []*standing) (turned, beside []*standing) {
	cs := asChanges(set)
	ps := pieces(cs)
	es := editsOf(ps)
	if es.Validate(g.text.Len()) != nil {
		return nil, nil
	}
	on := newGround(mustApply(g.text, es))
	on.edits, on.unknown = inOne(on.text, text.Compose(es.Invert(g.text), g.edits)), g.unknown
	for i, c := range asChanges(others) {
		if !c.pass(ps) {
			beside = append(beside, newStanding(on, c.Hunks, others[i].applied))
		}
	}
	intoText(ps)
	for i, c := range cs {
		turned = append(turned, newStanding(on, c.Hunks, !set[i].applied))
	}
	return turned, beside
}

func asChanges(sts []*standing) []*Change {
	var out []*Change
	for _, st := range sts {
		c := &Change{Hunks: slices.Clone(st.hunks), State: Staged}
		if st.applied {
			c.State = Applied
		}
		out = append(out, c)
	}
	return out
}

// beside are the standings of other changes on the same ground.
func (d *Document) beside(c *Change, on *ground) []*standing {
	var out []*standing
	for _, o := range d.changes {
		if o != c && !o.file() && o.last != nil && o.last.ground == on && o.State != Rejected {
			out = append(out, o.last)
		}
	}
	return out
}

// here is the ground of changes that stand in the base as it is.
func (d *Document) here() *ground {
	for _, c := range d.changes {
		if !c.file() && c.last != nil && len(c.last.ground.edits) == 0 {
			return c.last.ground
		}
	}
	return newGround(d.Base)
}

// stand notes that a change stands in the base.
func (c *Change) stand(on *ground, applied bool) {
	if c.file() {
		return
	}
	c.last = newStanding(on, slices.Clone(c.Hunks), applied)
	c.Hunks, c.says, c.Covered = slices.Clone(c.last.hunks), kept, false
}

// founded lets the changes of d that stand in the base for certain stand there from now
// on. It happens where somebody decides, and nowhere else: how a text came about must
// not matter. It reports whether one does that did not before.
func (d *Document) founded(owners map[string]bool) (anew bool) {
	if d.Gone() {
		return false
	}
	d.rank()
	on := d.here()
	for _, c := range d.changes {
		c.Yields = c.Yields && c.Clash
		if c.file() || !owners[c.Owner] {
			continue
		}
		was := c.last
		if c.last == nil {
			c.stand(on, c.State == Applied)
		}
		if undone := c.last.applied && c.State != Applied; undone {
			if c.over != nil {
				c.last, c.over, anew = c.over, nil, true
				continue
			}
			c.stand(on, false)
		}
		switch {
		case c.last.ground == on, c.held():
		case c.State == Staged, c.State == Applying && c.reads(d.Base), c.State == Rejected && c.says == kept && c.reads(d.Base):
			c.stand(on, false)
		case c.State == Applied && (c.says == kept) == c.last.applied && c.says != neither:
			c.stand(on, true)
		}
		anew = anew || c.last != was
		c.ranked(on)
	}
	return anew
}

// ranked gives the hunks of a change, where it stood, the ranks that they have among those of all letters now, and those
// of one that waits in this very text the form in which they lie on no other letter: it keeps to that from now on.
func (c *Change) ranked(on *ground) {
	hs, same := slices.Clone(c.last.hunks), c.last.ground != on || c.State != Staged || c.inForm()
	if !same {
		hs = slices.Clone(c.Hunks)
	}
	for i := range hs {
		rank := c.Hunks[min(i, len(c.Hunks)-1)].Rank
		same = same && hs[i].Rank == rank
		hs[i].Rank = rank
	}
	if !same {
		c.last = newStanding(c.last.ground, hs, c.last.applied)
	}
}
