package lsp

import (
	"context"
	"fmt"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
)

// cmdResolve ends a conflict: the user's text stays, the agent's goes over it, or
// the agent looks again.
func (s *server) cmdResolve(a args) (rest, error) {
	snap := s.ws.Snapshot()
	cs, err := s.chosen(snap, a, editing.Conflict)
	if err != nil {
		return nil, err
	}
	if len(cs) != 1 {
		return nil, badArguments("conflicts are ended one by one; %s", listed(snap, []editing.ChangeState{editing.Conflict}))
	}
	c := cs[0]
	if c.State != editing.Conflict {
		return nil, refused("state", "change %s is %s, not in conflict", c.Letter, c.State)
	}
	d, ok := snap.Document(c.Path)
	if ok && a.Hash != "" && a.Hash != baseHash(d, c) {
		return nil, fail(failure{Status: editing.StatusStale, Code: "hash", Preview: changePreview(snap, c)},
			fmt.Sprintf("your text at change %s is another now than the one you decided about; look at it again", c.Letter))
	}
	switch a.Take {
	case host.TakeMine, host.TakeAsk, host.TakeAgent:
	default:
		return nil, badArguments("take is %q; it is mine, agent or ask", a.Take)
	}
	return s.decide(cs, func(ctx context.Context, cs []editing.Choice) (editing.Result, error) {
		return s.host.ResolveConflict(ctx, s.me, cs[0], a.Take)
	}), nil
}
