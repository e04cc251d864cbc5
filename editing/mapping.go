package editing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file maps edits of the text that the agent sees to hunks of the base.

// mapped turns edits of owner's proposed text into hunks of the base, with the
// changes that these hunks amend.
func (d *Document) mapped(owner string, es text.Edits) ([]*Change, []Hunk, *Result) {
	set := map[*Change]bool{}
	for {
		touched, rest := d.meet(owner, es, set)
		for _, c := range touched {
			if c.State == Applying {
				r := d.barredBy(c, owner)
				return nil, nil, &r
			}
		}
		base, err := d.toBase(es, touched, rest)
		if err != nil {
			r := refuse("bad_arguments", "the edit does not fit the text: %v", err)
			return nil, nil, &r
		}
		o := between(base, rest)
		base = effective(d.Base, base)
		hunks := hunksOf(d.Base, base, len(touched) > 0, rest)
		if o == nil {
			o = beside(hunks, rest)
		}
		if o != nil {
			set[o] = true
			continue
		}
		if r := d.barred(owner, base, touched); r != nil {
			return nil, nil, r
		}
		return touched, hunks, nil
	}
}

// effective drops edits that change nothing. The others stay as they are: cut to
// whole words, for people.
func effective(t text.Text, es text.Edits) text.Edits {
	return slices.DeleteFunc(slices.Clone(es), func(e text.Edit) bool { return t.Slice(e.Start, e.End) == e.New })
}

// between finds a change of the rest that inserts inside one of the edits: what
// the edits join cannot have it in its middle.
func between(es text.Edits, rest []span) *Change {
	for _, e := range es {
		for _, s := range rest {
			if s.e.Start == s.e.End && e.Start < s.e.Start && s.e.Start < e.End {
				return s.c
			}
		}
	}
	return nil
}

// beside finds a change of the rest that inserts where one of the hunks inserts:
// two insertions at one point are one change. So are a lone \r and the \n behind it.
func beside(hunks []Hunk, rest []span) *Change {
	for _, h := range hunks {
		for _, s := range rest {
			own := s.c.Hunks[s.i]
			if h.Old == "" && s.e.Start == s.e.End && s.e.Start == h.Start || seam(h, own) || seam(own, h) {
				return s.c
			}
		}
	}
	return nil
}

// meet finds the letters of owner that the edits touch: staged ones by their
// text, conflicts by their place; and those in set. The other staged pieces are
// the rest.
func (d *Document) meet(owner string, es text.Edits, set map[*Change]bool) ([]*Change, []span) {
	all := d.spans(owner)
	for _, s := range all {
		if slices.ContainsFunc(es, s.touches) {
			set[s.c] = true
		}
	}
	for _, e := range es {
		from, to := d.ToBase(owner, e.Start, false), d.ToBase(owner, e.End, true)
		for _, c := range d.changes {
			if c.Owner == owner && c.State == Conflict && c.holds(from, to) {
				set[c] = true
			}
		}
	}
	for _, s := range all { // insertions that came to stand at one point are one
		if set[s.c] && s.e.Start == s.e.End {
			for _, o := range all {
				if o.e.Start == s.e.Start && o.e.End == s.e.Start {
					set[o.c] = true
				}
			}
		}
	}
	rest := slices.DeleteFunc(all, func(s span) bool { return set[s.c] })
	var touched []*Change
	for c := range set {
		touched = append(touched, c)
	}
	slices.SortFunc(touched, func(a, b *Change) int { return cmp.Compare(a.Order, b.Order) })
	return touched, rest
}

// holds reports whether a range of the base lies on the region of a hunk.
func (c *Change) holds(from, to int) bool {
	for _, h := range c.Hunks {
		at := h.edit()
		if from < at.End && to > at.Start || from == to && from >= at.Start && from <= at.End {
			return true
		}
	}
	return false
}

// toBase turns edits of the proposed text into edits of the base that hold what
// the touched changes wrote as well.
func (d *Document) toBase(es text.Edits, touched []*Change, rest []span) (text.Edits, error) {
	var undo text.Edits
	for _, s := range rest {
		undo = append(undo, text.Edit{Start: s.start, End: s.end, New: d.Base.Slice(s.e.Start, s.e.End)})
	}
	es = text.Transform(es, joinPoints(undo), true)
	var own []*Change
	for _, c := range touched {
		if c.State != Conflict {
			own = append(own, c)
		}
	}
	base := text.Compose(flipEdits(own), es)
	if err := base.Validate(d.Base.Len()); err != nil {
		return nil, err
	}
	return base, nil
}

