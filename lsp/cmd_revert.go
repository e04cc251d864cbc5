package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
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
	var taken []*editing.Change
	if a.IncludeApplied {
		taken = appliedOpen(snap, ses)
		if err := s.sound(snap, taken); err != nil {
			return nil, nil, err
		}
	}
	return nil, func(ctx context.Context) (any, error) {
		if len(taken) > 0 {
			s.takeOut(ctx, ses, lettersOf(taken), a.Reason)
			return s.outcomeOf(ses, editing.Result{Status: statusReverting}), nil
		}
		r, err := s.desk.Revert(ctx, ses.Owner, ses.N, a.Reason, a.IncludeApplied)
		if err := s.did(r, err, nil); err != nil {
			return nil, err
		}
		return s.outcomeOf(ses, r), nil
	}, nil
}

// takeOut has the editor take applied changes out of its documents. They are
// staged again then, and go with the revert.
func (s *server) takeOut(ctx context.Context, ses *editing.Session, letters []string, reason string) {
	left := func(snap *editing.Snapshot) []string { return inState(snap, letters, editing.Applied) }
	answered(ctx, s.bringIn(attempt{
		letters: letters, label: fmt.Sprintf("Revert #%d", ses.N),
		edits:   func(snap *editing.Snapshot) []editing.DocumentEdit { return undoing(snap, letters) },
		settled: func(snap *editing.Snapshot) bool { return len(left(snap)) == 0 },
		over: func(ctx context.Context, how ending) {
			if still := left(s.ws.Snapshot()); len(still) > 0 {
				s.complain(strings.Join(still, ", ") + " could not be taken back: " + how.sentence(strings.Join(still, ", "), s.cfg.Patience.String()))
			}
			r, err := s.desk.Revert(ctx, ses.Owner, ses.N, reason, true)
			if err := s.did(r, err, nil); err != nil {
				s.complain(fmt.Sprintf("#%d was not reverted: %v", ses.N, err))
			}
		},
	}))
}

// appliedOpen are the applied changes of an edit in documents that an editor has
// open, as far as they read as the agent wrote them.
func appliedOpen(snap *editing.Snapshot, ses *editing.Session) []*editing.Change {
	var out []*editing.Change
	for _, d := range snap.Documents() {
		for _, c := range d.Changes() {
			mine := c.Owner == ses.Owner && c.Session == ses.N
			if d.Open && mine && c.State == editing.Applied && intact(d, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

func intact(d *editing.Document, c *editing.Change) bool {
	return !slices.ContainsFunc(c.Hunks, func(h editing.Hunk) bool { return d.Base.Slice(h.Start, h.End) != h.New })
}

// undoing are the edits that take letters out of the open documents.
func undoing(snap *editing.Snapshot, letters []string) []editing.DocumentEdit {
	var out []editing.DocumentEdit
	for _, d := range snap.Documents() {
		var es text.Edits
		for _, c := range d.Changes() {
			if slices.Contains(letters, c.Letter) && c.State == editing.Applied && intact(d, c) {
				es = append(es, undo(c)...)
			}
		}
		slices.SortStableFunc(es, func(a, b text.Edit) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
		})
		if len(es) > 0 && es.Validate(d.Base.Len()) == nil {
			out = append(out, editing.DocumentEdit{Path: d.Path, Version: d.Version, Edits: es})
		}
	}
	return out
}
