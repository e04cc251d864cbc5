package editing

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file says what a text says of a change: its state is a function of the
// decision, the text in which the change last stood, and the text now.
// docs/rebase.md has the rules with their cases.

// standing is where a change stood for certain: with its old text, or of an applied
// change with its new one. Values are never modified.
type standing struct {
	ground  *ground
	hunks   []Hunk
	applied bool // the new text stands, and the old one would take it back
	asked   bool // the new text is looked for that an editor may have put in: only at its place
	own     []*lineBlock
}

func newStanding(on *ground, hunks []Hunk, applied bool) *standing {
	for i := range hunks {
		h := &hunks[i]
		if h.Old == "" && !h.Held && !applied {
			h.Start = h.End // what was typed at the place is the user's own
		}
		h.Held, h.Place = false, nil
	}
	st := &standing{ground: on, hunks: hunks, applied: applied}
	st.own = blocks(st.was(), st.inLines(), applied)
	return st
}

// all reports whether the change is about all of a text, and is compared by whole lines.
func (st *standing) all() bool {
	return len(st.hunks) == 1 && st.hunks[0].Start == 0 && st.hunks[0].End == st.ground.text.Len() && !st.bare()
}

// inLines are the hunks as they are compared: all of a text ends as a text does there.
func (st *standing) inLines() []Hunk {
	hs := slices.Clone(st.hunks)
	for i := range hs {
		h, t := &hs[i], st.ground.text
		h.Start, h.End, h.nth = t.InPlain(h.Start), t.InPlain(h.End), i
		h.Old, h.New = text.Unix(h.Old), text.Unix(h.New)
	}
	if st.all() {
		h := &hs[0]
		h.Old, h.New = ended(text.New(h.Old)).String(), ended(text.New(h.New)).String()
		is, _ := h.sides(st.applied)
		h.End = len(is)
	}
	return hs
}

// asInBase takes a hunk of inLines to the plain base, where it is turned or not.
func (st *standing) asInBase(base text.Text, h Hunk, turned bool) Hunk {
	n := base.Len()
	there, _ := h.sides(st.applied != turned)
	switch {
	case h.Held:
	case there == "" && h.End == n: // nothing comes behind it
		h.Old, h.New = text.Unix(st.hunks[0].Old), text.Unix(st.hunks[0].New)
	case there != "" && h.Start < n && h.End > n:
		h.Old, h.New, h.End = strings.TrimSuffix(h.Old, "\n"), strings.TrimSuffix(h.New, "\n"), n
	}
	return h
}

// was is the text of the ground as it is compared.
func (st *standing) was() text.Text {
	if st.bare() {
		return st.ground.text.Plain()
	}
	return st.ground.lines
}

// evidence is what a text says of a change.
type evidence int

const (
	kept    evidence = iota // what stood does so still
	turned                  // its other side stands there now
	neither                 // the place reads otherwise, or is gone
)

// finding is what the base says of a change, with its hunks there.
type finding struct {
	evidence evidence
	hunks    []Hunk
	at       int  // where a block that is turned begins
	anew     bool // the texts are not those that the change had, see carried
}

// after is the standing once the base has moved further.
func (st *standing) after(es text.Edits) *standing {
	if st == nil {
		return nil
	}
	next := *st
	next.ground = st.ground.after(es)
	return &next
}

// look finds out what the base says of the change. Peers are what else stood on its
// ground, and may be taken in or out with it.
func (st *standing) look(base text.Text, peers []*standing) finding {
	l, plain := newLooker(st, base, peers), base.Plain()
	var f finding
	if f.evidence = neither; len(l.own) > 0 {
		f.evidence = l.findAll()
	}
	for i, g := range l.own {
		p := l.found[i]
		if f.evidence == neither && p.evidence == turned { // one side here, the other there
			p.hunks = []Hunk{l.hold(g, g.start, g.end, p.at, p.at+len(l.turn(g.start, g.end, g)), g)}
		}
		f.hunks, f.anew = append(f.hunks, p.hunks...), f.anew || p.anew
	}
	f.hunks = l.formed(sorted(f.hunks))
	for i, h := range f.hunks {
		if st.all() {
			h = st.asInBase(plain, h, f.evidence == turned)
			f.hunks[i] = h
		}
		if h.End > plain.Len() {
			f.hunks[i] = unended(plain, h)
		}
	}
	f.hunks = apart(f.hunks)
	if f.evidence == kept {
		f.doubt(plain, st.applied)
	}
	st.inBase(base, f)
	return f
}

// touched reports whether the user has been on the lines of the change, or at their place.
func (st *standing) touched(base text.Text) bool {
	l := st.ground.sight(base, st.bare())
	return slices.ContainsFunc(st.own, func(g *lineBlock) bool {
		_, meets := l.meet(g)
		return meets
	})
}

