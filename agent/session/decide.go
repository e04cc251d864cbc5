package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// The person's decisions. A decision that was understood and not done is a Result
// that is not OK; an error says that something is broken. Documents that an editor
// has open are decided in two steps: their text says what happened.

// Apply takes changes into their files, because the person said so.
func (s *Session) Apply(_ context.Context, choices []editing.Choice) (editing.Result, error) {
	return s.decide("apply", "", editing.Apply(choices), func(p *editing.Plan) []string { return each(p, "applied", "") })
}

// Reject throws changes away; the agent hears the reason.
func (s *Session) Reject(_ context.Context, choices []editing.Choice, reason string) (editing.Result, error) {
	reason = s.Mask(reason)
	return s.decide("reject", reason, editing.Reject(choices, reason), func(p *editing.Plan) []string { return each(p, "rejected", reason) })
}

// Unreject brings rejected changes back.
func (s *Session) Unreject(_ context.Context, choices []editing.Choice) (editing.Result, error) {
	return s.decide("unreject", "", editing.Unreject(choices), func(p *editing.Plan) []string { return each(p, "brought back", "") })
}

// Resolve ends a conflict: "mine" keeps the user's text, "agent" takes the
// agent's over it, "ask" tells the agent to look again.
func (s *Session) Resolve(_ context.Context, choice editing.Choice, take string) (editing.Result, error) {
	one := []editing.Choice{choice}
	switch take {
	case "mine":
		return s.decide("keep-mine", "", editing.Reject(one, "the user keeps his text"), func(p *editing.Plan) []string {
			return each(p, "rejected", "the user keeps his own text there")
		})
	case "agent":
		return s.decide("take-agent", "", editing.TakeAgents(one), func(p *editing.Plan) []string { return each(p, "applied", "over the user's text") })
	case "ask":
		return s.decide("ask-again", "", editing.AskAgain(choice), func(p *editing.Plan) []string { return askAgain(s.Snapshot(), p) })
	}
	return done(editing.Result{}, refuse("bad_arguments", "take is %q; it is mine, agent or ask", take))
}

