package editing

import (
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// Meta is what every staging carries besides the text.
type Meta struct {
	Owner  string // agent session
	Task   int    // 0: none
	Turn   int    // iteration of the agent session
	Reason string // the agent's
}

// span is a piece of a staged change with its range in the proposed text.
type span struct {
	piece
	start, end int
}

// spans lists the pieces of owner's staged changes in the proposed text.
func (d *Document) spans(owner string) []span {
	set := d.proposals(owner)
	delta := 0
	var out []span
	for _, p := range pieces(set) {
		start := p.e.Start + delta
		out = append(out, span{p, start, start + len(p.e.New)})
		delta += len(p.e.New) - (p.e.End - p.e.Start)
	}
	return out
}

// touches reports whether an edit of the proposed text changes what the piece
// wrote, or inserts at the place of an insertion or a deletion.
func (s span) touches(e text.Edit) bool {
	insertion := e.Start == e.End
	point := s.e.Start == s.e.End || s.start == s.end
	switch {
	case insertion && point:
		return e.Start >= s.start && e.Start <= s.end
	case insertion:
		return e.Start > s.start && e.Start < s.end
	case s.start == s.end:
		return e.Start < s.start && s.start < e.End
	}
	return e.Start < s.end && e.End > s.start
}

// stage puts edits of owner's proposed text into the state as one change: a new
// letter, or an amendment of the letters whose text they touch.
func (t *tx) stage(path string, m Meta, es text.Edits, key string) (*Change, *Result) {
	d := t.doc(path)
	p := d.Proposed(m.Owner)
	es = canonical(p, whole(p, es))
	touched, hunks, r := d.mapped(m.Owner, es)
	if r != nil {
		return nil, r
	}
	if len(touched) > 0 {
		return t.amend(d, touched, hunks, m, key), nil
	}
	return t.letterFor(d, hunks, m, key)
}

// letterFor stages hunks under a new letter.
func (t *tx) letterFor(d *Document, hunks []Hunk, m Meta, key string) (*Change, *Result) {
	ses := t.open(m.Owner, m.Task)
	l, ok := t.letter(ses)
	if !ok {
		r := refuse("letters_full", "all %d letters wait for a decision; commit (memo_commit), revert or wait for the user's review before you stage more. Nothing was lost", t.st.limit)
		return nil, &r
	}
	t.st.order++
	c := &Change{
		Letter: l, Revision: 1, Owner: m.Owner, Session: ses.N, Task: m.Task, Turn: m.Turn, Order: t.st.order,
		Path: d.Path, Name: d.Name, Kind: kindOf(hunks), State: Staged, Reason: m.Reason, Hunks: hunks, Asked: []string{key},
	}
	d.changes = append(d.changes, c)
	t.note(c, "")
	return c, nil
}

// amend gives the earliest touched letter the new hunks; the others are merged
// into it. A change that is amended into nothing is closed.
func (t *tx) amend(d *Document, touched []*Change, hunks []Hunk, m Meta, key string) *Change {
	c := touched[0]
	for _, o := range touched[1:] {
		t.move(o, Merged, "into "+c.Letter)
		t.retire(d, o)
		t.closeEmpty(o)
	}
	c.Hunks = append(c.keepers(touched, hunks), hunks...)
	c.Hunks, c.last, c.over, c.Clash = sorted(c.Hunks), nil, nil, false
	c.Revision++
	c.amended(d)
	c.Asked = append(slices.Clip(c.Asked), key)
	if m.Reason != "" {
		c.Reason = m.Reason
	}
	from := c.State
	c.State, c.Verdict = Staged, ""
	if len(c.Hunks) == 0 {
		c.State = from
		t.move(c, Closed, "the agent undid it")
		t.retire(d, c)
		return c
	}
	t.note(c, from)
	if from == Conflict && !d.fits(c) { // what it keeps lies where another letter has come to lie
		t.hold(d, c)
	}
	return c
}

// keepers are the hunks of a change in conflict that still stand on their old
// text: an amendment of the place in conflict leaves them, where it is elsewhere.
func (c *Change) keepers(touched []*Change, hunks []Hunk) []Hunk {
	if c.State != Conflict || len(touched) > 1 {
		return nil
	}
	var keep []Hunk
	for _, h := range c.Hunks {
		clash := slices.ContainsFunc(hunks, func(g Hunk) bool { return g.Start <= h.End && g.End >= h.Start })
		if !h.Held && !clash {
			keep = append(keep, h)
		}
	}
	return keep
}

// closeEmpty closes a proposed session that has only merged letters left.
func (t *tx) closeEmpty(o *Change) {
	ses, ok := t.st.Session(o.Owner, o.Session)
	if !ok || ses.State != Proposed {
		return
	}
	for _, c := range t.st.Of(o.Owner, o.Session) {
		if c.State != Merged {
			return
		}
	}
	t.close(t.session(o.Owner, o.Session), Committed)
}
