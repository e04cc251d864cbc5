package lsp

import (
	"context"

	"github.com/galley-ls/galley/editing"
)

// cmdReject throws changes away; the agent hears the reason.
func (s *server) cmdReject(a args) (rest, error) {
	reject := func(ctx context.Context, cs []editing.Choice) (editing.Result, error) {
		return s.host.Reject(ctx, s.me, cs, a.Reason)
	}
	if a.isPart() {
		return s.decidePart(a, reject)
	}
	cs, err := s.chosen(s.ws.Snapshot(), a, editing.Staged, editing.Conflict)
	if err != nil {
		return nil, err
	}
	return s.decide(cs, reject), nil
}
