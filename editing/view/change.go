package view

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// Changes is what waits for decisions, and what was decided, in open editing
// sessions, as people see it: the value that galley/changes sends and the terminal
// draws.
type Changes struct {
	Seq   int64
	Edits []*editing.Session
	Files []File
}

// File is a document that has changes, in the order of their places.
type File struct {
	*editing.Document
	Changes []Change
}

// Change is one letter as people see it: what it does to the text as it is, as if
// it were the only one. What an agent reads is another text, with all its letters.
type Change struct {
	*editing.Change
	Start, End       int        // its place, from its first edit to its last
	OldText, NewText string     // what stands there, and what would
	Takes            text.Edits // what taking it does; none of an applied one
	Summary          string
	Where            Where
	Stuck            string // what is in its way, if that is about files
	Lines            Lines
}

// linesAround is how many unchanged lines stand around those of a change.
const linesAround = 3

// All lists the changes of owner's open editing sessions. An empty owner means
// all agent sessions.
func All(s *editing.Snapshot, owner string) Changes {
	all := Changes{Seq: s.Seq}
	for _, ses := range s.Sessions(owner) {
		if ses.State.Open() {
			all.Edits = append(all.Edits, ses)
		}
	}
	for _, d := range s.Documents() {
		f := File{Document: d}
		for _, c := range d.Changes() {
			if owner == "" || c.Owner == owner {
				f.Changes = append(f.Changes, Of(s, c))
			}
		}
		if len(f.Changes) > 0 {
			all.Files = append(all.Files, f)
		}
	}
	return all
}

// ByLetter lists the changes of all files by their letters.
func (all Changes) ByLetter() []Change {
	var out []Change
	for _, f := range all.Files {
		out = append(out, f.Changes...)
	}
	slices.SortStableFunc(out, func(a, b Change) int { return strings.Compare(a.Letter, b.Letter) })
	return out
}

// Of is one change as people see it. One whose editing session is closed has no
// place any more: its lines come without numbers and context.
func Of(s *editing.Snapshot, c *editing.Change) Change {
	d, now := found(s, c)
	if now == nil {
		return Change{Change: c, Summary: BareSummary(c), Where: lengths(c), Lines: bareLines(c)}
	}
	type key struct{ *editing.Change }
	out, _ := d.Keep(key{now}, func() any { return shownOn(d, now) }).(Change)
	out.Stuck, _ = s.Stuck(now)
	return out
}

func shownOn(d *editing.Document, c *editing.Change) Change {
	v := alone(d, c)
	out := Change{Change: c, Summary: v.summary(), Where: v.where(), Lines: v.lines(around(linesAround))}
	if c.Kind.File() {
		out.Summary = c.FileSummary()
	}
	out.Start, out.End = Extent(c)
	out.OldText = d.Base.Slice(out.Start, out.End)
	out.NewText = out.OldText
	switch {
	case c.State == editing.Applied:
		out.OldText = replaced(d.Base, out.Start, out.End, c.UndoEdits())
	case c.Kind.File():
		out.NewText = replaced(d.Base, out.Start, out.End, c.Edits())
	default:
		out.Takes = c.Edits()
		out.NewText = replaced(d.Base, out.Start, out.End, out.Takes)
	}
	return out
}

// Extent is the place of a change in the text as it is.
func Extent(c *editing.Change) (start, end int) {
	if len(c.Hunks) == 0 {
		return 0, 0
	}
	return c.Start(), max(c.Start(), c.Hunks[len(c.Hunks)-1].End)
}

// replaced is the text of [start,end) with edits made. Edits that do not follow
// one another (the grown places of a conflict) are left out.
func replaced(t text.Text, start, end int, es text.Edits) string {
	var b strings.Builder
	at := start
	for _, e := range es {
		if e.Start < at || e.End > end {
			continue
		}
		b.WriteString(t.Slice(at, e.Start) + e.New)
		at = e.End
	}
	b.WriteString(t.Slice(at, max(at, end)))
	return b.String()
}
