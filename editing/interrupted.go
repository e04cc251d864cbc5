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

// IsOut reports whether the old text of a change that was applied stands again in
// base, on its lines.
func (c *Change) IsOut(base text.Text) bool {
	return len(c.Hunks) > 0 && !slices.ContainsFunc(c.Hunks, func(h Hunk) bool {
		p := h.Place
		if p == nil {
			return true
		}
		old := *p
		old.Block, old.gone = p.Block[:p.Start]+p.New+p.Block[p.End:], p.New == ""
		_, ok := old.locate(base)
		return !ok
	})
}
