package lsp

import (
	"context"
	"strings"
)

// cmdComment leaves a remark for the agent at a change.
func (s *server) cmdComment(a args) (any, rest, error) {
	letter := strings.ToUpper(strings.TrimSpace(a.Change))
	if _, ok := s.ws.Snapshot().Change(letter); !ok {
		return nil, nil, refused(codeUnknownChange, "there is no change %q to comment on", a.Change)
	}
	if strings.TrimSpace(a.Text) == "" {
		return nil, nil, badArguments("galley.comment needs a text")
	}
	return nil, func(ctx context.Context) (any, error) {
		if err := s.host.Comment(ctx, letter, a.Text); err != nil {
			return nil, refused("failed", "%v", err)
		}
		return s.decision([]string{letter}), nil
	}, nil
}
