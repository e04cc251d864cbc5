package host

import (
	"context"
	"fmt"
	"slices"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// Resolve answers the resolved path of a file in the workspace, and its name.
func (h *Host) Resolve(path string) (abs, name string, err error) {
	cfg := h.settings()
	return session.ResolvePath(cfg.Workspace, path, cfg.Deny, cfg.AllowRead)
}

// ReadFile reads a closed file.
func (h *Host) ReadFile(abs string) (text.Text, error) {
	cfg := h.settings()
	return session.ReadText(cfg.Workspace, abs, cfg.Deny, cfg.AllowRead)
}

// FilesChanged reads closed files with changes again.
func (h *Host) FilesChanged(ctx context.Context, _ []string) {
	for _, s := range h.all() {
		if err := s.Refresh(ctx); err != nil {
			h.cfg.Warn("read files again: %v", err)
		}
	}
	h.moved()
}

// TextDecided journals what the user's text decided.
func (h *Host) TextDecided(ctx context.Context) {
	for _, s := range h.all() {
		if err := s.TextDecided(ctx); err != nil {
			h.cfg.Warn("journal: %v", err)
		}
	}
	h.moved()
}

func (h *Host) moved() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.bump()
}

// by sorts choices by the session that their letters belong to.
func (h *Host) by(letters []string) map[*session.Session][]string {
	out := map[*session.Session][]string{}
	all := h.all()
	for _, l := range letters {
		for _, s := range all {
			if s.Has(l) {
				out[s] = append(out[s], l)
			}
		}
	}
	return out
}

// each runs a decision on every session that has some of the choices. Choices
// whose letter is nobody's are answered by the table itself.
func (h *Host) each(choices []editing.Choice, op editing.Op, f func(*session.Session, []editing.Choice) (editing.Result, error)) (editing.Result, error) {
	letters := make([]string, len(choices))
	for i, c := range choices {
		letters[i] = c.Letter
	}
	owners := h.by(letters)
	known := 0
	for _, ls := range owners {
		known += len(ls)
	}
	if r := h.table.Plan(op).Result; known < len(letters) || len(owners) > 1 && !r.OK() { // all or nothing; it says why
		return r, nil
	}
	var all editing.Result
	for s, ls := range owners {
		mine := slices.DeleteFunc(slices.Clone(choices), func(c editing.Choice) bool { return !slices.Contains(ls, c.Letter) })
		r, err := f(s, mine)
		if err != nil || !r.OK() {
			return named(r), err
		}
		r.Owner = s.ID()
		r.Touched = append(all.Touched, r.Touched...)
		all = r
	}
	h.moved()
	return all, nil
}

// named is a result whose hint names the files that stood in the way.
func named(r editing.Result) editing.Result {
	for _, f := range r.Files {
		r.Hint += fmt.Sprintf("\n%s: %s", f.Path, f.Message)
	}
	return r
}

// Apply takes changes in; those of open documents are under way then.
func (h *Host) Apply(ctx context.Context, choices []editing.Choice) (editing.Result, error) {
	return h.Begin(ctx, Applying("Apply", choices), func() (editing.Result, error) {
		return h.each(choices, editing.Apply(choices), func(s *session.Session, cs []editing.Choice) (editing.Result, error) { return s.Apply(ctx, cs) })
	})
}

// Reject throws changes away.
func (h *Host) Reject(ctx context.Context, choices []editing.Choice, reason string) (editing.Result, error) {
	return h.each(choices, editing.Reject(choices, reason), func(s *session.Session, cs []editing.Choice) (editing.Result, error) {
		return s.Reject(ctx, cs, reason)
	})
}

// Unreject brings rejected changes back.
func (h *Host) Unreject(ctx context.Context, choices []editing.Choice) (editing.Result, error) {
	return h.each(choices, editing.Unreject(choices), func(s *session.Session, cs []editing.Choice) (editing.Result, error) { return s.Unreject(ctx, cs) })
}

// The ways to end a conflict.
const (
	TakeMine  = "mine"
	TakeAgent = "agent"
	TakeAsk   = "ask"
)

