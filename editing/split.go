package editing

import (
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file cuts a change of lines in two.

// Part names lines of a change: of the text without it, and of the text with it alone.
// Both are ranges [from,to) of lines counted from 0.
type Part struct{ Old, New [][2]int }

// Split cuts a staged change: the lines that part names get a free letter, the rest keeps
// its own. Both together are exactly what the change was. A line that is replaced goes
// with what comes for it.
func Split(choice Choice, part func(*Document, *Change) Part) Op {
	return func(t *tx) Result {
		cs, r := t.chosen([]Choice{choice}, "cut", Staged)
		switch {
		case r != nil:
			return *r
		case cs[0].file():
			return refuse("state", "change %s is about a whole file (%s), so it cannot be cut; decide it as a whole", cs[0].Letter, cs[0].FileSummary())
		}
		d, c := t.change(cs[0].Letter)
		d.widen(c)
		rest, cut := c.parted(d.Base, part(d, c))
		switch {
		case len(cut) == 0:
			return t.undo(refuse("bad_arguments", "none of these lines is one that %s takes (-) or brings (+); name some of those", c.Letter))
		case len(rest) == 0:
			return t.undo(refuse("whole", "that is all of %s, or lines of it that cannot be parted: nothing would be left under the letter. Decide %s itself, or name fewer lines", c.Letter, c.Letter))
		}
		l, ok := t.letter(t.session(c.Owner, c.Session))
		if !ok {
			return t.undo(refuse("letters_full", "all %d letters wait for a decision, so there is none for the lines; decide some first", t.st.limit))
		}
		t.st.order++
		n := c.clone()
		n.Letter, n.Order, n.Revision = l, t.st.order, 0
		d.changes = append(d.changes, n)
		c.reword(d, rest)
		n.reword(d, cut)
		c.Since, n.Since = t.st.Seq, t.st.Seq
		d.yield([]*Change{c, n}) // what waits for a part of them waits for both
		t.note(c, c.State)
		t.note(n, "")
		res := touchedBy(cs)
		res.Touched = append(res.Touched, l)
		return res
	}
}

// reword gives a staged change other hunks: its next revision.
func (c *Change) reword(d *Document, hunks []Hunk) {
	if c.Hunks = hunks; !c.file() {
		c.Kind = kindOf(hunks)
	}
	c.over, c.Quoted, c.Again, c.Asked = nil, nil, nil, nil
	c.Revision++
	c.stand(d.here(), false)
}

// parted sorts the hunks of a change by whether part names lines of theirs. Insertions at
// one point keep their order by their ranks, which are wide enough apart after it.
func (c *Change) parted(base text.Text, part Part) (rest, cut []Hunk) {
	for _, p := range c.sheaves(base) {
		to := &rest
		if meetsAny(p.old, part.Old) || meetsAny(p.new, part.New) {
			to = &cut
		}
		for _, h := range p.hunks {
			if n := len(*to) - 1; n >= 0 && (*to)[n].End == h.Start && (*to)[n].Rank == h.Rank-1 { // what was one is one again
				last := &(*to)[n]
				last.End, last.Old, last.New, last.Rank = h.End, last.Old+h.Old, last.New+h.New, h.Rank
				continue
			}
			*to = append(*to, h)
		}
	}
	return rest, cut
}

func meetsAny(r [2]int, with [][2]int) bool {
	for _, w := range with {
		if r[0] < r[1] && r[0] < w[1] && w[0] < r[1] {
			return true
		}
	}
	return false
}

// sheaf is the least of a change that has lines for itself: whole ones that come, or go,
// or that come for others.
type sheaf struct {
	hunks    []Hunk
	old, new [2]int // lines of both texts
}

// sheaves cuts a change wherever it can be cut, in the order of the text. Their hunks have
// ranks between those that the change's had, see widen.
func (c *Change) sheaves(base text.Text) []sheaf {
	with, shift := mustApply(base, flipEdits([]*Change{c})), 0
	var out []sheaf
	for _, h := range c.Hunks {
		for i, u := range h.units(base) {
			u.Rank = h.Rank + i
			s := sheaf{hunks: []Hunk{u}}
			s.old, s.new = u.linesOf(base, with, shift)
			shift += len(u.New) - len(u.Old)
			if n := len(out) - 1; n >= 0 && (s.old[0] < min(s.old[1], out[n].old[1]) || s.new[0] < min(s.new[1], out[n].new[1])) {
				out[n].join(s)
				continue
			}
			out = append(out, s)
		}
	}
	return out
}

// widen makes room between the ranks of the hunks, for as many as one of cut's can be parted into.
func (d *Document) widen(cut *Change) {
	d.rank()
	room := 3
	for _, h := range cut.Hunks {
		room = max(room, 3+strings.Count(h.Old, "\n"), 3+strings.Count(h.New, "\n"))
	}
	for _, c := range d.changes {
		for i := range c.Hunks {
			c.Hunks[i].Rank *= room
		}
	}
}

func (s *sheaf) join(o sheaf) {
	s.hunks = append(s.hunks, o.hunks...)
	s.old[1], s.new[1] = max(s.old[1], o.old[1]), max(s.new[1], o.new[1])
}

// units cuts a hunk of a staged change at its line breaks: line for line, and what one side
// has more of at the end.
func (h Hunk) units(t text.Text) []Hunk {
	e := h.edit()
	cut := headed
	if h.tailed(t) {
		cut = split
	}
	old, new := cut(h.Old), cut(h.New)
	var out []Hunk
	for at := e.Start; len(old)+len(new) > 0; {
		u := Hunk{Start: at}
		u.Old, old = first(old)
		u.New, new = first(new)
		at += len(u.Old)
		u.End = at
		if nl := firstBreak(u.Old); nl != "" && nl == firstBreak(u.New) {
			u.Start, u.Old, u.New = u.Start+len(nl), u.Old[len(nl):], u.New[len(nl):]
		}
		if u.Old != u.New {
			out = append(out, u)
		}
	}
	return out
}

func first(ss []string) (string, []string) {
	if len(ss) == 0 {
		return "", nil
	}
	return ss[0], ss[1:]
}

// headed reports whether a hunk is about whole lines, each with the line break before it;
// tailed, each with its own.
func (h Hunk) headed(t text.Text) bool {
	return (h.Old == "" || startsLine(h.Old)) && (h.New == "" || startsLine(h.New)) && atLineEnd(t, h.End)
}

func (h Hunk) tailed(t text.Text) bool {
	return (h.Old == "" || endsLine(h.Old)) && (h.New == "" || endsLine(h.New)) && atLineStart(t, h.edit().Start)
}

// headed are the lines of s, each with the line break before it.
func headed(s string) (out []string) {
	nl := ""
	for _, line := range split(s) {
		if u := nl + bareLine(line); u != "" {
			out = append(out, u)
		}
		nl = lastBreak(line)
	}
	if nl != "" {
		out = append(out, nl)
	}
	return out
}

// linesOf are the lines that a hunk of one unit has for itself, of t and of the text with
// the whole change, where it stands by shift further on.
func (h Hunk) linesOf(t, with text.Text, shift int) (old, new [2]int) {
	at, end := h.Start+shift, h.Start+shift+len(h.New)
	switch {
	case h.headed(t) && atLineEnd(with, end): // behind the line before
		old, new = [2]int{t.LineOf(h.Start), t.LineOf(h.End)}, [2]int{with.LineOf(at), with.LineOf(end)}
		return [2]int{old[0] + 1, old[1] + 1}, [2]int{new[0] + 1, new[1] + 1}
	case h.tailed(t) && atLineStart(with, at): // before the next line
		return [2]int{t.LineOf(h.Start), t.LineOf(h.End)}, [2]int{with.LineOf(at), with.LineOf(end)}
	}
	return [2]int{t.LineOf(h.Start), t.LineOf(h.End) + 1}, [2]int{with.LineOf(at), with.LineOf(end) + 1}
}
