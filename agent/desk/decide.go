package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// Resolve answers the resolved path of a file in the workspace, and its name.
func (d *Desk) Resolve(path string) (abs, name string, err error) {
	cfg := d.settings()
	return session.ResolvePath(cfg.Workspace, path, cfg.Deny, cfg.AllowRead)
}

// ReadFile reads a closed file.
func (d *Desk) ReadFile(abs string) (text.Text, error) {
	cfg := d.settings()
	return session.ReadText(cfg.Workspace, abs, cfg.Deny, cfg.AllowRead)
}

// FilesChanged reads closed files with changes again.
func (d *Desk) FilesChanged(ctx context.Context, _ []string) {
	for _, s := range d.all() {
		if err := s.Refresh(ctx); err != nil {
			d.cfg.Warn("read files again: %v", err)
		}
	}
	d.moved()
}

// TextDecided journals what the user's text decided.
func (d *Desk) TextDecided(ctx context.Context) {
	for _, s := range d.all() {
		if err := s.TextDecided(ctx); err != nil {
			d.cfg.Warn("journal: %v", err)
		}
	}
	d.moved()
}

func (d *Desk) moved() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bump()
}

// by sorts choices by the session that their letters belong to.
func (d *Desk) by(letters []string) map[*session.Session][]string {
	out := map[*session.Session][]string{}
	all := d.all()
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
func (d *Desk) each(choices []editing.Choice, op editing.Op, f func(*session.Session, []editing.Choice) session.Outcome) (editing.Result, error) {
	letters := make([]string, len(choices))
	for i, c := range choices {
		letters[i] = c.Letter
	}
	owners := d.by(letters)
	known := 0
	for _, ls := range owners {
		known += len(ls)
	}
	if r := d.table.Plan(op).Result; known < len(letters) || len(owners) > 1 && !r.OK() { // all or nothing; it says why
		return r, nil
	}
	var all editing.Result
	for s, ls := range owners {
		mine := slices.DeleteFunc(slices.Clone(choices), func(c editing.Choice) bool { return !slices.Contains(ls, c.Letter) })
		r, err := result(f(s, mine))
		if err != nil || !r.OK() {
			return r, err
		}
		r.Owner = s.ID()
		r.Touched = append(all.Touched, r.Touched...)
		all = r
	}
	d.moved()
	return all, nil
}

// result turns the answer of a session into that of the table.
func result(o session.Outcome) (editing.Result, error) {
	if o.Code == "failed" {
		return editing.Result{}, errors.New(o.Hint)
	}
	r := editing.Result{Status: o.Status, Code: o.Code, Hint: o.Hint}
	r.Session, _ = session.EditNumber(o.SessionID)
	for _, c := range o.Decisions {
		r.Touched = append(r.Touched, c.ChangeID)
	}
	for _, f := range o.Files {
		if f.Code != "" {
			r.Hint += fmt.Sprintf("\n%s: %s", f.Path, f.Message)
		}
	}
	return r, nil
}

// Apply takes changes in; letters of open documents become applying.
func (d *Desk) Apply(ctx context.Context, choices []editing.Choice) (editing.Result, error) {
	return d.each(choices, editing.Apply(choices), func(s *session.Session, cs []editing.Choice) session.Outcome { return s.Apply(ctx, cs) })
}

// Reject throws changes away.
func (d *Desk) Reject(ctx context.Context, choices []editing.Choice, reason string) (editing.Result, error) {
	return d.each(choices, editing.Reject(choices, reason), func(s *session.Session, cs []editing.Choice) session.Outcome { return s.Reject(ctx, cs, reason) })
}

// Unreject brings rejected changes back.
func (d *Desk) Unreject(ctx context.Context, choices []editing.Choice) (editing.Result, error) {
	return d.each(choices, editing.Unreject(choices), func(s *session.Session, cs []editing.Choice) session.Outcome { return s.Unreject(ctx, cs) })
}

// ResolveConflict ends a conflict: mine, agent or ask.
func (d *Desk) ResolveConflict(ctx context.Context, choice editing.Choice, take string) (editing.Result, error) {
	one := []editing.Choice{choice}
	return d.each(one, editing.TakeAgents(one), func(s *session.Session, cs []editing.Choice) session.Outcome { return s.Resolve(ctx, cs[0], take) })
}

// Expire decides letters that the editor refused, or whose text did not come.
func (d *Desk) Expire(ctx context.Context, letters []string) (editing.Result, error) {
	var all editing.Result
	for s, ls := range d.by(letters) {
		r, err := result(s.Expire(ctx, ls))
		if err != nil {
			return r, err
		}
		all = r
	}
	d.moved()
	return all, nil
}

// Commit closes an editing session: status committing where open documents take
// part. seen are the letters that the user saw waiting; nil: he was shown none.
func (d *Desk) Commit(ctx context.Context, id string, edit int, summary string, seen []editing.Choice) (editing.Result, error) {
	return d.on(id, func(s *session.Session) session.Outcome {
		if seen != nil {
			return s.CommitSeen(ctx, edit, summary, seen)
		}
		return s.CommitEdit(ctx, edit, summary)
	})
}

// FinishCommit ends a commit whose open documents have confirmed.
func (d *Desk) FinishCommit(ctx context.Context, id string, edit int) (editing.Result, error) {
	return d.on(id, func(s *session.Session) session.Outcome { return s.FinishCommit(ctx, edit) })
}

// AbortCommit gives a commit up.
func (d *Desk) AbortCommit(ctx context.Context, id string, edit int) (editing.Result, error) {
	return d.on(id, func(s *session.Session) session.Outcome { return s.AbortCommit(ctx, edit) })
}

// Revert throws away what is still staged; with includeApplied also what was
// applied, where its text is intact.
func (d *Desk) Revert(ctx context.Context, id string, edit int, reason string, includeApplied bool) (editing.Result, error) {
	return d.on(id, func(s *session.Session) session.Outcome {
		if !includeApplied {
			return s.RevertEdit(ctx, edit, reason)
		}
		if e, ok := s.Snapshot().Session(s.Owner(), edit); ok && !e.State.Open() {
			return s.RevertClosed(ctx, edit)
		}
		undone := s.UndoApplied(ctx, edit)
		if undone.Status != session.StatusOK {
			return undone
		}
		o := s.RevertEdit(ctx, edit, reason)
		o.Hint = undone.Hint
		return o
	})
}

// Comment tells the agent a remark about a change.
func (d *Desk) Comment(ctx context.Context, letter, remark string) error {
	for s := range d.by([]string{letter}) {
		r, err := result(s.Comment(ctx, letter, remark))
		if err == nil && !r.OK() {
			err = errors.New(r.Hint)
		}
		return err
	}
	return fmt.Errorf("there is no change %s", letter)
}

func (d *Desk) on(id string, f func(*session.Session) session.Outcome) (editing.Result, error) {
	s, err := d.session(id)
	if err != nil {
		return editing.Result{}, err
	}
	r, err := result(f(s))
	r.Owner = s.ID()
	d.moved()
	return r, err
}
