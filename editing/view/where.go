package view

import (
	"unicode/utf8"

	"github.com/galley-ls/galley/editing"
)

// Where says where a change is, in numbers for people and models: lines from 1
// and code points, both in its owner's proposed text. A conflict is where the
// user's text is. A change whose editing session is closed has no place: Line 0.
type Where struct {
	Line, EndLine int // of its first place; of a deletion the lines that go
	Position      int // of the text that the agent named; where it named none, of the first place
	OldLength     int // code points of that text; else those that go, in all places
	Delta         int // code points that the text grows by
}

// WhereIs says where a change is.
func WhereIs(s *editing.Snapshot, c *editing.Change) Where {
	v, ok := compared(s, c)
	if !ok {
		return lengths(c)
	}
	w := v.where()
	if d, now := found(s, c); now.Quoted != nil && now.Proposes() {
		if rs := d.Ranges(now.Owner, now); len(rs) > 0 {
			w.Position, w.OldLength = v.new.CharsBefore(rs[0][0])-now.Quoted.Before, now.Quoted.Length
		}
	}
	return w
}

func lengths(c *editing.Change) Where {
	var w Where
	for _, h := range c.Hunks {
		n := utf8.RuneCountInString(h.Old)
		w.OldLength += n
		w.Delta += utf8.RuneCountInString(h.New) - n
	}
	return w
}

func (v comparison) where() Where {
	var w Where
	for _, e := range v.edits {
		n := utf8.RuneCountInString(v.old.Slice(e.Start, e.End))
		w.OldLength += n
		w.Delta += utf8.RuneCountInString(e.New) - n
	}
	rs := v.runs()
	if len(rs) == 0 { // nothing is to be seen of it: the user has changed the line end themselves
		for _, e := range v.edits[:min(1, len(v.edits))] {
			w.Line, w.EndLine = v.old.LineOf(e.Start)+1, v.old.LineOf(e.Start)+1
			w.Position = v.old.CharsBefore(e.Start)
		}
		return w
	}
	r := rs[0]
	c := r.cuts[0]
	if v.outside {
		w.Line, w.EndLine = r.from+1, max(r.from+1, r.to)
		w.Position = v.old.CharsBefore(max(c.start, v.old.LineStart(r.from)))
		return w
	}
	lines := r.end - r.at
	if lines == 0 {
		lines = r.to - r.from
	}
	w.Line, w.EndLine = r.at+1, r.at+lines
	w.Position = v.new.CharsBefore(max(c.at, v.new.LineStart(r.at)))
	return w
}