// beyond is what the base says of the change once others are taken for turned: what came for
// their lines did not come for it.
func (st *standing) beyond(base text.Text, turns, peers []*standing) finding {
	turns = slices.DeleteFunc(slices.Clone(turns), func(o *standing) bool { return o == st || overlap(o.hunks, st.hunks) })
	none := finding{evidence: neither}
	if len(turns) == 0 {
		return none
	}
	rest := slices.DeleteFunc(slices.Clone(peers), func(o *standing) bool { return slices.Contains(turns, o) })
	now, beside := st.ground.flipped(turns, append(rest, st))
	if now == nil {
		return none
	}
	last := len(beside) - 1
	return beside[last].look(base, append(now, beside[:last]...))
}

// arrived is what the base says of a change that an editor was asked to put in: whether the
// new text stands at its place, as if it had come first, and the user's edits after it.
func (st *standing) arrived(base text.Text, peers []*standing) (finding, bool) {
	st, peers = st.taken(peers)
	f := st.look(base, peers)
	return f, f.evidence == kept
}

// taken is where the change would stand if it had been taken in before all edits.
func (st *standing) taken(peers []*standing) (*standing, []*standing) {
	own, beside := st.ground.flipped([]*standing{st}, peers)
	own[0].asked = true
	return own[0], beside
}

// inOne is edits of t as one: among equal lines, which of them came is for the lines to say.
func inOne(t text.Text, es text.Edits) text.Edits {
	if len(es) < 2 {
		return es
	}
	first, last := es[0].Start, es[len(es)-1].End
	part := make(text.Edits, len(es))
	for i, e := range es {
		part[i] = text.Edit{Start: e.Start - first, End: e.End - first, New: e.New}
	}
	return text.Edits{{Start: first, End: last, New: mustApply(text.New(t.Slice(first, last)), part).String()}}
}

// doubt makes a conflict of what should stand, and does not read so byte for byte:
// the last line break may be another one.
func (f *finding) doubt(base text.Text, applied bool) {
	for i := range f.hunks {
		h := &f.hunks[i]
		if is, _ := h.sides(applied); is != "" && base.Slice(h.Start, min(h.End, base.Len())) != is {
			h.End = min(h.End, base.Len())
			h.Held, f.evidence = true, neither
		}
	}
}

// findAll finds every block, and says what they say together.
func (l *looker) findAll() evidence {
	var seen [neither + 1]int
	for _, g := range l.own {
		p := finding{evidence: neither}
		if g.start >= l.covered {
			p = l.find(g)
		}
		seen[p.evidence]++
		l.found = append(l.found, p)
	}
	switch len(l.own) {
	case seen[kept]:
		return kept
	case seen[turned]:
		return turned
	}
	return neither
}

// apart keeps regions out of each other and of what stands.
func apart(hs []Hunk) []Hunk {
	for i := 1; i < len(hs); i++ {
		last, h := &hs[i-1], &hs[i]
		switch {
		case h.edit().Start >= last.End && h.Start >= last.Start:
		case h.Held:
			h.Start = max(h.Start, last.End)
			h.End = max(h.Start, h.End)
		default:
			last.End = max(last.Start, min(last.End, h.Start))
		}
	}
	return hs
}

// A last line without its ending is compared as if it had one: whether a text
// ends with a line break says nothing about its lines, unless that is what a
// change is about.

func ended(t text.Text) text.Text {
	if t.Len() == 0 || t.FinalNewline() {
		return t
	}
	return mustApply(t, text.Edits{{Start: t.Len(), End: t.Len(), New: "\n"}})
}

func endedEdits(was, now text.Text, es text.Edits) text.Edits {
	if n := ended(was).Len(); n > was.Len() {
		es = text.Compose(text.Edits{{Start: was.Len(), End: n}}, es)
	}
	if ended(now).Len() > now.Len() {
		es = text.Compose(es, text.Edits{{Start: now.Len(), End: now.Len(), New: "\n"}})
	}
	return es
}

// bare reports whether the change makes or takes the last line break.
func (st *standing) bare() bool {
	for _, h := range st.hunks {
		is, other := h.sides(st.applied)
		if h.End < st.ground.text.Len() || is == other {
			continue
		}
		ends := endsLine(other) || other == "" && h.Start > 0 && atLineStart(st.ground.text, h.Start)
		if ends != st.ground.text.FinalNewline() && st.ground.text.Len() > 0 {
			return true
		}
	}
	return false
}

// unended takes a hunk of ended(t), a plain text, to t.
func unended(t text.Text, h Hunk) Hunk {
	n := t.Len()
	cut := func(s string) string { return strings.TrimSuffix(s, "\n") }
	switch {
	case h.Start > n:
		h.Start, h.End = n, n
		if h.Held || h.Old != "" {
			h.Old = "\n" + cut(h.Old)
		}
		h.New = "\n" + cut(h.New)
	case h.Old == "" && !h.Held:
		h.Start, h.End, h.New = min(h.Start, n), n, "\n"+cut(h.New)
	case h.New == "" && h.Start > 0: // the last lines go with the break before them
		before := breakBefore(t, h.Start)
		h.Start, h.End, h.Old = h.Start-len(before), n, before+cut(h.Old)
	default:
		h.End, h.Old, h.New = n, cut(h.Old), cut(h.New)
	}
	return h
}
