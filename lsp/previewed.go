package lsp

import (
	"fmt"
	"strings"
	"sync"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// previewed are the changes that the user had shown whole on purpose, and in which
// revision.
type previewed struct {
	mu   sync.Mutex // guards seen
	seen map[string]int
}

func previewKey(c *editing.Change) string {
	return fmt.Sprintf("%s#%d%s", c.Owner, c.Session, c.Letter)
}

// put remembers an edit's changes, or one of them.
func (p *previewed) put(snap *editing.Snapshot, session string, edit int, letter string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen == nil {
		p.seen = map[string]int{}
	}
	for _, c := range snap.Undecided(session, edit) {
		if letter == "" || c.Letter == letter {
			p.seen[previewKey(c)] = c.Revision
		}
	}
}

func (p *previewed) has(c *editing.Change) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen[previewKey(c)] == c.Revision
}

// hidden says what the user was not shown of a change, "" if nothing. A conflict is
// never taken but by its letter.
func (s *server) hidden(snap *editing.Snapshot, c *editing.Change) string {
	if c.State == editing.Conflict || s.previewed.has(c) {
		return ""
	}
	return s.client.Load().hidden(view.Of(snap, c))
}

// unseen splits changes: nobody takes in one go what they did not see. What is left
// is told, with its letters and why.
func (s *server) unseen(snap *editing.Snapshot, cs []*editing.Change) (seen []*editing.Change, letters []string, why string) {
	var said []string
	for _, c := range cs {
		hidden := s.hidden(snap, c)
		if hidden == "" {
			seen = append(seen, c)
			continue
		}
		letters = append(letters, c.Letter)
		said = append(said, fmt.Sprintf("%s still waits: %s", c.Letter, hidden))
	}
	return seen, letters, strings.Join(said, "; ")
}