// ResolveConflict ends a conflict: take is TakeMine, TakeAgent or TakeAsk.
func (h *Host) ResolveConflict(ctx context.Context, choice editing.Choice, take string) (editing.Result, error) {
	one := []editing.Choice{choice}
	return h.Begin(ctx, Applying("Take the agent's", one), func() (editing.Result, error) {
		return h.each(one, editing.TakeAgents(one), func(s *session.Session, cs []editing.Choice) (editing.Result, error) {
			return s.Resolve(ctx, cs[0], take)
		})
	})
}

// Expire decides letters that the editor refused, or whose text did not come.
func (h *Host) Expire(ctx context.Context, letters []string) (editing.Result, error) {
	var all editing.Result
	for s, ls := range h.by(letters) {
		r, err := s.Expire(ctx, ls)
		if err != nil {
			return r, err
		}
		all = r
	}
	h.moved()
	return all, nil
}

// Commit closes an editing session: status committing where open documents take
// part, whose texts finish or abort it. seen are the letters that the user saw
// waiting; nil: they were shown none.
func (h *Host) Commit(ctx context.Context, id string, edit int, summary string, seen []editing.Choice) (editing.Result, error) {
	return h.Begin(ctx, Committing(id, edit), func() (editing.Result, error) {
		return h.on(id, func(s *session.Session) (editing.Result, error) {
			return s.CommitEdit(ctx, edit, summary, seen)
		})
	})
}

// FinishCommit ends a commit whose open documents have confirmed.
func (h *Host) FinishCommit(ctx context.Context, id string, edit int) (editing.Result, error) {
	return h.on(id, func(s *session.Session) (editing.Result, error) { return s.FinishCommit(ctx, edit) })
}

// AbortCommit gives a commit up.
func (h *Host) AbortCommit(ctx context.Context, id string, edit int) (editing.Result, error) {
	return h.on(id, func(s *session.Session) (editing.Result, error) { return s.AbortCommit(ctx, edit) })
}

// Revert throws away what is still staged; with includeApplied also what was
// applied, where its text is intact: status reverting where open documents take
// part.
func (h *Host) Revert(ctx context.Context, id string, edit int, reason string, includeApplied bool) (editing.Result, error) {
	if !includeApplied {
		return h.on(id, func(s *session.Session) (editing.Result, error) { return s.RevertEdit(ctx, edit, reason) })
	}
	snap := h.table.Snapshot()
	if ses, ok := snap.Session(id, edit); ok {
		if r := h.table.Plan(editing.Revert(id, edit, reason, nil)).Result; ses.State.Open() && !r.OK() {
			return r, nil
		}
		if d := Reverting(snap, ses, reason); len(d.Edits(snap)) > 0 {
			return h.Begin(ctx, d, func() (editing.Result, error) {
				return editing.Result{Status: StatusReverting, Owner: id, Session: edit}, nil
			})
		}
	}
	return h.RevertApplied(ctx, id, edit, reason)
}

// RevertApplied takes an edit back with what it applied to closed files.
func (h *Host) RevertApplied(ctx context.Context, id string, edit int, reason string) (editing.Result, error) {
	return h.on(id, func(s *session.Session) (editing.Result, error) {
		if e, ok := s.Snapshot().Session(s.ID(), edit); ok && !e.State.Open() {
			return s.RevertClosed(ctx, edit)
		}
		undone, err := s.UndoApplied(ctx, edit)
		if err != nil || !undone.OK() {
			return undone, err
		}
		r, err := s.RevertEdit(ctx, edit, reason)
		if r.OK() {
			r.Hint = undone.Hint
		}
		return r, err
	})
}

// Comment tells the agent a remark about a change.
func (h *Host) Comment(ctx context.Context, letter, remark string) error {
	for s := range h.by([]string{letter}) {
		return s.Comment(ctx, letter, remark)
	}
	return fmt.Errorf("there is no change %s", letter)
}

func (h *Host) on(id string, f func(*session.Session) (editing.Result, error)) (editing.Result, error) {
	s, err := h.session(id)
	if err != nil {
		return editing.Result{}, err
	}
	r, err := f(s)
	r.Owner = s.ID()
	h.moved()
	return named(r), err
}
