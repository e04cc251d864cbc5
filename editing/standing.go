package editing

import "github.com/galley-ls/galley/editing/text"

// This file says what a text says of a change: its state is a function of the
// decision, the text in which the change last stood, and the text now.
// docs/rebase.md has the rules with their cases.

// standing is a text in which a change stood for certain: its old text, or of an
// applied change its new one. Values are never modified.
type standing struct {
	text    text.Text
	hunks   []Hunk
	applied bool    // the new text stands, and the old one would take it back
	since   *course // from text to the base
	peers   []peer  // what else stood there, and may be taken in or out with it
}

// peer is another change that stood in the same text.
type peer struct {
	hunks   []Hunk
	applied bool
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
	near     bool // text of the user's has come to its very place: where it stood last says more than the base
}

// after is the standing once the base has moved further.
func (st *standing) after(es text.Edits) *standing {
	if st == nil {
		return nil
	}
	next := *st
	next.since = st.since.then(es)
	return &next
}

// look finds out what the base says of the change.
func (st *standing) look(base text.Text) finding {
	st = st.endedAs(base)
	l := newLooker(st, base)
	var f finding
	if f.evidence = neither; len(l.own) > 0 {
		f.evidence = l.findAll()
	}
	for i, g := range l.own {
		p := l.found[i]
		f.near = f.near || p.near
		if f.evidence == neither && p.evidence == turned { // one side here, the other there
			p.hunks = []Hunk{l.hold(g, g.start, g.end, p.at, p.at+len(l.turn(g.start, g.end, g)), g)}
		}
		for _, h := range p.hunks {
			if h.End > base.Len() {
				h = unended(base, h)
			}
			f.hunks = append(f.hunks, h)
		}
	}
	f.hunks = sorted(f.hunks)
	for i := 1; i < len(f.hunks); i++ { // new lines whose line before is one that goes
		h, end := f.hunks[i], f.hunks[i-1].End
		if s, ok := h.slid(base); ok && h.edit().Start < end && s.Start >= end {
			f.hunks[i] = s
		}
	}
	f.hunks = apart(f.hunks)
	if f.evidence == kept {
		f.doubt(base, st.applied)
	}
	return f
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

// stretch says that lines [a0,a1) of the text that stood are [b0,b1) of the base, in
// bytes. All between stretches is equal.
type stretch struct{ a0, a1, b0, b1 int }

// stretches are the lines that edits of was change, aligned anew: how the edits are cut
// says nothing.
func stretches(was, now text.Text, es text.Edits) []stretch {
	var wide []stretch
	shift := 0
	for _, e := range es {
		r := stretch{a0: lineStart(was, e.Start), a1: e.End}
		if end := e.Start + shift + len(e.New); !atLineStart(was, e.End) || !atLineStart(now, end) {
			r.a1 = was.LineStart(was.LineOf(e.End) + 1)
		}
		r.b0 = r.a0 + shift
		shift += len(e.New) - (e.End - e.Start)
		r.b1 = r.a1 + shift
		if n := len(wide) - 1; n >= 0 && r.a0 <= wide[n].a1 {
			wide[n].a1 = max(wide[n].a1, r.a1)
			wide[n].b1 = wide[n].a1 + shift
			continue
		}
		wide = append(wide, r)
	}
	var out []stretch
	for _, r := range wide {
		shift := r.b0 - r.a0
		for _, e := range text.Runs(was.Slice(r.a0, r.a1), now.Slice(r.b0, r.b1)) {
			b0 := r.a0 + e.Start + shift
			out = append(out, stretch{r.a0 + e.Start, r.a0 + e.End, b0, b0 + len(e.New)})
			shift += len(e.New) - (e.End - e.Start)
		}
	}
	return out
}

// A last line without its ending is compared as if it had one: whether a text
// ends with a line break says nothing about its lines, unless that is what a
// change is about.

func ended(t text.Text) text.Text {
	if t.Len() == 0 || t.FinalNewline() {
		return t
	}
	return mustApply(t, text.Edits{{Start: t.Len(), End: t.Len(), New: t.EOL()}})
}

func endedEdits(was, now text.Text, es text.Edits) text.Edits {
	if n := ended(was).Len(); n > was.Len() {
		es = text.Compose(text.Edits{{Start: was.Len(), End: n}}, es)
	}
	if ended(now).Len() > now.Len() {
		es = text.Compose(es, text.Edits{{Start: now.Len(), End: now.Len(), New: now.EOL()}})
	}
	return es
}

// bare reports whether the change makes or takes the last line break.
func (st *standing) bare() bool {
	for _, h := range st.hunks {
		is, other := h.sides(st.applied)
		if h.End < st.text.Len() || is == other {
			continue
		}
		ends := endsLine(other) || other == "" && h.Start > 0 && atLineStart(st.text, h.Start)
		if ends != st.text.FinalNewline() && st.text.Len() > 0 {
			return true
		}
	}
	return false
}

// unended takes a hunk of ended(t) to t.
func unended(t text.Text, h Hunk) Hunk {
	n, nl := t.Len(), t.EOL()
	cut := func(s string) string {
		if endsLine(s) {
			return s[:len(s)-len(breakOf(s))]
		}
		return s
	}
	switch {
	case h.Start > n:
		h.Start, h.End = n, n
		if h.Held || h.Old != "" {
			h.Old = nl + cut(h.Old)
		}
		h.New = nl + cut(h.New)
	case h.Old == "" && !h.Held:
		h.Start, h.End, h.New = min(h.Start, n), n, nl+cut(h.New)
	case h.New == "" && h.Start > 0: // the last lines go with the break before them
		before := breakBefore(t, h.Start)
		h.Start, h.End, h.Old = h.Start-len(before), n, before+cut(h.Old)
	default:
		h.End, h.Old, h.New = n, cut(h.Old), cut(h.New)
	}
	return h
}

func breakOf(s string) string {
	if len(s) > 1 && s[len(s)-2:] == "\r\n" {
		return "\r\n"
	}
	return "\n"
}
