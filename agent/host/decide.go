package host

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// Resolve answers the resolved path of a file in the workspace, and its name.
func (h *Host) Resolve(path string) (abs, name string, err error) {
	r, err := h.settings().Roots()
	if err != nil {
		return "", "", err
	}
	p, err := r.Resolve(path, false)
	return p.Abs, p.Rel, err
}

// ReadFile reads a closed file.
func (h *Host) ReadFile(abs string) (text.Text, error) {
	r, err := h.settings().Roots()
	if err != nil {
		return text.Text{}, err
	}
	return r.Read(abs)
}

// FilesChanged reads closed files with changes again, and drafts.
func (h *Host) FilesChanged(ctx context.Context, paths []string) {
	h.saved(paths)
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

// TextMoved tells that a text has decided letters: they are journaled soon.
func (h *Host) TextMoved() {
	select {
	case h.texts <- struct{}{}:
	default:
	}
}

// journalTexts journals what the texts decide, for as long as the host lives.
func (h *Host) journalTexts() {
	for {
		select {
		case <-h.texts:
			h.TextDecided(h.ctx)
		case <-h.ctx.Done():
			return
		}
	}
}

func (h *Host) moved() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.bump()
}

// by sorts letters by the session that they belong to.
func (h *Host) by(letters []string) map[*session.Session][]string {
	out := map[*session.Session][]string{}
	snap := h.table.Snapshot()
	for _, l := range letters {
		if c, ok := snap.Change(l); ok {
			if s, err := h.session(c.Owner); err == nil {
				out[s] = append(out[s], l)
			}
		}
	}
	return out
}

