package lsp

import (
	"context"
	"sync"
)

// currentBox holds the agent session that the commands of a connection mean.
type currentBox struct {
	making sync.Mutex // held while one is made: several prompts at once mean the same

	mu sync.Mutex // guards id
	id string
}

// current is that session, "" if there is none.
func (s *server) current() string {
	s.chosenSession.mu.Lock()
	defer s.chosenSession.mu.Unlock()
	if s.chosenSession.id != "" && !s.host.Serves(s.chosenSession.id) {
		s.chosenSession.id = ""
	}
	return s.chosenSession.id
}

// choose makes a session the current one.
func (s *server) choose(id string) {
	s.chosenSession.mu.Lock()
	s.chosenSession.id = id
	s.chosenSession.mu.Unlock()
	s.pub.poke()
}

// currentOrNew makes one where there is none.
func (s *server) currentOrNew(ctx context.Context) (string, error) {
	s.chosenSession.making.Lock()
	defer s.chosenSession.making.Unlock()
	if id := s.current(); id != "" {
		return id, nil
	}
	id, err := s.host.NewSession(ctx, "")
	if err == nil {
		s.choose(id)
	}
	return id, err
}
