package lsp

import "context"

// cmdCancel stops a run at its next safe point.
func (s *server) cmdCancel(a args) (rest, error) {
	return func(ctx context.Context) (any, error) {
		return struct{}{}, s.host.Cancel(ctx, orElse(a.Run, a.word))
	}, nil
}
