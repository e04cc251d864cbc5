package lsp

import (
	"context"

	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
)

// cmdApply takes changes into their documents.
func (s *server) cmdApply(a args) (rest, error) {
	apply := func(ctx context.Context, cs []editing.Choice) (editing.Result, error) {
		return s.host.Apply(ctx, s.me, cs)
	}
	if a.isPart() {
		return s.decidePart(a, apply)
	}
	snap := s.ws.Snapshot()
	cs, err := s.chosen(snap, a, editing.Staged)
	if err != nil {
		return nil, err
	}
	if a.Change == "" && (a.URI != "" || a.Session != "" || len(a.Changes) > 0) {
		if cs, err = s.seen(snap, cs); err != nil {
			return nil, err
		}
	}
	return s.decide(cs, apply), nil
}

// seen are the changes that the user was shown whole. They are told which are left,
// and why.
func (s *server) seen(snap *editing.Snapshot, cs []*editing.Change) ([]*editing.Change, error) {
	out, letters, why := s.unseen(snap, cs)
	if len(letters) == 0 {
		return out, nil
	}
	why += "; look at it with galley.preview, then do this again, or apply it by its letter"
	if len(out) == 0 {
		return nil, refused(codeNotShown, "%s", why)
	}
	s.tell(protocol.MessageTypeInfo, "galley: "+why)
	return out, nil
}
