package view

import (
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// comparison is what some changes make of a text: old is the text without them,
// new the text with them. It is made from the hunks, never by comparing texts: both
// share all that the changes leave alone, whatever the size of the file.
type comparison struct {
	base     text.Text
	others   text.Edits // base → old: other letters of the owner, part of both sides
	old, new text.Text
	edits    text.Edits // old → new, word by word
	// outside says that the changes are not part of the proposed text, which is
	// then old: a conflict, or a rejected change.
	outside bool
	applied bool     // the change is part of the text as it is, which is then new
	theirs  []theirs // what other letters have written in both texts, in order
}

// found is the document of a change, with its own value of it. There is none for
// a change that left its document: it has no place any more.
func found(s *editing.Snapshot, c *editing.Change) (*editing.Document, *editing.Change) {
	d, ok := s.Document(c.Path)
	if !ok {
		return nil, nil
	}
	now, _ := d.Find(c)
	return d, now
}

// compared is what one change makes of the text that its owner reads.
func compared(s *editing.Snapshot, c *editing.Change) (v comparison, ok bool) {
	d, c := found(s, c)
	if c == nil {
		return v, false
	}
	v, ok = d.Keep(c, func() any { return reading(d, c) }).(comparison)
	return v, ok
}

func reading(d *editing.Document, c *editing.Change) comparison {
	own := func(o *editing.Change) bool { return o == c }
	if c.Proposes() {
		return together(d, c.Owner, own)
	}
	v := apart(c, d.Base, d.Proposed(c.Owner), d.Staged(c.Owner))
	v.besides(d, c.Owner, own)
	return v
}

// alone is what one change makes of the text as it is, as if it were the only one.
func alone(d *editing.Document, c *editing.Change) comparison {
	if !c.Proposes() {
		return apart(c, d.Base, d.Base, nil)
	}
	v := comparison{base: d.Base, old: d.Base, edits: disjoint(c.Edits(), d.Base.Len()).JoinPoints()}
	v.new = v.old.MustApply(v.edits)
	return v
}

// together compares staged changes, between the owner's other letters.
func together(d *editing.Document, owner string, in func(*editing.Change) bool) comparison {
	v := comparison{base: d.Base, new: d.Proposed(owner)}
	var undo text.Edits
	shift, all := 0, 0 // by the other letters, by all
	for _, p := range d.Pieces(owner) {
		e, delta := p.Edit, p.Edit.Delta()
		if in(p.Change) {
			v.edits = append(v.edits, e.Moved(shift))
			undo = append(undo, text.Edit{Start: e.Start + all, End: e.Start + all + len(e.New), New: d.Base.Slice(e.Start, e.End)})
		} else {
			v.others = append(v.others, e)
			shift += delta
		}
		all += delta
	}
	v.others, v.edits = v.others.JoinPoints(), v.edits.JoinPoints()
	v.old = v.new.MustApply(undo.JoinPoints())
	v.besides(d, owner, in)
	return v
}

// apart is what a change makes of a text that it is no part of, or what an applied
// one has made of it: old is then the text as its undo would leave it. The text is
// base with the edits others.
func apart(c *editing.Change, base, t text.Text, others text.Edits) comparison {
	if c.State == editing.Applied {
		undo := fine(t, text.Transform(disjoint(c.UndoEdits(), base.Len()), others, true))
		old := t.MustApply(undo)
		return comparison{base: old, old: old, new: t, edits: undo.Invert(t), applied: true}
	}
	v := comparison{base: base, others: others, old: t, outside: true}
	v.edits = fine(t, text.Transform(disjoint(c.Edits(), base.Len()), others, true))
	v.new = t.MustApply(v.edits)
	return v
}

// disjoint leaves out what overlaps the edit before: the regions of a conflict
// may have grown into one another.
func disjoint(es text.Edits, n int) text.Edits {
	var out text.Edits
	for _, e := range es {
		if next := append(out, e); next[max(0, len(out)-1):].Validate(n) == nil {
			out = next
		}
	}
	return out
}

// fine cuts edits of whole regions into words.
func fine(t text.Text, es text.Edits) text.Edits {
	var out text.Edits
	for _, e := range es {
		for _, f := range text.Diff(t.Slice(e.Start, e.End), e.New) {
			out = append(out, text.Edit{Start: e.Start + f.Start, End: e.Start + f.End, New: f.New})
		}
	}
	return out.JoinPoints()
}

// baseLine is the line of the base that a line of old comes from.
func (v comparison) baseLine(line int) int {
	if len(v.others) == 0 {
		return line
	}
	return v.base.LineOf(origin(v.others, v.old.LineStart(line)))
}

// origin is where an offset behind edits stood before them.
func origin(es text.Edits, offset int) int {
	shift := 0
	for _, e := range es {
		start := e.Start + shift
		switch {
		case offset < start:
			return offset - shift
		case offset < start+len(e.New):
			return e.Start
		}
		shift += len(e.New) - (e.End - e.Start)
	}
	return offset - shift
}

// run is a stretch of lines that changes replace: the lines [from,to) of old by
// [at,end) of new, counted from 0.
type run struct {
	from, to int
	at, end  int
	cuts     []cut
}

// cut is one edit in both texts, in bytes.
type cut struct{ start, end, at, to int }

// runs lists the changed stretches of lines in order, for people: an ending that
// a line needs because another follows is no change of the line. There is a line
// at least between two runs.
func (v comparison) runs() []run {
	var out []run
	for _, r := range v.runsBy(alike) {
		if n := len(out) - 1; n >= 0 && v.oneBlock(out[n], r) {
			out[n].join(r)
			continue
		}
		out = append(out, r)
	}
	return out
}

// oneBlock reports whether two runs are a block that goes, mostly, and that happens to
// share blank lines with the little that comes.
func (v comparison) oneBlock(p, r run) bool {
	comes := p.end - p.at + r.end - r.at
	if comes == 0 || min(p.to-p.from, r.to-r.from) < foldEnds || p.to-p.from+r.to-r.from < 2*comes {
		return false
	}
	for i := p.to; i < r.from; i++ {
		if strings.TrimSpace(v.old.Line(i)) != "" {
			return false
		}
	}
	return true
}

// runsBy lists the changed stretches; same decides which lines are unchanged.
func (v comparison) runsBy(same func(old, new string) bool) []run {
	var out []run
	for _, whole := range v.touched() {
		r := v.trimmed(whole, same)
		if r.empty() {
			r = v.trimmed(whole, identical) // only line endings change
		}
		n := len(out) - 1
		switch {
		case n >= 0 && out[n].to == r.from && out[n].end == r.at:
			out[n].join(r)
		case !r.empty():
			out = append(out, r)
		}
	}
	return out
}

func (r run) empty() bool { return r.from == r.to && r.at == r.end }

func identical(old, new string) bool { return old == new }

// alike: the last line of a text without a final newline is the same line when
// others follow it.
func alike(old, new string) bool {
	a, b := content(old), content(new)
	return a == b && (old == new || len(a) == len(old) || len(b) == len(new))
}

// content is a line without its ending.
func content(line string) string {
	s, ok := strings.CutSuffix(line, "\n")
	if !ok {
		return line
	}
	return strings.TrimSuffix(s, "\r")
}

func (r *run) join(next run) {
	r.to, r.end = next.to, next.end
	r.cuts = append(r.cuts, next.cuts...)
}

// touched lists the lines that edits stand on, each once.
func (v comparison) touched() []run {
	var out []run
	shift := 0
	for _, e := range v.edits {
		c := cut{start: e.Start, end: e.End, at: e.Start + shift, to: e.Start + shift + len(e.New)}
		shift += len(e.New) - (e.End - e.Start)
		r := run{
			from: v.old.LineOf(c.start), to: v.old.LineOf(c.end) + 1,
			at: v.new.LineOf(c.at), end: v.new.LineOf(c.to) + 1, cuts: []cut{c},
		}
		if n := len(out) - 1; n >= 0 && out[n].to > r.from {
			out[n].join(r)
			continue
		}
		out = append(out, r)
	}
	for i := range out {
		out[i].to = min(out[i].to, v.old.Lines())
		out[i].end = min(out[i].end, v.new.Lines())
	}
	return out
}

// trimmed cuts unchanged lines off both ends of a run.
func (v comparison) trimmed(r run, same func(old, new string) bool) run {
	t := r
	for t.from < t.to && t.at < t.end && same(wholeLine(v.old, t.from), wholeLine(v.new, t.at)) {
		t.from++
		t.at++
	}
	for t.from < t.to && t.at < t.end && same(wholeLine(v.old, t.to-1), wholeLine(v.new, t.end-1)) {
		t.to--
		t.end--
	}
	return t
}

// wholeLine is a line with its ending.
func wholeLine(t text.Text, line int) string {
	return t.Slice(t.LineStart(line), t.LineStart(line+1))
}
