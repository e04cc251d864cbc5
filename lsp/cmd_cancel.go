package lsp

import "context"

// cmdCancel stops a run at its next safe point.
func (s *server) cmdCancel(a args) (any, rest, error) {
	return nil, func(ctx context.Context) (any, error) {
		if err := s.host.Cancel(ctx, orElse(a.Run, a.word)); err != nil {
			return nil, refused("failed", "%v", err)
		}
		return jsonRaw(own(struct{}{})), nil
	}, nil
}
