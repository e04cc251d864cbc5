package editing

import (
	"cmp"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file lets a person alter what a change proposes.

// Amendment asks for a staged change to read otherwise.
type Amendment struct {
	Choice
	Text  string // in place of what the change makes of its place
	Lines bool   // the place is whole lines, as Draft shows them
}

// Amend gives a staged change the text of a person: its next revision. Where that comes to
// lie on another letter, the one staged later waits in conflict.
func Amend(a Amendment) Op {
	return func(t *tx) Result {
		cs, r := t.chosen([]Choice{a.Choice}, "edited", Staged)
		if r != nil {
			return *r
		}
		at, ok := t.st.docs[cs[0].Path].draft(cs[0], a.Lines)
		switch {
		case !ok:
			return refuse("state", "change %s has no text to edit: %s. Apply it or reject it", cs[0].Letter, cs[0].FileSummary())
		case text.Unix(a.Text) == text.Unix(at.shown()):
			return touchedBy(cs)
		}
		d, c := t.change(cs[0].Letter)
		hunks := at.becomes(d.Base, a.Text)
		if len(hunks) == 0 {
			return t.undo(refuse("no_change", "with that text %s would change nothing; reject it, if that is what you want", c.Letter))
		}
		c.reword(d, hunks)
		c.Yours, c.Took, c.Late, c.Since = true, false, false, t.st.Seq
		t.note(c, c.State)
		t.part(d)
		return touchedBy(cs)
	}
}

// Draft is what a change makes of the lines that it edits, for a person to edit further.
// There is none of a file that goes, or gets another name.
func (d *Document) Draft(c *Change) (lines string, ok bool) {
	at, ok := d.draft(c, true)
	return at.shown(), ok
}

// draft is a place of a base, as it is and as a change makes it.
type draft struct {
	from, to int
	old, new string
	rank     int
	file     bool // there is no base
	behind   bool // whole lines, with the line break before them; they are shown with their own
	unended  bool // shown with a last line break that there is none of
	ended    bool // whole lines
}

// draft is where a person edits a change: its place, or the lines that it edits, whole.
func (d *Document) draft(c *Change, lines bool) (at draft, ok bool) {
	switch {
	case c.Kind == KindCreate:
		at = draft{file: true, new: c.content()}
	case c.file():
		return at, false
	default:
		at.from, at.to = c.Start(), c.Hunks[len(c.Hunks)-1].End
		if lines {
			at.behind = at.widen(d.Base, c.Hunks[0], c.Hunks[len(c.Hunks)-1])
		}
		at.old, at.rank = d.Base.Slice(at.from, at.to), c.Hunks[0].Rank
		var es text.Edits
		for _, e := range flipEdits([]*Change{c}) {
			es = append(es, e.Moved(-at.from))
		}
		at.new = mustApply(text.New(at.old), es).String()
	}
	at.ended = lines && !at.behind
	at.unended = at.ended && at.old+at.new != "" && !endsLine(cmp.Or(at.new, at.old))
	return at, true
}

// widen makes the place one of whole lines. It reports whether they are behind the line
// before, with its line break.
func (at *draft) widen(t text.Text, first, last Hunk) (behind bool) {
	if first.headed(t) {
		at.to = lineEnd(t, at.to)
		return true
	}
	at.from = lineStart(t, at.from)
	if !last.tailed(t) {
		at.to = t.LineStart(t.LineOf(at.to) + 1)
	}
	return false
}

// shown is what the change makes of the place, as a person edits it.
func (at draft) shown() string {
	switch {
	case at.new == "":
	case at.behind:
		return at.new[len(firstBreak(at.new)):] + "\n"
	case at.unended:
		return at.new + "\n"
	}
	return at.new
}

// becomes are the hunks that make what a person wrote of the place in t.
func (at draft) becomes(t text.Text, wrote string) []Hunk {
	wrote = text.Unix(wrote)
	switch {
	case at.behind && wrote != "":
		wrote = "\n" + strings.TrimSuffix(wrote, "\n")
	case at.unended:
		wrote = strings.TrimSuffix(wrote, "\n")
	case at.ended && wrote != "" && !endsLine(wrote):
		wrote += "\n"
	}
	if at.file {
		return []Hunk{{New: wrote}}
	}
	es := t.EndPlain(moved(text.Diff(text.Unix(at.old), wrote), t.InPlain(at.from)))
	if len(es) > mostHunks {
		es = inOne(t, es)
	}
	hunks := hunksOf(t, canonical(t, whole(t, es)), false, nil)
	for i := range hunks {
		hunks[i].Rank = at.rank
	}
	return hunks
}
