package lsp

import (
	"context"

	"github.com/galley-ls/galley/editing"
)

// cmdUnreject brings rejected changes back.
func (s *server) cmdUnreject(a args) (rest, error) {
	cs, err := s.chosen(s.ws.Snapshot(), a, editing.Rejected)
	if err != nil {
		return nil, err
	}
	return s.decide(cs, func(ctx context.Context, cs []editing.Choice) (editing.Result, error) {
		return s.host.Unreject(ctx, s.me, cs)
	}), nil
}
