package editing

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file is what a journal tells of the texts in which changes stood, and how a
// restart finds them by it.

// Stood is what a record tells of the text in which a change last stood: its hunks
// there, with the lines that they rest on.
type Stood struct {
	Hash    string `json:"hash"`
	Applied bool   `json:"applied,omitempty"`
	Hunks   []Hunk `json:"hunks"`
	alone   bool   // nothing of it is taken in, or out, with others
}

// record is what a journal keeps of a standing.
func (st *standing) record() *Stood {
	if st == nil {
		return nil
	}
	out := &Stood{Hash: st.text.Hash().String(), Applied: st.applied, Hunks: slices.Clone(st.hunks)}
	for i := range out.Hunks {
		h := &out.Hunks[i]
		p := placeOf(st.text, *h)
		if st.applied {
			p = placeAt(st.text, h.Start, h.End, h.Old)
		}
		h.Place = &p
	}
	return out
}

// told is where the record of a change says that it stood last.
func (c *Change) told() *Stood {
	st := &Stood{Hash: c.BaseHash, Applied: c.State == Applied, Hunks: c.Hunks}
	if c.Stood != nil {
		st = c.Stood
	}
	st.alone = c.State == Rejected
	return st.checked()
}

// checked is nil where the hunks do not stand as their places tell.
func (st *Stood) checked() *Stood {
	if st == nil || len(st.Hunks) == 0 {
		return nil
	}
	for _, h := range st.Hunks {
		p := h.Place
		if p == nil || h.Held || h.Old != "" && h.End-h.Start != p.End-p.Start {
			return nil
		}
		if is, _ := h.sides(st.Applied); p.is() != is {
			return nil
		}
	}
	return st
}

// together makes standings of what records tell. Those that stood in one text are
// put into it side by side: the offsets say where each line was.
func together(all []*Stood, base text.Text) map[*Stood]*standing {
	byText := map[string][]*Stood{}
	for _, st := range all {
		if st != nil {
			byText[st.Hash] = append(byText[st.Hash], st)
		}
	}
	out := map[*Stood]*standing{}
	for _, set := range byText {
		sheet, moved := sheetOf(set)
		if len(sheet) == 0 {
			continue
		}
		t := text.New(string(sheet))
		since := &course{edits: wholeEdit(t, base.String())}
		for _, s := range set {
			st := &standing{text: t, applied: s.Applied, since: since}
			for _, h := range s.Hunks {
				n := moved(h.Start)
				h.Start, h.End, h.Place = h.Start+n, h.End+n, nil
				st.hunks = append(st.hunks, h)
			}
			out[s] = st
		}
		for _, s := range set {
			for _, o := range set {
				if o != s && !o.alone && !overlap(s.Hunks, o.Hunks) {
					out[s].peers = append(out[s].peers, peer{out[o].hunks, o.Applied})
				}
			}
		}
	}
	return out
}

// sheetOf is what records tell of one text, with a line that says so where it is
// not known, and how far an offset moves into it. It is empty where they contradict
// each other.
func sheetOf(set []*Stood) (sheet []byte, moved func(int) int) {
	type part struct {
		at   int
		text string
		ends bool
	}
	var parts []part
	for _, s := range set {
		for _, h := range s.Hunks {
			p, at := h.Place, h.edit().Start
			if s.Applied {
				at = h.Start
			}
			parts = append(parts, part{at - p.Start - len(p.Before), p.Before + p.Block + p.After, !p.bounded()})
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return a.at - b.at })
	type shift struct{ from, by int }
	var shifts []shift
	end, ends := 0, false
	for i, p := range parts {
		known := end - p.at
		if known < 0 || i == 0 && p.at > 0 {
			sheet, known = append(lineEnded(sheet), unknown...), 0
		}
		if i == 0 || known == 0 {
			shifts = append(shifts, shift{p.at, len(sheet) - p.at})
		}
		if n := min(known, len(p.text)); string(sheet[len(sheet)-known:][:n]) != p.text[:n] {
			return nil, nil
		}
		if known < len(p.text) {
			sheet, end, ends = append(sheet, p.text[known:]...), p.at+len(p.text), false
		}
		ends = ends || p.ends
	}
	if !ends {
		sheet = append(lineEnded(sheet), unknown...)
	}
	return sheet, func(at int) int {
		by := 0
		for _, s := range shifts {
			if s.from <= at {
				by = s.by
			}
		}
		return by
	}
}

