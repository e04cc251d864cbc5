package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// StatusReverting is the status of a revert that open documents take part in.
const StatusReverting = "reverting"

// Sessions does what is left of a decision in closed files and journals, when the open texts have decided.
type Sessions interface {
	Workspace() *editing.Workspace
	ReadFile(abs string) (text.Text, error)
	FilesChanged(ctx context.Context, paths []string)
	TextMoved()
	Asker(session string) editing.Keeper
	Go(work func(ctx context.Context)) // side by side, for as long as the workspace is open
	Expire(ctx context.Context, letters []string) (editing.Result, error)
	FinishCommit(ctx context.Context, session string, edit int) (editing.Result, error)
	AbortCommit(ctx context.Context, session string, edit int) (editing.Result, error)
	RevertApplied(ctx context.Context, by editing.Keeper, session string, edit int, reason string) (editing.Result, error)
}

// Underway are the clients, and the decisions that wait for the texts that they keep. Begin is where a decision begins,
// Decided where a keeper's part of it ends; with the last of them its outcome is known. A keeper is a loop over Decisions.
// Which document is whose, the table knows.
type Underway struct {
	sessions Sessions

	awaits func(file string) bool // its editor, since the host was killed; nil: none

	mu      level // guards the rest
	clients map[editing.Keeper]*connected
	lastID  editing.Keeper
	edited  bool             // an editor has been here
	unheard []string         // while nobody is connected
	gone    []editing.Keeper // and what these have not let go yet
	list    []*underway
	nextID  int
}

// underway is a decision with what its keepers know of it.
type underway struct {
	Decision
	made  bool // keepers may see it
	parts map[editing.Keeper]*part
	over  bool
	done  bool // as it was meant
}

// part is what one keeper brings in.
type part struct {
	answered bool // by the editor; it decides nothing
	ended    bool
	how      Ending
}

// NewUnderway are no clients and no decisions yet.
func NewUnderway(s Sessions) *Underway {
	return &Underway{sessions: s, clients: map[editing.Keeper]*connected{}}
}

// Begin makes a decision with do, unless an editor stands in its way. Where open documents take part in it, it is under
// way then, and Begin returns when the editor of whoever decided has answered. Whoever keeps none of them, a terminal most
// often, sees no text: Begin returns when the texts have decided.
func (u *Underway) Begin(ctx context.Context, d Decision, do func() (editing.Result, error)) (editing.Result, error) {
	if r := u.barred(d); r != nil {
		return *r, nil
	}
	w := u.add(d) // before it is made, so that a commit is not taken for one that nobody asked for
	r, err := do()
	if d.Way == Commits || d.Way == Undoes || d.Way == Applies && !r.OK() { // of several sessions, one may have failed
		d.Letters = r.Touched
	}
	if err != nil || !u.waits(d, r) {
		u.move(func() { u.remove(w) })
		return r, err
	}
	parts := partsOf(d.keepers(u.sessions.Workspace().Snapshot()))
	u.move(func() { w.Letters, w.parts, w.made = d.Letters, parts, true })
	if len(parts) == 0 { // the texts were quicker
		return r, u.finish(ctx, w)
	}
	_ = u.mu.until(ctx, func() bool { return u.answered(w) })
	return r, nil
}

func partsOf(ks []editing.Keeper) map[editing.Keeper]*part {
	out := map[editing.Keeper]*part{}
	for _, k := range ks {
		out[k] = &part{}
	}
	return out
}

// answered reports whether whoever decided need not wait any more. It is called with the lock held.
func (u *Underway) answered(w *underway) bool {
	if own := w.parts[w.By]; own != nil {
		return w.over || own.answered || u.clients[w.By] == nil
	}
	for k, p := range w.parts {
		if !w.over && !p.ended && u.clients[k] != nil {
			return false
		}
	}
	return true
}

