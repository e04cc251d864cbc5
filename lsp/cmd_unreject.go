package lsp

import "github.com/galley-ls/galley/editing"

// cmdUnreject brings rejected changes back.
func (s *server) cmdUnreject(a args) (any, rest, error) {
	cs, err := s.chosen(s.ws.Snapshot(), a, editing.Rejected)
	if err != nil {
		return nil, nil, err
	}
	return nil, s.decide(cs, s.host.Unreject), nil
}
