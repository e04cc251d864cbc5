package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// Way is what a decision does to texts.
type Way int

// The ways of a decision.
const (
	Applies Way = iota // its letters go into their texts
	Commits            // so do all letters of an edit, which then closes
	Reverts            // what an edit applied goes out of its texts, and the edit closes
	Undoes             // its letters go out of their texts, and wait again
)

// Decision is one that documents take part in which an editor has open. It is under way until their texts have decided.
type Decision struct {
	ID      int
	Way     Way
	Label   string   // for the editor's list of undos
	Letters []string // that it is about
	Session string   // with Edit: what it commits or reverts
	Edit    int
	Reason  string // of a revert
	Unasked bool   // a commit that no person asked for
}

// Applying is the decision to take letters in.
func Applying(verb string, choices []editing.Choice) Decision {
	d := Decision{Way: Applies}
	for _, c := range choices {
		d.Letters = append(d.Letters, c.Letter)
	}
	d.Label = verb + " " + strings.Join(d.Letters, ", ")
	return d
}

// Committing is the decision to commit an edit.
func Committing(session string, edit int) Decision {
	return Decision{Way: Commits, Label: fmt.Sprintf("Commit #%d", edit), Session: session, Edit: edit}
}

// Reverting is the decision to revert an edit with what was applied.
func Reverting(snap *editing.Snapshot, ses *editing.Session, reason string) Decision {
	d := Decision{Way: Reverts, Label: fmt.Sprintf("Revert #%d", ses.N), Session: ses.Owner, Edit: ses.N, Reason: reason}
	for _, c := range snap.Of(ses.Owner, ses.N) {
		if c.State == editing.Applied {
			d.Letters = append(d.Letters, c.Letter)
		}
	}
	return d
}

// Undoing is the decision to take one back; which letters that are is known when it is made.
func Undoing(of memory.Decision) Decision {
	return Decision{Way: Undoes, Label: "Undo: " + session.Called(of), Session: of.Session, Edit: of.Edit}
}

// Edits are what the open documents still lack, with the versions that they rest on.
func (d Decision) Edits(snap *editing.Snapshot) []editing.DocumentEdit {
	ses, ok := snap.Session(d.Session, d.Edit)
	switch {
	case d.Way == Reverts && ok && !ses.State.Open():
		return snap.UndoingClosed(d.Session, d.Edit)
	case len(d.Letters) == 0:
		return nil
	case d.Way == Reverts || d.Way == Undoes:
		return snap.Undoing(d.Letters...)
	}
	return snap.Applying(d.Letters...)
}

// Decided reports whether the texts have decided.
func (d Decision) Decided(snap *editing.Snapshot) bool {
	if d.Way == Reverts || d.Way == Undoes {
		return len(d.Edits(snap)) == 0
	}
	return len(InState(snap, d.Letters, editing.Applying)) == 0
}

// InState are the letters that are in a state.
func InState(snap *editing.Snapshot, letters []string, state editing.ChangeState) []string {
	return slices.DeleteFunc(slices.Clone(letters), func(l string) bool {
		c, ok := snap.Change(l)
		return !ok || c.State != state
	})
}

// Ending is how the keeper's part in a decision ended: with the texts, if it is not refused, nor waited for in vain.
type Ending struct {
	Refused bool
	Reason  string        // the editor's words
	Waited  time.Duration // at most
}

// sentence says why letters wait again.
func (e Ending) sentence(letters string) string {
	switch {
	case e.Refused && e.Reason != "":
		return fmt.Sprintf("the editor did not apply %s: %s", letters, e.Reason)
	case e.Refused:
		return fmt.Sprintf("the editor did not apply %s", letters)
	}
	return fmt.Sprintf("the text of the editor did not change within %s: %s waits for a decision again", e.Waited, letters)
}

// StatusReverting is the status of a revert that open documents take part in.
const StatusReverting = "reverting"

// Sessions does what is left of a decision in closed files and journals, when the open texts have decided.
type Sessions interface {
	Workspace() *editing.Workspace
	Expire(ctx context.Context, letters []string) (editing.Result, error)
	FinishCommit(ctx context.Context, session string, edit int) (editing.Result, error)
	AbortCommit(ctx context.Context, session string, edit int) (editing.Result, error)
	RevertApplied(ctx context.Context, session string, edit int, reason string) (editing.Result, error)
}