// waits reports whether open documents take part in a decision that was made.
func (u *Underway) waits(d Decision, r editing.Result) bool {
	if d.Way == Applies || d.Way == Undoes {
		return len(d.keepers(u.sessions.Workspace().Snapshot())) > 0
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

// remove is called with the lock held.
func (u *Underway) remove(w *underway) {
	w.over = true
	u.list = slices.DeleteFunc(u.list, func(o *underway) bool { return o == w })
}

// move changes the decisions, and wakes whoever waits.
func (u *Underway) move(change func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	change()
	u.mu.bump()
}

// Decisions are those in which a client has a part that has not ended, oldest first, and a channel that is closed when
// they are others. The agent's commit is one of them, where the policy lets it.
func (u *Underway) Decisions(of editing.Keeper) (now []Decision, moved <-chan struct{}) {
	var agents []Decision
	for _, ses := range u.sessions.Workspace().Snapshot().Sessions("") {
		if ses.State == editing.Committing {
			d := Committing(u.sessions.Asker(ses.Owner), ses.Owner, ses.N)
			d.Barred = u.unasked(d)
			agents = append(agents, d)
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	snap := u.sessions.Workspace().Snapshot() // under the lock: a commit ends before its decision goes
	for _, d := range agents {
		if ses, ok := snap.Session(d.Session, d.Edit); !ok || ses.State != editing.Committing || u.commits(ses) {
			continue
		}
		u.nextID++
		d.ID = u.nextID
		for _, c := range d.changes(snap) {
			d.Letters = append(d.Letters, c.Letter)
		}
		d.Letters = InState(snap, d.Letters, editing.Applying)
		w := &underway{Decision: d, made: true, parts: partsOf(d.keepers(snap))}
		if len(w.parts) == 0 {
			w.parts[of] = &part{} // somebody has to end it
		}
		u.list = append(u.list, w)
		u.mu.bump()
	}
	return u.parts(of), u.mu.next()
}

// parts is called with the lock held.
func (u *Underway) parts(of editing.Keeper) (out []Decision) {
	for _, w := range u.list {
		if p := w.parts[of]; w.made && p != nil && !p.ended {
			out = append(out, w.Decision)
		}
	}
	return out
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

// Answered tells that a keeper's editor has answered, or that it is not waited for. It decides nothing.
func (u *Underway) Answered(of editing.Keeper, id int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if w := u.find(id); w != nil && w.parts[of] != nil && !w.parts[of].answered {
		w.parts[of].answered = true
		u.mu.bump()
	}
}

// Decided ends a keeper's part of a decision, and with the last one the decision, by the texts as they are now. It
// returns when that is done, and reports whether all came as it was meant: else whoever decided is told, and the keeper
// who did not bring it in. An error is a broken program.
func (u *Underway) Decided(ctx context.Context, of editing.Keeper, id int, how Ending) (done bool, err error) {
	var w *underway
	last := true
	u.move(func() {
		if w = u.find(id); w == nil || w.parts[of] == nil || w.parts[of].ended {
			w = nil
			return
		}
		w.parts[of].ended, w.parts[of].how = true, how
		for _, p := range w.parts {
			last = last && p.ended
		}
	})
	switch {
	case w == nil:
		return false, nil
	case last:
		err = u.finish(ctx, w)
	default:
		err = u.mu.until(ctx, func() bool { return w.over })
	}
	return err == nil && w.done, err
}

// finish ends a decision whose parts have all ended.
func (u *Underway) finish(ctx context.Context, w *underway) (err error) {
	var say []string
	ctx, how := context.WithoutCancel(ctx), u.how(w)
	switch w.Way {
	case Commits:
		say, err = u.committed(ctx, w.Decision, how)
	case Reverts:
		say = u.reverted(ctx, w.Decision, how)
	case Undoes:
		say = u.undone(w.Decision, how)
	default:
		say, err = u.applied(ctx, w.Decision, how)
	}
	u.move(func() {
		w.done = err == nil && len(say) == 0
		u.remove(w)
	})
	if err != nil {
		say = append(say, err.Error())
	}
	for _, sentence := range say {
		u.Say(sentence, u.concerned(w)...)
	}
	return err
}

// how is why a decision may not have come out as it was meant: a refusal says more than waiting in vain.
func (u *Underway) how(w *underway) (how Ending) {
	snap := u.sessions.Workspace().Snapshot()
	for k, p := range w.parts {
		if how.Refused || !p.how.Refused && w.Decision.Decided(snap, k) {
			continue
		}
		if how = p.how; k != w.By {
			c, _ := u.Client(k)
			how.who = c.Name
		}
	}
	return how
}

// concerned are who decided, and the keepers of what did not come.
func (u *Underway) concerned(w *underway) []editing.Keeper {
	snap, out := u.sessions.Workspace().Snapshot(), []editing.Keeper{w.By}
	for k, p := range w.parts {
		if p.how.Refused || !w.Decision.Decided(snap, k) || w.By == 0 {
			out = append(out, k)
		}
	}
	for _, l := range w.Letters {
		if c, ok := snap.Change(l); ok && c.State != editing.Applied {
			if d, ok := snap.Document(c.Path); ok {
				out = append(out, d.Keeper)
			}
		}
	}
	return out
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
	if err := done(u.sessions.RevertApplied(ctx, d.By, d.Session, d.Edit, d.Reason)); err != nil {
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
