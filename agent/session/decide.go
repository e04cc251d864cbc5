package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// Decision is what a person decides of changes, or of an editing session: made by one of
// the functions below, carried out by Session.Decide.
type Decision struct {
	op     string
	reason string          // the person's: the agent hears it
	edit   int             // the editing session that it is about; 0: none, or the only open one
	takes  []editing.Taken // of an undo
	of     memory.Decision // that an undo takes back
	plan   func(d Decision, owner string) editing.Op
	heard  hearing // by the agent; nil: nothing
	by     memory.Client
	fault  error // it makes no sense
}

// hearing is what the agent hears of a decision.
type hearing func(d Decision, snap *editing.Snapshot, p *editing.Plan) []string

// By is the decision as somebody's.
func (d Decision) By(who memory.Client) Decision {
	d.by = who
	return d
}

// Plan is what a decision does to an owner's changes.
func (d Decision) Plan(owner string) editing.Op { return d.plan(d, owner) }

// onChanges decides letters; what is what the agent hears of each.
func onChanges(op string, o editing.Op, what string) Decision {
	return Decision{op: op, heard: each(what), plan: func(Decision, string) editing.Op { return o }}
}

// onEdit decides a whole editing session.
func onEdit(op string, n int, of func(owner string, n int) editing.Op, heard hearing) Decision {
	return Decision{op: op, edit: n, heard: heard, plan: func(d Decision, owner string) editing.Op { return of(owner, d.edit) }}
}

// Apply takes changes into their files.
func Apply(choices []editing.Choice) Decision {
	return onChanges("apply", editing.Apply(choices), "applied")
}

// Reject throws changes away; the agent hears the reason.
func Reject(choices []editing.Choice, reason string) Decision {
	return Decision{op: "reject", reason: reason, heard: each("rejected"), plan: func(d Decision, _ string) editing.Op {
		return editing.Reject(choices, d.reason)
	}}
}

// Unreject brings rejected changes back.
func Unreject(choices []editing.Choice) Decision {
	return onChanges("unreject", editing.Unreject(choices), "brought back")
}

// Resolve ends a conflict: "mine" keeps the user's text, "agent" takes the
// agent's over it, "ask" tells the agent to look again.
func Resolve(choice editing.Choice, take string) Decision {
	one := []editing.Choice{choice}
	switch take {
	case "mine":
		return onChanges("keep-mine", editing.Reject(one, "the user keeps their text"), "rejected: 'the user keeps their own text there'")
	case "agent":
		return onChanges("take-agent", editing.TakeAgents(one), "applied: 'over the user's text'")
	}
	d := onChanges("ask-again", editing.AskAgain(choice), "")
	d.heard = askAgain
	if take != "ask" {
		d.fault = refuse("bad_arguments", "take is %q; it is mine, agent or ask", take)
	}
	return d
}

// Expire decides letters that an editor refused, or whose text did not come.
func Expire(letters []string) Decision {
	return Decision{op: "expire", plan: func(Decision, string) editing.Op { return editing.Expire(letters) }}
}

// Commit applies what is left of an editing session and closes it. 0 means the only
// open one. seen are the letters that the person saw waiting: where others wait,
// nothing is done; nil: they were shown none.
func Commit(n int, summary string, seen []editing.Choice) Decision {
	return Decision{op: opCommit, reason: summary, edit: n, heard: closing, plan: func(d Decision, owner string) editing.Op {
		if seen != nil {
			return editing.CommitSeen(owner, d.edit, d.reason, seen)
		}
		return editing.Commit(owner, d.edit, d.reason, nil)
	}}
}

// FinishCommit takes in the closed files of a commit whose open documents have
// confirmed, and closes the editing session.
func FinishCommit(n int) Decision { return onEdit(opCommit, n, editing.FinishCommit, closing) }

// AbortCommit gives a commit up that an editor refused: each letter is what its
// document says, and the editing session is open as before.
func AbortCommit(n int) Decision { return onEdit("abort-commit", n, editing.AbortCommit, nil) }

