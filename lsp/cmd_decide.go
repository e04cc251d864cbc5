package lsp

import (
	"context"

	"github.com/galley-ls/galley/agent/host"
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

// did turns what the host answered into an error, if it was not done.
func (s *server) did(r editing.Result, err error, letters []string) error {
	switch {
	case err != nil:
		return err
	case r.OK() || r.Status == statusCommitting || r.Status == host.StatusReverting:
		return nil
	}
	preview := ""
	snap := s.ws.Snapshot()
	if r.Status == editing.StatusStale && len(letters) > 0 {
		if c, ok := snap.Change(letters[0]); ok {
			preview = changePreview(snap, c)
		}
	}
	return failed(r, preview)
}

const statusCommitting = "committing"

// decide has the host decide about changes, and answers how they stand then.
func (s *server) decide(cs []*editing.Change, f func(context.Context, []editing.Choice) (editing.Result, error)) rest {
	return func(ctx context.Context) (any, error) {
		r, err := f(ctx, choicesOf(cs))
		err = s.did(r, err, lettersOf(cs))
		return s.decision(lettersOf(cs)), err
	}
}

// decision is what apply, reject, unreject and resolve answer.
type decision struct {
	Changes []decidedChange `json:"changes"`
}

type decidedChange struct {
	shownLetter
	State string `json:"state"`
}

func (s *server) decision(letters []string) any {
	out := decision{Changes: []decidedChange{}}
	snap := s.ws.Snapshot()
	for _, l := range letters {
		if c, ok := snap.Change(l); ok {
			out.Changes = append(out.Changes, decidedChange{letterOf(c), string(c.State)})
		}
	}
	return out
}
