package lsp

import (
	"context"
	"slices"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
)

// cmdRevert throws away what is left of an edit and closes it. With
// includeApplied it also takes back what was applied, where it still reads so.
func (s *server) cmdRevert(a args) (any, rest, error) {
	a.Reason = orElse(a.Reason, a.word)
	snap := s.ws.Snapshot()
	ses, err := s.edit(snap, a)
	if err != nil {
		return nil, nil, err
	}
	if err := current(snap, snap.Undecided(ses.Owner, ses.N), args{Seq: a.Seq}); err != nil {
		return nil, nil, err
	}
	if !a.IncludeApplied {
		return nil, func(ctx context.Context) (any, error) { return s.revert(ctx, ses, a.Reason, false) }, nil
	}
	if err := s.sound(snap, inDocuments(snap, ses, host.Reverting(snap, ses, a.Reason).Edits(snap))); err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) { return s.revert(ctx, ses, a.Reason, true) }, nil
}

func (s *server) revert(ctx context.Context, ses *editing.Session, reason string, includeApplied bool) (any, error) {
	r, err := s.host.Revert(ctx, ses.Owner, ses.N, reason, includeApplied)
	if err := s.did(r, err, nil); err != nil {
		return nil, err
	}
	return s.outcomeOf(ses, r), nil
}

// inDocuments are the changes of an edit in the documents that edits change.
func inDocuments(snap *editing.Snapshot, ses *editing.Session, edits []editing.DocumentEdit) []*editing.Change {
	return slices.DeleteFunc(snap.Of(ses.Owner, ses.N), func(c *editing.Change) bool {
		return !slices.ContainsFunc(edits, func(e editing.DocumentEdit) bool { return e.Path == c.Path })
	})
}
