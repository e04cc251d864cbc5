package lsp

import (
	"context"

	"github.com/galley-ls/galley/editing"
)

// cmdUnreject brings rejected changes back.
func (s *server) cmdUnreject(a args) (any, rest, error) {
	cs, err := s.chosen(s.ws.Snapshot(), a, editing.Rejected)
	if err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) {
		r, err := s.host.Unreject(ctx, choicesOf(cs))
		if err := s.did(r, err, lettersOf(cs)); err != nil {
			return nil, err
		}
		return s.decision(lettersOf(cs)), nil
	}, nil
}
