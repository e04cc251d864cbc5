package editing

import (
	"slices"
	"sync"

	"github.com/galley-ls/galley/editing/text"
)

// userEdits moves d over edits of its base that nobody has decided, and says what they mean.
func (t *tx) userEdits(d *Document, es text.Edits) {
	t.based(d.Path, es)
	before := d.Base
	d.Base = mustApply(before, es)
	d.follow(before, d.Base, es)
	t.reconcile(d)
}

// follow takes the changes of d along with edits of before, which make now of it.
func (d *Document) follow(before, now text.Text, es text.Edits) {
	came := sync.OnceValue(func() map[uint64]string { return cameIn(now, es) })
	next := make([]standing, 0, 2*len(d.changes)) // all at once: a keystroke pays for it
	follow := func(st *standing) *standing {
		if st == nil {
			return nil
		}
		next = append(next, *st)
		st = &next[len(next)-1]
		st.ground = st.ground.after(es)
		return st.told(came)
	}
	for _, c := range d.changes {
		if c.file() {
			continue
		}
		if c.last == nil {
			c.stand(newGround(before), c.State == Applied)
		}
		c.last, c.over = follow(c.last), follow(c.over)
	}
}

// overlap reports whether two changes hold text in common: one was applied, and
// the other edits what it wrote.
func overlap(a, b []Hunk) bool {
	return slices.ContainsFunc(a, func(h Hunk) bool {
		return slices.ContainsFunc(b, func(g Hunk) bool { return g.Start < h.End && g.End > h.Start })
	})
}

// asked reports whether an editor was asked to put the change in, and its text has not come.
func (c *Change) asked() bool { return c.State == Applying || c.Late }

// inOrder reports whether hunks are in order and apart.
func inOrder(hs []Hunk) bool {
	for i := 1; i < len(hs); i++ {
		if hs[i].edit().Start < hs[i-1].edit().End {
			return false
		}
	}
	return true
}

// stands reports whether the change reads in the text as its state says.
func (c *Change) stands(base text.Text) bool {
	if c.State == Applied {
		return inOrder(c.Hunks) && c.Intact(base)
	}
	return inOrder(c.Hunks) && !c.held() && c.reads(base)
}
