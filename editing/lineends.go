package editing

import "github.com/galley-ls/galley/editing/text"

// Line ends belong to the place and the moment of writing. Texts are compared by
// their plain lines, see text.Plain, so that one that was saved with other line ends
// is the same text to its letters.

// inBase takes what was found in the plain base to the base itself. What stands there
// reads as the base has it; what would come for it has the line ends of its place.
func (st *standing) inBase(base text.Text, f finding) {
	for i := range f.hunks {
		h, as := &f.hunks[i], st.hunks[f.hunks[i].nth]
		was := st.ground.text.EOLAt(as.edit().Start)
		nl := endingAt(base, base.FromPlain(h.edit().Start), was)
		old, new := as.Old, as.New
		h.Start, h.End, h.nth = base.FromPlain(h.Start), base.FromPlain(h.End), 0
		h.Old, h.New = asWas(h.Old, old, nl, nl == was), asWas(h.New, new, nl, nl == was)
		if h.Held {
			continue
		}
		is := &h.Old
		if st.applied != (f.evidence == turned) {
			is = &h.New
		}
		if *is != "" {
			*is = base.Slice(h.Start, h.End)
		}
	}
}

// endingAt is the line end of a place; in a text that has none, the one that was there.
func endingAt(t text.Text, at int, was string) string {
	if t.Lines() <= 1 && !t.FinalNewline() {
		return was
	}
	return t.EOLAt(at)
}

// asWas gives a plain text the line ends of a place: those that it had, if the place
// has the same.
func asWas(plain, was, nl string, same bool) string {
	if same && text.Unix(was) == plain {
		return was
	}
	return text.Ended(plain, nl)
}