// Underway are the decisions that wait for open texts. Begin is where they begin, Decided where their outcome is known.
// Between the two are the keepers: connections whose editor has documents open. A keeper is a loop over Decisions.
type Underway struct {
	sessions Sessions

	mu      level // guards the rest
	list    []*underway
	nextID  int
	keepers int
}

// underway is a decision with what its keepers know of it.
type underway struct {
	Decision
	made     bool // keepers may see it
	answered bool // by the editor, or it is over
}

// NewUnderway are no decisions yet.
func NewUnderway(s Sessions) *Underway { return &Underway{sessions: s} }

// Begin makes a decision with do. Where open documents take part in it, it is under way then, and Begin returns when their
// keeper has answered; if there is none, at once.
func (u *Underway) Begin(ctx context.Context, d Decision, do func() (editing.Result, error)) (editing.Result, error) {
	w := u.add(d) // before it is made, so that a commit is not taken for one that nobody asked for
	r, err := do()
	if d.Way == Commits || d.Way == Undoes {
		d.Letters = r.Touched
	}
	if err != nil || !u.waits(d, r) {
		u.remove(w)
		return r, err
	}
	u.move(func() { w.Letters, w.made = d.Letters, true })
	_ = u.mu.until(ctx, func() bool { return w.answered || u.keepers == 0 })
	return r, nil
}

// waits reports whether open documents take part in a decision that was made.
func (u *Underway) waits(d Decision, r editing.Result) bool {
	if d.Way == Applies || d.Way == Undoes {
		return r.OK() && !d.Decided(u.sessions.Workspace().Snapshot())
	}
	return r.Status == editing.StatusCommitting || r.Status == StatusReverting
}

func (u *Underway) add(d Decision) *underway {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.nextID++
	d.ID = u.nextID
	w := &underway{Decision: d}
	u.list = append(u.list, w)
	return w
}

func (u *Underway) remove(w *underway) {
	u.move(func() {
		w.answered = true
		u.list = slices.DeleteFunc(u.list, func(o *underway) bool { return o == w })
	})
}

// move changes the decisions, and wakes whoever waits.
func (u *Underway) move(change func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	change()
	u.mu.bump()
}

// Keep says that there is a keeper until ctx ends.
func (u *Underway) Keep(ctx context.Context) {
	u.move(func() { u.keepers++ })
	context.AfterFunc(ctx, func() { u.move(func() { u.keepers-- }) })
}

// Decisions are those that are under way, oldest first, and a channel that is closed when they are others. The agent's
// commit is one of them, where the policy lets it.
func (u *Underway) Decisions() (now []Decision, moved <-chan struct{}) {
	u.mu.Lock()
	defer u.mu.Unlock()
	snap := u.sessions.Workspace().Snapshot() // under the lock: a commit ends before its decision goes
	for _, ses := range snap.Sessions("") {
		if ses.State == editing.Committing && !u.commits(ses) {
			u.nextID++
			d := Committing(ses.Owner, ses.N)
			d.ID, d.Unasked = u.nextID, true
			for _, c := range snap.Undecided(ses.Owner, ses.N) {
				d.Letters = append(d.Letters, c.Letter)
			}
			d.Letters = InState(snap, d.Letters, editing.Applying)
			u.list = append(u.list, &underway{Decision: d, made: true})
		}
	}
	for _, w := range u.list {
		if w.made {
			now = append(now, w.Decision)
		}
	}
	return now, u.mu.next()
}

// commits reports whether a decision commits an edit. It is called with the lock held.
func (u *Underway) commits(ses *editing.Session) bool {
	return slices.ContainsFunc(u.list, func(w *underway) bool {
		return w.Way == Commits && w.Session == ses.Owner && w.Edit == ses.N
	})
}

// find is a decision that is under way, nil if it is not any more. It is called with the lock held.
func (u *Underway) find(id int) *underway {
	if i := slices.IndexFunc(u.list, func(w *underway) bool { return w.ID == id }); i >= 0 {
		return u.list[i]
	}
	return nil
}

// Answered tells that the editor has answered, or that it is not waited for. It decides nothing.
func (u *Underway) Answered(id int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if w := u.find(id); w != nil && !w.answered {
		w.answered = true
		u.mu.bump()
	}
}