// Revert throws away what is left of an editing session and closes it. 0 means the
// only open one.
func Revert(n int, reason string) Decision {
	return Decision{op: opRevert, reason: reason, edit: n, heard: closing, plan: func(d Decision, owner string) editing.Op {
		return editing.Revert(owner, d.edit, d.reason, nil)
	}}
}

// UndoApplied takes changes that were applied back out of closed files, where
// their text is intact, so that a revert throws them away too. The hint names
// those that it could not take back. Open documents are undone by their editor:
// see editing.Snapshot.Undoing.
func UndoApplied(n int) Decision {
	return onEdit(opUndoApplied, n, editing.UndoApplied, each("was undone by the user, and waits again"))
}

// UndoClosed takes what a closed editing session applied back out of closed files,
// where its text is intact. The hint names what stays. The agent hears it.
func UndoClosed(n int) Decision { return onEdit(opUndoClosed, n, editing.UndoClosed, closing) }

// What a decision is called in journals and intents, where more than its name rests on it.
const (
	opCommit      = "commit"
	opRevert      = "revert"
	opUndoApplied = "undo-applied"
	opUndoClosed  = "undo-closed"
	opAmend       = "amend"
	opSplit       = "split"
	opUndo        = "undo"
)

// closes reports whether an editing session ends with a decision.
func (d Decision) closes() bool { return d.op == opCommit || d.op == opRevert }

// each says what was decided of every letter. What an editor still has to bring
// into its text is told when the text is there.
func each(what string) hearing {
	return func(d Decision, _ *editing.Snapshot, p *editing.Plan) []string {
		var out []string
		for _, l := range p.Result.Touched {
			if p.State(l) != editing.Applying {
				out = append(out, l+" "+what+because(d.reason))
			}
		}
		return out
	}
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": '" + reason + "'"
}

// askAgain shows the agent the user's text.
func askAgain(_ Decision, snap *editing.Snapshot, p *editing.Plan) []string {
	var out []string
	for _, l := range p.Result.Touched {
		c, ok := snap.Change(l)
		if !ok {
			continue
		}
		d, _ := snap.Document(c.Path)
		for _, sides := range c.Conflicts(d.Base) {
			out = append(out, fmt.Sprintf("look at %s in %s again: the user wrote %q where you wanted %q", l, c.Name, sides.Mine, sides.Agent))
		}
	}
	return out
}

// closing says what was decided of a whole editing session.
func closing(d Decision, _ *editing.Snapshot, p *editing.Plan) []string {
	switch {
	case !p.Result.OK():
		return nil
	case d.op == opUndoClosed:
		return []string{fmt.Sprintf("the user took #%d back, with what was applied", d.edit)}
	}
	line := fmt.Sprintf("the user %s #%d", map[string]string{opCommit: "committed", opRevert: "reverted"}[d.op], d.edit)
	if len(p.Result.Touched) > 0 {
		line += " (" + strings.Join(p.Result.Touched, ", ") + ")"
	}
	return []string{line + because(d.reason)}
}

// Decide carries a person's decision out. One that was understood and not done is a
// Result that is not OK; an error says that something is broken. Documents that an
// editor has open are decided in two steps: their text says what happened.
func (s *Session) Decide(d Decision) (editing.Result, error) {
	fault := s.lookFor(d)
	s.mu.Lock()
	defer s.mu.Unlock()
	read, unread := s.readFor(d)
	fault = errors.Join(fault, unread)
	if d.closes() && fault == nil {
		d.edit, fault = onlyEdit(s.OpenEdits(), d.edit)
	}
	if err := errors.Join(fault, s.textDecided()); err != nil { // what the texts decided before comes first
		return done(editing.Result{}, err)
	}
	d.reason = s.Mask(d.reason)
	var heard func(*editing.Plan) []string
	if d.heard != nil && !(d.op == opCommit && d.edit == s.committing) { // it knows
		heard = func(p *editing.Plan) []string { return d.heard(d, s.Snapshot(), p) }
	}
	was, _ := s.Snapshot().Session(s.me, d.edit)
	entry := editEntry{Op: d.op, Reason: d.reason, Undoes: d.of.ID, Takes: d.takes, by: d.by}
	res, err := done(s.do(memory.TypeDecision, entry, d.Plan(s.me), heard, read...))
	switch {
	case err != nil || !res.OK():
	case d.op == opUndoClosed:
		err = s.amend(d.edit)
	case d.op == opUndo && !was.State.Open():
		err = s.reopened(d.edit)
	}
	if err != nil || !d.closes() || res.Status == editing.StatusCommitting { // the open documents have to confirm first
		return res, err
	}
	if !res.OK() {
		res.Files = append(res.Files, conflicts(s.Snapshot(), s.me, d.edit)...)
		return res, nil
	}
	return res, s.closed(d.edit)
}