// each makes a decision for every session that has some of the choices, the oldest first. Choices
// whose letter is nobody's are answered by the table itself. One that fails when another is made says so: Touched are
// the letters of that.
func (h *Host) each(by editing.Keeper, choices []editing.Choice, decide func([]editing.Choice) session.Decision) (editing.Result, error) {
	letters := make([]string, len(choices))
	for i, c := range choices {
		letters[i] = c.Letter
	}
	owners := h.by(letters)
	known := 0
	for _, ls := range owners {
		known += len(ls)
	}
	if known < len(letters) || len(owners) > 1 { // all or nothing; it says why
		if r := h.table.Plan(decide(choices).Plan("")).Result; known < len(letters) || !r.OK() {
			return r, nil
		}
	}
	var all editing.Result
	for _, s := range slices.SortedFunc(maps.Keys(owners), byAge) {
		mine := slices.DeleteFunc(slices.Clone(choices), func(c editing.Choice) bool { return !slices.Contains(owners[s], c.Letter) })
		r, err := s.Decide(decide(mine).By(h.who(by)))
		if err != nil || !r.OK() {
			if r = named(r); len(all.Touched) > 0 { // something came between
				r.Touched, r.Hint = all.Touched, fmt.Sprintf("%s. %s is done", r.Hint, strings.Join(all.Touched, ", "))
			}
			return r, err
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
func (h *Host) Apply(ctx context.Context, by editing.Keeper, choices []editing.Choice) (editing.Result, error) {
	return h.Begin(ctx, Applying(by, "Apply", choices), func() (editing.Result, error) { return h.each(by, choices, session.Apply) })
}

// Reject throws changes away.
func (h *Host) Reject(_ context.Context, by editing.Keeper, choices []editing.Choice, reason string) (editing.Result, error) {
	return h.each(by, choices, func(cs []editing.Choice) session.Decision { return session.Reject(cs, reason) })
}

// Unreject brings rejected changes back.
func (h *Host) Unreject(_ context.Context, by editing.Keeper, choices []editing.Choice) (editing.Result, error) {
	return h.each(by, choices, session.Unreject)
}

// The ways to end a conflict.
const (
	TakeMine  = "mine"
	TakeAgent = "agent"
	TakeAsk   = "ask"
)

// ResolveConflict ends a conflict: take is TakeMine, TakeAgent or TakeAsk.
func (h *Host) ResolveConflict(ctx context.Context, by editing.Keeper, choice editing.Choice, take string) (editing.Result, error) {
	one := []editing.Choice{choice}
	resolve := func() (editing.Result, error) {
		return h.each(by, one, func([]editing.Choice) session.Decision { return session.Resolve(choice, take) })
	}
	if take != TakeAgent { // no text moves
		return resolve()
	}
	return h.Begin(ctx, Applying(by, "Take the agent's", one), resolve)
}

// Expire decides letters that the editor refused, or whose text did not come.
func (h *Host) Expire(_ context.Context, letters []string) (editing.Result, error) {
	var all editing.Result
	for s, ls := range h.by(letters) {
		r, err := s.Decide(session.Expire(ls))
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
func (h *Host) Commit(ctx context.Context, by editing.Keeper, id string, edit int, summary string, seen []editing.Choice) (editing.Result, error) {
	if s, err := h.session(id); err == nil {
		edit = s.OnlyEdit(edit)
	}
	return h.Begin(ctx, Committing(by, id, edit), func() (editing.Result, error) {
		return h.on(by, id, session.Commit(edit, summary, seen))
	})
}

// FinishCommit ends a commit whose open documents have confirmed.
func (h *Host) FinishCommit(_ context.Context, id string, edit int) (editing.Result, error) {
	return h.on(editing.Disk, id, session.FinishCommit(edit))
}

// AbortCommit gives a commit up.
func (h *Host) AbortCommit(_ context.Context, id string, edit int) (editing.Result, error) {
	return h.on(editing.Disk, id, session.AbortCommit(edit))
}

// Revert throws away what is still staged; with includeApplied also what was
// applied, where its text is intact: status reverting where open documents take
// part.
func (h *Host) Revert(ctx context.Context, by editing.Keeper, id string, edit int, reason string, includeApplied bool) (editing.Result, error) {
	if !includeApplied {
		return h.on(by, id, session.Revert(edit, reason))
	}
	snap := h.table.Snapshot()
	if ses, ok := snap.Session(id, edit); ok {
		if r := h.table.Plan(editing.Revert(id, edit, reason, nil)).Result; ses.State.Open() && !r.OK() {
			return r, nil
		}
		d := Reverting(by, snap, ses, reason)
		return h.Begin(ctx, d, func() (editing.Result, error) {
			if len(d.Edits(h.table.Snapshot())) == 0 {
				return h.RevertApplied(ctx, by, id, edit, reason)
			}
			return editing.Result{Status: StatusReverting, Owner: id, Session: edit}, nil
		})
	}
	return h.RevertApplied(ctx, by, id, edit, reason)
}

// RevertApplied takes an edit back with what it applied to closed files.
func (h *Host) RevertApplied(_ context.Context, by editing.Keeper, id string, edit int, reason string) (editing.Result, error) {
	s, err := h.session(id)
	if err != nil {
		return editing.Result{}, err
	}
	if e, ok := s.Snapshot().Session(s.ID(), edit); ok && !e.State.Open() {
		return h.on(by, id, session.UndoClosed(edit))
	}
	undone, err := h.on(by, id, session.UndoApplied(edit))
	if err != nil || !undone.OK() {
		return undone, err
	}
	r, err := h.on(by, id, session.Revert(edit, reason))
	if r.OK() {
		r.Hint = undone.Hint
	}
	return r, err
}

// Comment tells the agent a remark about a change.
func (h *Host) Comment(_ context.Context, letter, remark string) error {
	for s := range h.by([]string{letter}) {
		return s.Comment(letter, remark)
	}
	return fmt.Errorf("there is no change %s", letter)
}

// Unheard reports whether the agent of a session has decisions or remarks to hear.
func (h *Host) Unheard(id string) bool {
	s, err := h.session(id)
	return err == nil && s.Unheard()
}

// on makes a decision on an editing session.
func (h *Host) on(by editing.Keeper, id string, d session.Decision) (editing.Result, error) {
	s, err := h.session(id)
	if err != nil {
		return editing.Result{}, err
	}
	r, err := s.Decide(d.By(h.who(by)))
	r.Owner = s.ID()
	h.moved()
	return named(r), err
}