// barred refuses edits on text that somebody else decides.
func (d *Document) barred(owner string, base text.Edits, touched []*Change) *Result {
	for _, c := range d.changes {
		if !c.State.Undecided() || slices.Contains(touched, c) {
			continue
		}
		if c.whole() {
			r := d.barredBy(c, owner)
			return &r
		}
		if r := d.bars(c, owner, base); r != nil {
			return r
		}
	}
	return nil
}

func (d *Document) bars(c *Change, owner string, base text.Edits) *Result {
	for _, h := range c.Hunks {
		for _, e := range base {
			from, to := e.Start, e.End
			b := block{start: h.edit().Start, end: h.End}
			if c.Owner != owner {
				b = h.block(d.Base)
				b.start, b.end = lineStart(d.Base, b.start), lineEnd(d.Base, b.end)
				from, to = lineStart(d.Base, from), max(to, lineEnd(d.Base, to))
			}
			if !(from < b.end && to > b.start || from == to && b.start == b.end && from == b.start && c.Owner != owner) {
				continue
			}
			r := d.barredBy(c, owner)
			return &r
		}
	}
	return nil
}

func (d *Document) barredBy(c *Change, owner string) Result {
	if c.Owner != owner {
		return Result{Status: StatusConflict, Code: "owned", Path: d.Path, Hint: fmt.Sprintf(
			"change %s of agent session %s holds these lines of %s; work elsewhere in the file, or wait until the user has decided it", c.Letter, c.Owner, d.Name)}
	}
	if c.State == Applying {
		return refuse("applying", "change %s is being applied by the editor right now; repeat the call when its text has arrived", c.Letter)
	}
	return Result{Status: StatusConflict, Code: "user_edit", Path: d.Path, Hint: fmt.Sprintf(
		"the user's typing and change %s meet here in %s; read the lines again with memo_read before you edit them", c.Letter, d.Name)}
}

// hunksOf makes hunks of edits of the base. Amended edits are made minimal again,
// but not so that they insert where another letter inserts: their order would
// be lost.
func hunksOf(base text.Text, es text.Edits, again bool, rest []span) []Hunk {
	var out []Hunk
	for _, e := range es {
		old, parts := base.Slice(e.Start, e.End), text.Edits{e}
		if again && old != "" && e.New != "" {
			plain := text.Diff(text.Unix(old), text.Unix(e.New))
			if fine := base.EndPlain(moved(plain, base.InPlain(e.Start))); !meets(fine, rest) {
				parts = fine
			}
		}
		for _, f := range parts {
			out = append(out, Hunk{Start: f.Start, End: f.End, Old: base.Slice(f.Start, f.End), New: f.New})
		}
	}
	return out
}

// whole widens edits that would part a \r\n: the two are one line break.
func whole(t text.Text, es text.Edits) text.Edits {
	parts := func(at int) bool { return at > 0 && at < t.Len() && t.Slice(at-1, at+1) == "\r\n" }
	var joined, out text.Edits
	for _, e := range es {
		if n := len(joined) - 1; n >= 0 && joined[n].End == e.Start && parts(e.Start) {
			joined[n] = text.Edit{Start: joined[n].Start, End: e.End, New: joined[n].New + e.New}
			continue
		}
		joined = append(joined, e)
	}
	for _, e := range joined {
		start, end := parts(e.Start), parts(e.End)
		if start {
			e.Start, e.New = e.Start-1, "\r"+e.New
		}
		if end {
			e.End, e.New = e.End+1, e.New+"\n"
		}
		if more, ok := strings.CutPrefix(e.New, t.Slice(e.Start, e.End)); ok && start {
			e.Start, e.New = e.End, more
		}
		out = append(out, e)
	}
	return out
}

// meets reports whether one of the edits inserts at the point of another letter's
// insertion.
func meets(es text.Edits, rest []span) bool {
	return slices.ContainsFunc(es, func(e text.Edit) bool {
		return e.Start == e.End && slices.ContainsFunc(rest, func(s span) bool {
			return s.e.Start == s.e.End && s.e.Start == e.Start
		})
	})
}

// canonical gives insertions of whole lines the form "behind the line before":
// then text that the user appends to that line, or begins the next one with,
// stays on its line.
func canonical(t text.Text, es text.Edits) text.Edits {
	out := slices.Clone(es)
	for i, e := range out {
		h := Hunk{Start: e.Start, End: e.End, New: e.New}
		if e.Start != e.End || startsLine(e.New) && atLineEnd(t, e.End) || !endsLine(e.New) {
			continue
		}
		if s, ok := h.slid(t); ok && s.Start < h.Start && (i == 0 || out[i-1].End < s.Start) {
			out[i] = s.edit()
		}
	}
	return out
}
