package lsp

import "github.com/galley-ls/galley/editing"

// cmdApply takes changes into their documents.
func (s *server) cmdApply(a args) (any, rest, error) {
	snap := s.ws.Snapshot()
	cs, err := s.chosen(snap, a, editing.Staged)
	if err != nil {
		return nil, nil, err
	}
	if err := s.sound(snap, cs); err != nil {
		return nil, nil, err
	}
	return nil, s.decide(cs, s.host.Apply), nil
}