// askAgain shows the agent the user's text.
func askAgain(snap *editing.Snapshot, p *editing.Plan) []string {
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

// each says what was decided of every letter. What an editor still has to bring
// into its text is told when the text is there.
func each(p *editing.Plan, what, reason string) []string {
	var out []string
	for _, l := range p.Result.Touched {
		if p.State(l) == editing.Applying {
			continue
		}
		line := l + " " + what
		if reason != "" {
			line += ": '" + reason + "'"
		}
		out = append(out, line)
	}
	return out
}

// Expire decides letters that an editor refused, or whose text did not come.
func (s *Session) Expire(_ context.Context, letters []string) (editing.Result, error) {
	return s.decide("expire", "", editing.Expire(letters), nil)
}

// AbortCommit gives a commit up that an editor refused: each letter is what its
// document says, and the editing session is open as before.
func (s *Session) AbortCommit(_ context.Context, n int) (editing.Result, error) {
	return s.decide("abort-commit", "", editing.AbortCommit(s.me, n), nil)
}

// UndoApplied takes changes that were applied back out of closed files, where
// their text is intact, so that a revert throws them away too. The hint names
// those that it could not take back. Open documents are undone by their editor:
// see editing.Snapshot.Undoing.
func (s *Session) UndoApplied(_ context.Context, n int) (editing.Result, error) {
	return s.decide("undo-applied", "", editing.UndoApplied(s.me, n), func(p *editing.Plan) []string { return each(p, "was undone by the user, and waits again", "") })
}

func (s *Session) decide(op, reason string, o editing.Op, notices func(*editing.Plan) []string) (editing.Result, error) {
	refreshed := s.refreshAll(By{})
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errors.Join(refreshed, s.textDecided()); err != nil { // what the texts decided before comes first
		return done(editing.Result{}, err)
	}
	return done(s.do(memory.TypeDecision, editEntry{Op: op, Reason: reason}, o, notices))
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

// CommitEdit applies what is left of an editing session and closes it. 0 means
// the only open one. seen are the letters that the person saw waiting: where others
// wait, nothing is done; nil: they were shown none.
func (s *Session) CommitEdit(_ context.Context, n int, summary string, seen []editing.Choice) (editing.Result, error) {
	summary = s.Mask(summary)
	return s.closeEdit(n, "commit", summary, func(n int) editing.Op {
		if seen != nil {
			return editing.CommitSeen(s.me, n, summary, seen)
		}
		return editing.Commit(s.me, n, summary, nil)
	})
}

// FinishCommit takes in the closed files of a commit whose open documents have
// confirmed, and closes the editing session.
func (s *Session) FinishCommit(_ context.Context, n int) (editing.Result, error) {
	return s.closeEdit(n, "commit", "", func(n int) editing.Op { return editing.FinishCommit(s.me, n) })
}

// RevertEdit throws away what is left of an editing session and closes it.
func (s *Session) RevertEdit(_ context.Context, n int, reason string) (editing.Result, error) {
	reason = s.Mask(reason)
	return s.closeEdit(n, "revert", reason, func(n int) editing.Op { return editing.Revert(s.me, n, reason, nil) })
}

func (s *Session) closeEdit(n int, op, reason string, o func(n int) editing.Op) (editing.Result, error) {
	refreshed := s.refreshAll(By{})
	s.mu.Lock()
	defer s.mu.Unlock()
	n, named := onlyEdit(s.OpenEdits(), n)
	if err := errors.Join(refreshed, s.textDecided(), named); err != nil {
		return done(editing.Result{}, err)
	}
	res, err := done(s.do(memory.TypeDecision, editEntry{Op: op, Reason: reason}, o(n), func(p *editing.Plan) []string {
		if !p.Result.OK() {
			return nil
		}
		line := fmt.Sprintf("the user %s #%d", map[string]string{"commit": "committed", "revert": "reverted"}[op], n)
		if len(p.Result.Touched) > 0 {
			line += " (" + strings.Join(p.Result.Touched, ", ") + ")"
		}
		if reason != "" {
			line += ": '" + reason + "'"
		}
		return []string{line}
	}))
	if err != nil || res.Status == editing.StatusCommitting { // the open documents have to confirm first: these letters
		return res, err
	}
	if !res.OK() {
		res.Files = append(res.Files, conflicts(s.Snapshot(), s.me, n)...)
		return res, nil
	}
	s.unfolded = append(s.unfolded, n)
	return res, s.closeEvents(n, nil)
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

// RevertClosed takes what a closed editing session applied back out of closed
// files, where its text is intact. The hint names what stays. The agent hears it.
func (s *Session) RevertClosed(_ context.Context, n int) (editing.Result, error) {
	var read []*editing.Document
	for path, name := range editing.FilesOf(s.Snapshot().Of(s.me, n)) {
		if err := s.refresh(By{}, path); err != nil {
			return editing.Result{}, err
		}
		t, err := s.set.Load().roots.Read(path)
		switch {
		case err == nil:
			read = append(read, editing.NewDocument(path, name, t))
		case !isLost(err):
			return editing.Result{}, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.Snapshot().Of(s.me, n) { // what an editor took back before
		if c.Kind == editing.KindRename {
			s.set.Load().roots.RemoveFolders(c.File.Made)
		}
	}
	return done(s.do(memory.TypeDecision, editEntry{Op: "undo-closed"}, editing.UndoClosed(s.me, n), func(p *editing.Plan) []string {
		if !p.Result.OK() {
			return nil
		}
		return []string{fmt.Sprintf("the user took #%d back, with what was applied", n)}
	}, read...))
}

// Comment tells the agent a remark about a change at its next step.
func (s *Session) Comment(_ context.Context, letter, remark string) error {
	remark = s.Mask(remark)
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.Snapshot().Change(letter)
	if !ok || c.Owner != s.me {
		return refuse("unknown_change", "there is no change %s", letter)
	}
	say := fmt.Sprintf("the user says about %s (%s): '%s'", letter, c.Name, remark)
	if _, err := s.append(memory.TypeDecision, editEntry{Op: "comment", Reason: remark, Notices: []string{say}}); err != nil {
		return err
	}
	s.notices = append(s.notices, say)
	return nil
}

// Has reports whether a letter of an open editing session is this session's.
func (s *Session) Has(letter string) bool {
	return slices.ContainsFunc(s.Snapshot().Changes(), func(c *editing.Change) bool { return c.Letter == letter && c.Owner == s.me })
}
