package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// What a terminal wants of the host: it looks at the letters of one session and decides about them, in plain values.

// Verdict is a decision of a person's in plain values.
type Verdict = session.Verdict

// named finds a session, which is opened if it is not.
func (h *Host) named(id string) (*session.Session, error) {
	if s, err := h.session(id); err == nil || id == "" {
		return s, err
	}
	if _, err := h.open(id); err != nil {
		return nil, err
	}
	return h.session(id)
}

// Letters are those of a session's open edits, after closed files were read again.
func (h *Host) Letters(ctx context.Context, id string) (view.Letters, error) {
	s, err := h.named(id)
	if err != nil {
		return view.Letters{}, err
	}
	if err := s.Refresh(ctx); err != nil {
		return view.Letters{}, fmt.Errorf("read the files again: %w", err)
	}
	return view.LettersOf(s.Snapshot(), s.ID()), nil
}

// Judge carries a decision out, and answers what became of it as the tools answer.
func (h *Host) Judge(ctx context.Context, by editing.Keeper, id string, v Verdict) (any, error) {
	s, err := h.named(id)
	if err != nil {
		return nil, err
	}
	if h.cfg.Outcome == nil {
		return nil, errors.New("nothing is decided from elsewhere here")
	}
	for _, c := range v.Choices {
		if ch, ok := h.table.Snapshot().Change(c.Letter); ok && ch.Owner != s.ID() {
			return nil, fmt.Errorf("change %s belongs to session %s", c.Letter, ch.Owner)
		}
	}
	var r editing.Result
	switch {
	case v.Op == session.VerdictApply:
		r, err = h.Apply(ctx, by, v.Choices)
	case v.Op == session.VerdictReject:
		r, err = h.Reject(ctx, by, v.Choices, v.Reason)
	case v.Op == session.VerdictUnreject:
		r, err = h.Unreject(ctx, by, v.Choices)
	case v.Op == session.VerdictResolve && len(v.Choices) == 1:
		r, err = h.ResolveConflict(ctx, by, v.Choices[0], v.Take)
	case v.Op == session.VerdictCommit:
		if r, err = h.Commit(ctx, by, s.ID(), v.Edit, v.Reason, nil); r.Status == editing.StatusCommitting {
			r = h.committed(ctx, r)
		}
	case v.Op == session.VerdictRevert:
		r, err = h.Revert(ctx, by, s.ID(), v.Edit, v.Reason, false)
	default:
		r, err = s.Decide(v.Decision().By(h.who(by)))
		h.moved()
	}
	return h.cfg.Outcome(s, r, err), nil
}

// commitPatience is how long a terminal waits for the editors that a commit goes through.
const commitPatience = 10 * time.Second

// committed is what became of a commit that goes through editors.
func (h *Host) committed(ctx context.Context, r editing.Result) editing.Result {
	ctx, cancel := context.WithTimeout(ctx, commitPatience)
	defer cancel()
	snap, err := h.table.Until(ctx, func(snap *editing.Snapshot) bool { return !snap.Committing(r.Owner, r.Session) })
	if err != nil {
		return r
	}
	if ses, there := snap.Session(r.Owner, r.Session); !there || ses.State != editing.Committed {
		return refused(editing.StatusConflict, "#%d was not committed: an editor did not take it in; look at what waits", r.Session)
	}
	r.Status = editing.StatusCommitted
	return r
}

// DraftOf makes a file with what a change makes, for a person to edit; was is what it holds.
func (h *Host) DraftOf(id, letter string) (path, was string, err error) {
	s, err := h.named(id)
	if err != nil {
		return "", "", err
	}
	return s.DraftOf(letter)
}
