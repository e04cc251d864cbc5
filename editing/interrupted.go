package editing

import (
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// Applying says of letters that a decision was taking them in when the process
// ended: where their text is there now, that was it, and not the user.
func (im *Image) Applying(letters []string) {
	for order, c := range im.changes {
		if slices.Contains(letters, c.Letter) && c.State == Staged && im.sessions[c.Session] != nil && im.sessions[c.Session].State.Open() {
			c = c.clone()
			c.State, c.Took = Applying, true
			im.changes[order] = c
		}
	}
}

// Undone reports whether an editing session was taken back after it was closed.
func (im *Image) Undone(n int) bool {
	s := im.sessions[n]
	return s != nil && s.Undone
}

// Out is a change that was applied, staged again in a base in which its old text
// stands on its lines. ok is false where it does not.
func (c *Change) Out(base text.Text) (staged *Change, ok bool) {
	d := c.clone()
	d.State, d.Was, d.Took, d.BaseHash = Staged, "", true, base.Hash().String()
	if c.Kind == KindCreate { // base is that of an empty file, or of none
		d.shape(base)
		return d, base.Len() == 0
	}
	d.Hunks = c.located(base, true)
	return d, d.Hunks != nil
}

// In reports whether the new text of a closed change stands in base.
func (c *Change) In(base text.Text) bool {
	_, ok := c.found(base)
	return ok
}

// Reopen brings back what a closed editing session had applied, where that is lost:
// out are those changes as they wait in their texts. Each keeps its letter, or takes the next that is free.
// The session is proposed again, and what else it had applied stays closed. ok is
// false, and nothing has changed, if there are not letters enough.
func (w *Workspace) Reopen(owner string, n int, out []*Change, texts map[string]text.Text) (rec Record, ok bool) {
	st := w.Snapshot()
	ses, known := st.Session(owner, n)
	if !known || ses.State == Committing {
		return Record{}, false
	}
	s := ses.clone()
	if !s.State.Open() { // else others of its changes are back already
		s.State = Proposed
	}
	im := NewImage()
	im.sessions[n] = s
	for _, c := range ses.Closed {
		c = c.clone()
		if c.State == Applied || c.State == Rejected {
			c.Was, c.State = c.State, Closed
		}
		im.changes[c.Order] = c
	}
	for _, c := range out {
		im.changes[c.Order] = c
	}
	if _, _, ok := im.Rename(st); !ok {
		return Record{}, false
	}
	for _, c := range out {
		c.Letter = im.changes[c.Order].Letter
	}
	rec = w.Restore(owner, im, texts)
	for _, c := range im.changes {
		if c.State == Closed {
			rec.Changes = append(rec.Changes, c)
		}
	}
	return rec, true
}
