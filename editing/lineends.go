package editing

import (
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// A text that is saved with other line ends is the same text to its letters: line
// ends belong to the place and the moment of writing.

// endedAs are the standing and those beside it with the line ends of base, where all
// of them have become others.
func endedAs(base text.Text, st *standing, peers []*standing) (*standing, []*standing) {
	was, nl := st.ground.text, base.EOL()
	if nl == was.EOL() || was.MixedEOL() || base.MixedEOL() || !strings.Contains(base.String(), nl) {
		return st, peers
	}
	es := lineEnds(was, nl)
	on := newGround(mustApply(was, es))
	on.edits = wholeEdit(on.text, base.String())
	moved := es.Mapper()
	ended := func(st *standing) *standing {
		hs := make([]Hunk, len(st.hunks))
		for i, h := range st.hunks {
			h.Start, h.End = moved(h.Start, false), moved(h.End, false)
			h.Old, h.New = withEnds(h.Old, nl), withEnds(h.New, nl)
			hs[i] = h
		}
		out := newStanding(on, hs, st.applied)
		out.asked = st.asked
		return out
	}
	var beside []*standing
	for _, p := range peers {
		beside = append(beside, ended(p))
	}
	return ended(st), beside
}

// lineEnds are the edits that give a text, whose line ends are all one, other ones.
func lineEnds(t text.Text, nl string) text.Edits {
	var es text.Edits
	s, old := t.String(), t.EOL()
	for at := 0; ; {
		i := strings.Index(s[at:], old)
		if i < 0 {
			return es
		}
		at += i
		e := text.Edit{Start: at, End: at, New: "\r"}
		if nl == "\n" {
			e = text.Edit{Start: at, End: at + 1}
		}
		es = append(es, e)
		at += len(old)
	}
}

func withEnds(s, nl string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", nl)
}
