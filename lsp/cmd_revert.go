package lsp

import (
	"context"
)

// cmdRevert throws away what is left of an edit and closes it. With
// includeApplied it also takes back what was applied, where it still reads so.
func (s *server) cmdRevert(a args) (rest, error) {
	a.Reason = orElse(a.Reason, a.word)
	snap := s.ws.Snapshot()
	ses, err := s.edit(snap, a)
	if err != nil {
		return nil, err
	}
	if err := fresh(snap, snap.Undecided(ses.Owner, ses.N), args{Seq: a.Seq}); err != nil {
		return nil, err
	}
	return func(ctx context.Context) (any, error) {
		r, err := s.host.Revert(ctx, s.me, ses.Owner, ses.N, a.Reason, a.IncludeApplied)
		err = s.did(r, err, nil)
		return s.outcomeOf(ses, r), err
	}, nil
}
