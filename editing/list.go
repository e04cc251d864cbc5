package editing

import (
	"slices"

	"github.com/galley-ls/galley/editing/match"
	"github.com/galley-ls/galley/editing/text"
)

// list is a list of candidates that the agent was shown. It is sticky: its
// letters mean the same places however the text moves, until its editing
// session closes. Offsets are in the owner's proposed text.
type list struct {
	Owner   string `json:"owner"`
	Session int    `json:"edit"`
	Key     string `json:"key"` // of (path, old text)
	Marks   []mark `json:"marks"`
	Near    bool   `json:"near,omitempty"`
	Best    string `json:"best,omitempty"` // the candidate that was recommended last
	// Request is what was asked, without a choice, for taking the recommended one.
	Request *Replacement `json:"request,omitempty"`
}

// mark is one candidate.
type mark struct {
	ID    string `json:"match_id"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Used  string `json:"used,omitempty"`  // the change it became
	Gone  bool   `json:"gone,omitempty"`  // its text is not what it was
	Text  raw    `json:"text,omitempty"`  // the matched text, to find it again after a restart
	Place *Place `json:"place,omitempty"` // in the proposed text, in records
	at    int    // Start when the picking began
}

func (l *list) clone() *list {
	m := *l
	m.Marks = slices.Clone(l.Marks)
	return &m
}

func (l *list) belongs(s *Session) bool { return l.Owner == s.Owner && l.Session == s.N }

// left counts the candidates that can still be picked.
func (l *list) left() int {
	n := 0
	for _, m := range l.Marks {
		if m.Used == "" && !m.Gone {
			n++
		}
	}
	return n
}

// find returns the index of the candidate with that id.
func (l *list) find(id string) int {
	return slices.IndexFunc(l.Marks, func(m mark) bool { return m.ID == id })
}

// moveLists moves every candidate over what this operation did to the proposed
// text of its owner: out of the old staged changes, over the change of the base,
// into the new staged changes.
func (t *tx) moveLists() {
	for path := range t.owned {
		d, old := t.st.docs[path], t.from.docs[path]
		if old == nil {
			continue
		}
		for _, l := range d.lists {
			known := slices.ContainsFunc(old.lists, func(o *list) bool { return o.Key == l.Key && o.Owner == l.Owner })
			if !known && !slices.ContainsFunc(l.Marks, func(m mark) bool { return m.Used != "" }) {
				continue // made just now, in the new text; one that was used at once is of the old one
			}
			was, now := old.Proposed(l.Owner), d.Proposed(l.Owner)
			l.move(was, now, proposedEdits(old, d, l.Owner, t.moved[path]))
		}
	}
}

// proposedEdits are the edits from owner's proposed text of old to that of d.
func proposedEdits(old, d *Document, owner string, base text.Edits) text.Edits {
	was := old.Staged(owner)
	is := d.Staged(owner)
	es := text.Compose(text.Compose(was.Invert(old.Base), base), is)
	return es.Trim(old.Proposed(owner))
}

// move moves the candidates over edits by which was became now.
func (l *list) move(was, now text.Text, es text.Edits) {
	if len(es) == 0 {
		return
	}
	es = text.PlainEdits(was, now, es).Trim(was.Plain())
	for i := range l.Marks {
		m := &l.Marks[i]
		m.Start, m.End = was.InPlain(m.Start), was.InPlain(m.End)
		m.over(es)
		m.Start, m.End = now.FromPlain(m.Start), now.FromPlain(m.End)
	}
}

// over moves a candidate over edits.
func (m *mark) over(es text.Edits) {
	if m.Used != "" { // keep around what it became
		m.Start, m.End = es.Map(m.Start, false), es.Map(m.End, true)
		return
	}
	for _, e := range es {
		if e.Start < m.End && e.End > m.Start || (e.Start == e.End && e.Start > m.Start && e.Start < m.End) {
			m.Gone = true
		}
	}
	m.Start, m.End = es.Map(m.Start, true), es.Map(m.End, false)
	if m.End < m.Start {
		m.Gone, m.End = true, m.Start
	}
}

// listFor returns owner's list for a request, if there is one.
func (d *Document) listFor(owner, key string) *list {
	for _, l := range d.lists {
		if l.Owner == owner && l.Key == key {
			return l
		}
	}
	return nil
}

// taken reports whether a match lies where a candidate was used.
func (l *list) taken(m match.Match) bool {
	return slices.ContainsFunc(l.Marks, func(k mark) bool {
		return k.Used != "" && m.Start < k.End && m.End > k.Start
	})
}

// refresh brings a list up to date with the matches found now: candidates keep
// their letters, what is new gets further ones, and what is back is back.
func (l *list) refresh(ms []match.Match, p text.Text) {
	for _, m := range ms {
		at := slices.IndexFunc(l.Marks, func(k mark) bool { return k.Start == m.Start && k.End == m.End && k.Used == "" })
		if at >= 0 {
			l.Marks[at].Gone = false
			continue
		}
		if len(l.Marks) < MaxLetters {
			l.Marks = append(l.Marks, mark{ID: letterAt(len(l.Marks)), Start: m.Start, End: m.End, Text: raw(p.Slice(m.Start, m.End))})
		}
	}
}