// takesBack reports whether a decision goes into files of changes that the table may not know any more.
func (d Decision) takesBack() bool { return d.op == opUndoClosed || d.op == opUndo }

// lookFor takes in what a decision rests on, as the disk has it now.
func (s *queue) lookFor(d Decision) error {
	if err := errors.Join(d.fault, s.refreshAll(By{})); err != nil || !d.takesBack() {
		return err
	}
	for _, c := range s.Snapshot().Of(s.me, d.edit) { // what an editor took back before
		if c.Kind == editing.KindRename && d.op == opUndoClosed {
			s.Files().RemoveFolders(c.File.Made)
		}
	}
	for path := range editing.FilesOf(s.Snapshot().Of(s.me, d.edit)) {
		if err := s.refresh(By{}, path); err != nil {
			return err
		}
	}
	return nil
}

// readFor reads the files that a decision goes back into. It is called in the queue: the decision before may have written
// them.
func (s *queue) readFor(d Decision) (read []*editing.Document, err error) {
	if !d.takesBack() {
		return nil, nil
	}
	for path, name := range editing.FilesOf(s.Snapshot().Of(s.me, d.edit)) {
		t, err := s.Files().Read(path)
		switch {
		case err == nil:
			read = append(read, editing.NewDocument(path, name, t))
		case !isLost(err):
			return nil, err
		}
	}
	return read, nil
}

// OnlyEdit is the editing session that a person means by a number, 0: the only open one; 0 if there is none of these.
func (s *base) OnlyEdit(n int) int {
	n, _ = onlyEdit(s.OpenEdits(), n)
	return n
}

// onlyEdit is the editing session that the person means.
func onlyEdit(open []*editing.Session, n int) (int, error) {
	switch {
	case n != 0:
		return n, nil
	case len(open) == 0:
		return 0, refuse("bad_arguments", "nothing is staged")
	case len(open) == 1:
		return open[0].N, nil
	}
	var names []string
	for _, e := range open {
		names = append(names, e.ID())
	}
	return 0, refuse("bad_arguments", "several editing sessions are open: %s; name one", strings.Join(names, ", "))
}

// conflicts names the files that stand in the way of a commit.
func conflicts(snap *editing.Snapshot, owner string, n int) []editing.FileProblem {
	var out []editing.FileProblem
	for _, c := range snap.Undecided(owner, n) {
		if c.State == editing.Conflict {
			out = append(out, editing.FileProblem{Path: c.Name, Code: "user_edit", Message: "change " + c.Letter + " is in conflict with the user's text"})
		}
	}
	return out
}

// Unheard reports whether the agent has decisions or remarks to hear.
func (s *queue) Unheard() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.notices) > 0
}

// Comment tells the agent a remark about a change at its next step.
func (s *Session) Comment(letter, remark string) error {
	remark = s.Mask(remark)
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.Snapshot().Change(letter)
	if !ok || c.Owner != s.me {
		return refuse("unknown_change", "there is no change %s", letter)
	}
	say := fmt.Sprintf("the user says about %s (%s): '%s'", letter, c.Name, remark)
	return s.happened(memory.TypeDecision, editEntry{Op: "comment", Reason: remark, Notices: []string{say}})
}