// Decided ends a decision, by the texts as they are now. It answers what to tell the user, who may have seen another
// outcome coming; an error is a broken program.
func (u *Underway) Decided(ctx context.Context, id int, how Ending) (say []string, err error) {
	u.mu.Lock()
	w := u.find(id)
	u.mu.Unlock()
	if w == nil {
		return nil, nil
	}
	defer u.remove(w)
	switch w.Way {
	case Commits:
		return u.committed(ctx, w.Decision, how)
	case Reverts:
		return u.reverted(ctx, w.Decision, how), nil
	case Undoes:
		return u.undone(w.Decision, how), nil
	}
	return u.applied(ctx, w.Decision, how)
}

// applied expires what is still applying.
func (u *Underway) applied(ctx context.Context, d Decision, how Ending) (say []string, err error) {
	still := InState(u.sessions.Workspace().Snapshot(), d.Letters, editing.Applying)
	if len(still) > 0 {
		if err = done(u.sessions.Expire(ctx, still)); err != nil {
			err = fmt.Errorf("%s could not be given back: %w", strings.Join(still, ", "), err)
		}
	}
	snap := u.sessions.Workspace().Snapshot()
	if back := InState(snap, still, editing.Staged); len(back) > 0 {
		say = append(say, how.sentence(strings.Join(back, ", ")))
	}
	if bad := InState(snap, d.Letters, editing.Conflict); len(bad) > 0 {
		say = append(say, fmt.Sprintf("%s met other text than expected and is in conflict now; one undo in the editor takes back what it changed",
			strings.Join(bad, ", ")))
	}
	return say, err
}

// committed finishes a commit that all open texts have confirmed, which writes the closed files, and gives up any other.
func (u *Underway) committed(ctx context.Context, d Decision, how Ending) (say []string, err error) {
	if len(InState(u.sessions.Workspace().Snapshot(), d.Letters, editing.Applied)) == len(d.Letters) {
		if err = done(u.sessions.FinishCommit(ctx, d.Session, d.Edit)); err == nil {
			return nil, nil
		}
		err, how = fmt.Errorf("#%d was not committed: %w", d.Edit, err), Ending{Waited: how.Waited}
	}
	if abort := done(u.sessions.AbortCommit(ctx, d.Session, d.Edit)); abort != nil {
		err = errors.Join(err, fmt.Errorf("the commit of #%d could not be given up: %w", d.Edit, abort))
	}
	return []string{gaveUp(u.sessions.Workspace().Snapshot(), d, how)}, err
}

// gaveUp says that a commit was given up, and which files have changed all the same.
func gaveUp(snap *editing.Snapshot, d Decision, how Ending) string {
	sentence := fmt.Sprintf("#%d was not committed, no closed file was written", d.Edit)
	if back := InState(snap, d.Letters, editing.Staged); len(back) > 0 {
		sentence += "; " + how.sentence(strings.Join(back, ", "))
	}
	var changed []string
	for _, l := range d.Letters {
		if c, ok := snap.Change(l); ok && c.State != editing.Staged && !slices.Contains(changed, c.Name) {
			changed = append(changed, c.Name)
		}
	}
	if len(changed) > 0 {
		sentence += "; changed already: " + strings.Join(changed, ", ") + " (one undo in the editor takes it back)"
	}
	return sentence
}

// reverted closes the edit. What was applied and is staged again goes with it.
func (u *Underway) reverted(ctx context.Context, d Decision, how Ending) (say []string) {
	if left := len(d.Edits(u.sessions.Workspace().Snapshot())); left > 0 {
		what := fmt.Sprintf("#%d in %d open documents", d.Edit, left)
		say = append(say, what+" could not be taken back: "+how.sentence(what))
	}
	if err := done(u.sessions.RevertApplied(ctx, d.Session, d.Edit, d.Reason)); err != nil {
		say = append(say, fmt.Sprintf("#%d was not reverted: %v", d.Edit, err))
	}
	return say
}

// undone says what an editor has not taken out: it stays applied.
func (u *Underway) undone(d Decision, how Ending) (say []string) {
	left := strings.Join(InState(u.sessions.Workspace().Snapshot(), d.Letters, editing.Applied), ", ")
	switch {
	case left == "":
		return nil
	case how.Refused:
		return []string{strings.TrimSuffix(left+" was not taken out, the editor did not do it: "+how.Reason, ": ")}
	}
	return []string{fmt.Sprintf("%s was not taken out: the text of the editor did not change so within %s", left, how.Waited)}
}

// done is the error of a decision that was not done.
func done(r editing.Result, err error) error {
	if err == nil && !r.OK() {
		return errors.New(r.Hint)
	}
	return err
}
