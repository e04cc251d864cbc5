package lsp

import (
	"context"
	"strings"
)

// cmdComment leaves a remark for the agent at a change.
func (s *server) cmdComment(a args) (rest, error) {
	letter := strings.ToUpper(strings.TrimSpace(a.Change))
	if _, ok := s.ws.Snapshot().Change(letter); !ok {
		return nil, refused(codeUnknownChange, "there is no change %q to comment on", a.Change)
	}
	if strings.TrimSpace(a.Text) == "" {
		return nil, badArguments("galley.comment needs a text")
	}
	return func(ctx context.Context) (any, error) {
		err := s.host.Comment(ctx, letter, a.Text)
		return s.decision([]string{letter}), err
	}, nil
}
