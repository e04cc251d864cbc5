package lsp

import (
	"context"
	"fmt"
	"slices"

	"github.com/galley-ls/galley/editing"
)

const statusReverting = "reverting"

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
	edits := func(snap *editing.Snapshot) []editing.DocumentEdit { return snap.UndoingClosed(ses.Owner, ses.N) }
	if ses.State.Open() {
		letters := inState(snap, lettersOf(snap.Of(ses.Owner, ses.N)), editing.Applied)
		edits = func(snap *editing.Snapshot) []editing.DocumentEdit { return snap.Undoing(letters...) }
	}
	if err := s.sound(snap, inDocuments(snap, ses, edits(snap))); err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) {
		if len(edits(snap)) > 0 {
			s.takeOut(ctx, ses, edits, a.Reason)
			return s.outcomeOf(ses, editing.Result{Status: statusReverting}), nil
		}
		return s.revert(ctx, ses, a.Reason, true)
	}, nil
}

func (s *server) revert(ctx context.Context, ses *editing.Session, reason string, includeApplied bool) (any, error) {
	r, err := s.host.Revert(ctx, ses.Owner, ses.N, reason, includeApplied)
	if err := s.did(r, err, nil); err != nil {
		return nil, err
	}
	return s.outcomeOf(ses, r), nil
}

// takeOut has the editor take applied changes out of its documents. Those of an
// open edit are staged again then, and go with the revert.
func (s *server) takeOut(ctx context.Context, ses *editing.Session, edits func(*editing.Snapshot) []editing.DocumentEdit, reason string) {
	answered(ctx, s.bringIn(attempt{
		label: fmt.Sprintf("Revert #%d", ses.N), edits: edits,
		settled: func(snap *editing.Snapshot) bool { return len(edits(snap)) == 0 },
		over: func(ctx context.Context, how ending) {
			if left := len(edits(s.ws.Snapshot())); left > 0 {
				what := fmt.Sprintf("#%d in %d open documents", ses.N, left)
				s.complain(what + " could not be taken back: " + how.sentence(what, s.cfg.Patience.String()))
			}
			if _, err := s.revert(ctx, ses, reason, true); err != nil {
				s.complain(fmt.Sprintf("#%d was not reverted: %v", ses.N, err))
			}
		},
	}))
}

// inDocuments are the changes of an edit in the documents that edits change.
func inDocuments(snap *editing.Snapshot, ses *editing.Session, edits []editing.DocumentEdit) []*editing.Change {
	return slices.DeleteFunc(snap.Of(ses.Owner, ses.N), func(c *editing.Change) bool {
		return !slices.ContainsFunc(edits, func(e editing.DocumentEdit) bool { return e.Path == c.Path })
	})
}
