package lsp

import (
	"context"

	"github.com/galley-ls/galley/editing"
)

// cmdReject throws changes away; the agent hears the reason.
func (s *server) cmdReject(a args) (any, rest, error) {
	cs, err := s.chosen(s.ws.Snapshot(), a, editing.Staged, editing.Conflict)
	if err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) {
		r, err := s.host.Reject(ctx, choicesOf(cs), a.Reason)
		if err := s.did(r, err, lettersOf(cs)); err != nil {
			return nil, err
		}
		return s.decision(lettersOf(cs)), nil
	}, nil
}
