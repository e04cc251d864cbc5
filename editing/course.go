package editing

import (
	"sync"

	"github.com/galley-ls/galley/editing/text"
)

// course is what became of a text in which changes stood. All that stood in it share
// the course, so that edits are composed, and texts compared, once for all of them.
type course struct {
	edits text.Edits

	mu   sync.Mutex // guards the rest: what was asked already
	by   text.Edits
	next *course
	seen map[asking]*sight
}

// asking is what a sight depends on. Whoever asks for a line break at the end, or its
// absence, sees the texts as they are.
type asking struct {
	was, now text.Text
	bare     bool
}

// sight is a text, what became of it, and which lines differ.
type sight struct {
	was, now  text.Text
	stretches []stretch
}

// then is the course once edits have followed.
func (c *course) then(es text.Edits) *course {
	if len(es) == 0 {
		return c
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.by) != len(es) || &c.by[0] != &es[0] {
		c.by, c.next = es, &course{edits: text.Compose(c.edits, es)}
	}
	return c.next
}

func (c *course) sight(a asking) *sight {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.seen[a]; s != nil {
		return s
	}
	s, es := &sight{was: a.was, now: a.now}, c.edits
	if !a.bare {
		s.was, s.now, es = ended(a.was), ended(a.now), endedEdits(a.was, a.now, es)
	}
	s.stretches = stretches(s.was, s.now, es)
	if c.seen == nil {
		c.seen = map[asking]*sight{}
	}
	c.seen[a] = s
	return s
}
