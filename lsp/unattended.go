package lsp

import (
	"context"
	"sync"

	"github.com/galley-ls/galley/editing"
)

// commits are the edits whose commit is under way here, so that no two send the
// same text.
type commits struct {
	mu  sync.Mutex // guards now
	now map[string]bool
}

// begin reports whether nobody had begun.
func (c *commits) begin(ses *editing.Session) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now == nil {
		c.now = map[string]bool{}
	}
	was := c.now[proposalKey(ses)]
	c.now[proposalKey(ses)] = true
	return !was
}

func (c *commits) end(ses *editing.Session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.now, proposalKey(ses))
}

// unattended carries out commits that no command of the user asked for: the
// agent's, where the policy lets it. Only a client whose version check is exact
// gets such an edit; in all others the commit is given up.
func (p *publisher) unattended(snap *editing.Snapshot, c *client) {
	for _, ses := range snap.Sessions("") {
		if ses.State != editing.Committing || !p.s.commits.begin(ses) {
			continue
		}
		now := p.s.ws.Snapshot() // the one of before may be older than the end of a commit
		if s, ok := now.Session(ses.Owner, ses.N); !ok || s.State != editing.Committing {
			p.s.commits.end(ses)
			continue
		}
		var letters []string
		var left []*editing.Change
		for _, ch := range now.Undecided(ses.Owner, ses.N) {
			left = append(left, ch)
			if ch.State == editing.Applying {
				letters = append(letters, ch.Letter)
			}
		}
		p.s.spawn(func(ctx context.Context) { p.s.carryOut(ctx, ses, letters, left, c) })
	}
}

func (s *server) carryOut(ctx context.Context, ses *editing.Session, letters []string, left []*editing.Change, c *client) {
	if err := s.sound(s.ws.Snapshot(), left); err != nil || !c.public().Exact {
		defer s.commits.end(ses)
		s.abort(ctx, ses, letters, ending{refused: true, reason: "it is left for you to commit"})
		return
	}
	s.bringEdit(ctx, ses, letters, s.cleanDocuments(s.ws.Snapshot(), left))
}
