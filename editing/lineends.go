package editing

import (
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// A text that is saved with other line ends is the same text to its letters: line
// ends belong to the place and the moment of writing.

// endedAs is the standing with the line ends of base, where all of them have become
// others.
func (st *standing) endedAs(base text.Text) *standing {
	nl := base.EOL()
	if nl == st.text.EOL() || st.text.MixedEOL() || base.MixedEOL() || !strings.Contains(base.String(), nl) {
		return st
	}
	es := lineEnds(st.text, nl)
	moved := es.Mapper()
	ended := func(hs []Hunk) []Hunk {
		out := make([]Hunk, len(hs))
		for i, h := range hs {
			h.Start, h.End = moved(h.Start, false), moved(h.End, false)
			h.Old, h.New = withEnds(h.Old, nl), withEnds(h.New, nl)
			out[i] = h
		}
		return out
	}
	next := standing{text: mustApply(st.text, es), hunks: ended(st.hunks), applied: st.applied}
	next.since = &course{edits: text.Runs(next.text.String(), base.String())}
	for _, p := range st.peers {
		next.peers = append(next.peers, peer{ended(p.hunks), p.applied})
	}
	return &next
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