// lineEnded ends the last line, if there is one.
func lineEnded(s []byte) []byte {
	if len(s) == 0 || s[len(s)-1] == '\n' {
		return s
	}
	return append(s, '\n')
}

// unknown stands for lines of which a record tells nothing.
const unknown = "\x00 lines that are not known\n"

// remembered is the text in which a change stood as far as its record tells: its
// lines with those around them. What was between is not known.
func (c *Change) remembered(base text.Text) *standing {
	st, ok := c.fragments(true)
	if !ok {
		st, _ = c.fragments(false)
	}
	st.since = &course{edits: wholeEdit(st.text, base.String())}
	return st
}

// fragments puts the places of the hunks together, one over the other where they
// share lines. ok is false if the hunks do not come out in order.
func (c *Change) fragments(shared bool) (st *standing, ok bool) {
	st = &standing{applied: c.State == Applied}
	s := ""
	for _, h := range c.Hunks {
		p := h.Place
		if p == nil {
			p = &Place{Block: h.Old, End: len(h.Old), New: h.New}
		}
		part, n := p.Before+p.Block+p.After, 0
		if s == "" && (p.Before != "" || p.Head) {
			s = unknown
		}
		if shared {
			for n = min(len(s), len(part)); n > 0 && !(strings.HasSuffix(s, part[:n]) && (n == len(s) || s[len(s)-n-1] == '\n')); n-- {
			}
		}
		if n == 0 && s != "" {
			s = strings.TrimSuffix(s, "\n") + "\n" + unknown
		}
		at := len(s) - n + len(p.Before)
		s += part[n:]
		if h.Held {
			h = p.hunk(at)
		}
		h.Start, h.End, h.Place = at+p.Start, at+p.End, nil
		st.hunks = append(st.hunks, h)
	}
	if n := len(c.Hunks); n > 0 && c.Hunks[n-1].Place.bounded() {
		s = strings.TrimSuffix(s, "\n") + "\n" + unknown
	}
	st.text = text.New(s)
	for i, h := range st.hunks {
		is, _ := h.sides(st.applied)
		ok = (i == 0 || ok && st.hunks[i-1].End <= h.Start) && (h.Old == "" || st.text.Slice(h.Start, h.End) == is)
		if !ok {
			break
		}
	}
	return st, ok
}

// exact finds a change that stood when it was recorded by its own lines, of one side,
// with those around them, where lines around it are equal: a record knows no others,
// so that an alignment cannot tell which they are.
func (c *Change) exact(base text.Text) (f finding, ok bool) {
	if c.Stood != nil || !slices.ContainsFunc(c.Hunks, func(h Hunk) bool { return h.Place.amongEqual(base) }) {
		return f, false
	}
	for _, f.evidence = range []evidence{kept, turned} {
		f.hunks = c.located(base, f.evidence == turned)
		// that text is absent proves nothing
		if f.hunks != nil && !slices.ContainsFunc(f.hunks, func(h Hunk) bool { return h.Start == h.End }) {
			return f, true
		}
	}
	return f, false
}

// amongEqual reports whether a line around the block stands in the text several times.
func (p *Place) amongEqual(base text.Text) bool {
	if p == nil {
		return false
	}
	if p.Head || p.Tail { // a part of a line is aligned with none
		return true
	}
	for line := range strings.Lines(p.Before + strings.TrimLeft(p.After, "\r\n")) {
		if len(linesIn(base.String(), line, 2)) > 1 {
			return true
		}
	}
	return false
}

// located are the hunks of a recorded change where all of them read as one side, nil
// if they do not.
func (c *Change) located(base text.Text, turned bool) (out []Hunk) {
	for _, h := range c.Hunks {
		if h.Place == nil || h.Held {
			return nil
		}
		p := *h.Place
		if turned {
			p.Block, p.End = p.Block[:p.Start]+p.New+p.Block[p.End:], p.Start+len(p.New)
			p.gone = p.New == ""
		}
		at, ok := p.locate(base)
		if !ok || len(out) > 0 && at+p.Start < out[len(out)-1].End {
			return nil
		}
		h.Start, h.End, h.Place = at+p.Start, at+p.End, nil
		out = append(out, h)
	}
	return out
}
