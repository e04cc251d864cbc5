package editing

import (
	"fmt"
	"math"
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
	es = d.bounded(m.Owner, p, canonical(p, whole(p, es)))
	touched, hunks, r := d.mapped(m.Owner, es)
	if r != nil {
		return nil, r
	}
	if len(touched) > 0 {
		return t.amend(d, touched, hunks, m, key), nil
	}
	return t.letterFor(d, hunks, m, key)
}

// mostHunks is how many places one change has at most.
const mostHunks = 1000

// bounded joins the nearest of too many edits of owner's proposed text p, with the
// text between them: what follows the user's typing, shows and journals a change
// pays for each of its places. Edits that a letter stands between stay apart.
func (d *Document) bounded(owner string, p text.Text, es text.Edits) text.Edits {
	if len(es) <= mostHunks {
		return es
	}
	apart := d.parts(owner)
	for n := 0; len(es) > mostHunks && len(es) != n; {
		n = len(es)
		es = pairs(p, es, apart)
	}
	return es.Trim(p)
}

// pairs joins neighbours, each with one other at most, where they are nearer than
// half of all.
func pairs(t text.Text, es text.Edits, apart func(from, to int) bool) text.Edits {
	gaps := make([]int, len(es)-1)
	for i := range gaps {
		if gaps[i] = es[i+1].Start - es[i].End; apart(es[i].End, es[i+1].Start) {
			gaps[i] = math.MaxInt
		}
	}
	near := min(slices.Sorted(slices.Values(gaps))[len(gaps)/2], math.MaxInt-1)
	var out text.Edits
	for i := 0; i < len(es); i++ {
		e := es[i]
		if i < len(gaps) && gaps[i] <= near {
			i++
			e = text.Edit{Start: e.Start, End: es[i].End, New: e.New + t.Slice(e.End, es[i].Start) + es[i].New}
		}
		out = append(out, e)
	}
	return out
}

// parts reports whether a letter stands between two offsets of owner's proposed
// text.
func (d *Document) parts(owner string) func(from, to int) bool {
	var all zones
	for _, s := range d.spans(owner) {
		all = append(all, zone{start: s.start, end: s.end})
	}
	es := d.Staged(owner)
	for _, c := range d.changes {
		for _, h := range c.Hunks {
			all = append(all, zone{start: es.Map(h.Start, false), end: es.Map(h.End, true)})
		}
	}
	all.sort()
	return all.meet
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
		Since: t.st.Seq,
	}
	c.stand(d.here(), false)
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
	c.Hunks, c.over, c.Clash, c.Yields, c.Quoted = sorted(c.Hunks), nil, false, false, nil
	c.stand(d.here(), false)
	c.Revision++
	c.Since, c.Yours = t.st.Seq, false
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
	if from == Conflict { // what it keeps may lie where another letter has come to lie
		t.part(d)
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

// Stage proposes edits of owner's proposed text as they are: for a caller that has
// worked them out itself.
func Stage(path string, m Meta, es text.Edits) Op {
	return func(t *tx) Result {
		c, refusal := t.stage(path, m, es, requestKey(fmt.Sprint(es)))
		if refusal != nil {
			return t.undo(*refusal)
		}
		return Result{Status: StatusEditing, Owner: m.Owner, Session: c.Session, Path: path, Touched: []string{c.Letter}}
	}
}
