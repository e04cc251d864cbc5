package editing

import (
	"fmt"
	"slices"
	"strings"
)

// Policy says who may commit.
type Policy string

// The review policies.
const (
	Ask  Policy = "ask"  // memo_commit proposes, the user decides when they like
	Wait Policy = "wait" // memo_commit returns when the user has decided
	Auto Policy = "auto" // memo_commit commits at once, where no editor stands in the way
)

// Stricter is the one of two policies that leaves more to the user.
func (p Policy) Stricter(o Policy) Policy {
	for _, strict := range []Policy{Ask, Wait} {
		if p == strict || o == strict {
			return strict
		}
	}
	return Auto
}

// named finds an open editing session, or answers what is wrong with the name.
func (t *tx) named(owner string, n int) (*Session, *Result) {
	ses, ok := t.st.Session(owner, n)
	if !ok {
		r := refuse("bad_arguments", "there is no editing session %s; %s", SessionID(n), t.st.OpenNames(owner))
		return nil, &r
	}
	if !ses.State.Open() {
		r := refuse("state", "editing session %s is %s already; %s", ses.ID(), ses.State, t.st.OpenNames(owner))
		return nil, &r
	}
	return ses, nil
}

// OpenNames says which editing sessions of owner are open.
func (s *Snapshot) OpenNames(owner string) string {
	var ids []string
	for _, ses := range s.Sessions(owner) {
		if ses.State.Open() {
			ids = append(ids, ses.ID())
		}
	}
	if len(ids) == 0 {
		return "none is open"
	}
	return "open are " + strings.Join(ids, ", ")
}

// Propose asks the user to review an editing session. Its letters wait; new
// places open the next session.
func Propose(owner string, n int, summary string, decisions []string) Op {
	return func(t *tx) Result {
		if _, r := t.named(owner, n); r != nil {
			return *r
		}
		s := t.session(owner, n)
		if s.State == Committing {
			return refuse("applying", "editing session %s is being committed right now", s.ID())
		}
		s.State = Proposed
		s.describe(summary, decisions)
		return Result{Status: StatusProposed, Owner: owner, Session: n}
	}
}

func (s *Session) describe(summary string, decisions []string) {
	if summary != "" {
		s.Summary = summary
	}
	if len(decisions) > 0 {
		s.Decisions = decisions
	}
}

// Commit applies everything left in an editing session and closes it. Closed
// files become Targets. Where an editor has documents of it open, the session is
// committing until their text has confirmed; then FinishCommit, else AbortCommit.
func Commit(owner string, n int, summary string, decisions []string) Op {
	return func(t *tx) Result {
		ses, r := t.named(owner, n)
		if r != nil {
			return *r
		}
		if r := t.ready(ses); r != nil {
			return *r
		}
		s := t.session(owner, n)
		s.describe(summary, decisions)
		open, closed := t.split(s)
		if len(open) > 0 {
			s.Before, s.State, s.Pins = s.State, Committing, choices(t.st.Undecided(owner, n))
			t.apply(open)
			return Result{Status: StatusCommitting, Owner: owner, Session: n, Touched: letters(open)}
		}
		t.apply(closed)
		t.close(s, Committed)
		return Result{Status: StatusCommitted, Owner: owner, Session: n, Touched: letters(closed)}
	}
}

// CommitSeen is Commit by somebody who saw exactly these letters waiting: where
// others wait, or one was amended since, nothing is done.
func CommitSeen(owner string, n int, summary string, seen []Choice) Op {
	return func(t *tx) Result {
		if r := t.asSeen(owner, n, seen); r != nil {
			return *r
		}
		return Commit(owner, n, summary, nil)(t)
	}
}

// asSeen answers which letter of a session waits otherwise than it was seen.
func (t *tx) asSeen(owner string, n int, seen []Choice) *Result {
	for _, c := range t.st.Undecided(owner, n) {
		if slices.Contains(seen, Choice{c.Letter, c.Revision}) {
			continue
		}
		return &Result{Status: StatusStale, Code: "revision", Owner: owner, Session: n, Hint: fmt.Sprintf(
			"change %s was staged or amended since you saw it (revision %d); look at it, then commit again. Nothing was committed", c.Letter, c.Revision)}
	}
	return nil
}

func choices(cs []*Change) []Choice {
	out := make([]Choice, len(cs))
	for i, c := range cs {
		out[i] = Choice{c.Letter, c.Revision}
	}
	return out
}

// FinishCommit takes the closed files of a committing session in, now that the
// open documents have confirmed.
func FinishCommit(owner string, n int) Op {
	return func(t *tx) Result {
		s := t.session(owner, n)
		if s == nil || s.State != Committing {
			return refuse("state", "editing session %s is not being committed", SessionID(n))
		}
		for _, c := range t.st.Undecided(owner, n) {
			if c.State != Staged {
				return refuse("applying", "change %s has not been confirmed by its document", c.Letter)
			}
		}
		if r := t.asSeen(owner, n, s.Pins); r != nil {
			return *r
		}
		_, closed := t.split(s)
		t.apply(closed)
		s.Pins = nil
		t.close(s, Committed)
		return Result{Status: StatusCommitted, Owner: owner, Session: n, Touched: letters(closed)}
	}
}

// AbortCommit gives a commit up: each letter is what its document's text says,
// and the session returns to the state it had.
func AbortCommit(owner string, n int) Op {
	return func(t *tx) Result {
		s := t.session(owner, n)
		if s == nil || s.State != Committing {
			return refuse("state", "editing session %s is not being committed", SessionID(n))
		}
		s.State, s.Pins = s.Before, nil
		r := Expire(letters(t.st.Undecided(owner, n)))(t)
		r.Owner, r.Session = owner, n
		return r
	}
}

// ready answers why a session cannot be committed, naming each file.
func (t *tx) ready(ses *Session) *Result {
	if ses.State == Committing {
		r := refuse("applying", "editing session %s is being committed right now; try again when its documents have answered", ses.ID())
		return &r
	}
	var bad []string
	for _, c := range t.st.Undecided(ses.Owner, ses.N) {
		switch c.State {
		case Applying:
			r := refuse("applying", "change %s is being applied by the editor right now; try again when its text has arrived", c.Letter)
			return &r
		case Conflict:
			bad = append(bad, fmt.Sprintf("%s in %s", c.Letter, c.Name))
		}
	}
	if len(bad) == 0 {
		return nil
	}
	r := refuse("commit_failed", "nothing was committed: in conflict with the user's text are %s. Keep the user's text (reject) or take the agent's, then commit again", strings.Join(bad, ", "))
	return &r
}

// split sorts the staged letters of a session by who holds their document.
func (t *tx) split(s *Session) (open, closed []*Change) {
	for _, c := range t.st.Undecided(s.Owner, s.N) {
		if t.st.docs[c.Path].keeps(c) {
			open = append(open, c)
		} else {
			closed = append(closed, c)
		}
	}
	return open, closed
}

func letters(cs []*Change) []string {
	out := make([]string, len(cs))
	for i, c := range cs {
		out[i] = c.Letter
	}
	return out
}

// Revert closes an editing session and throws away what is still staged. What
// was applied stays: it is the user's text now.
func Revert(owner string, n int, reason string, decisions []string) Op {
	return func(t *tx) Result {
		ses, r := t.named(owner, n)
		if r != nil {
			return *r
		}
		if ses.State == Committing {
			return refuse("applying", "editing session %s is being committed right now; try again when its documents have answered", ses.ID())
		}
		gone := t.st.Undecided(owner, n)
		for _, c := range gone {
			if c.State == Applying {
				return refuse("applying", "change %s is being applied by the editor right now; try again when its text has arrived", c.Letter)
			}
		}
		s := t.session(owner, n)
		s.Reason = reason
		s.describe("", decisions)
		t.close(s, Reverted)
		return Result{Status: StatusReverted, Owner: owner, Session: n, Touched: letters(gone)}
	}
}

// Close ends an editing session whose letters are all decided: committed if one
// of them was applied, else reverted.
func Close(owner string, n int) Op {
	return func(t *tx) Result {
		if _, r := t.named(owner, n); r != nil {
			return *r
		}
		if s, _ := t.st.Session(owner, n); s.State == Committing {
			return refuse("applying", "editing session %s is being committed right now", s.ID())
		}
		if left := t.st.Undecided(owner, n); len(left) > 0 {
			return refuse("state", "change %s still waits for a decision", left[0].Letter)
		}
		outcome, status := Reverted, StatusReverted
		if t.st.anyApplied(owner, n) {
			outcome, status = Committed, StatusCommitted
		}
		t.close(t.session(owner, n), outcome)
		return Result{Status: status, Owner: owner, Session: n}
	}
}

// WasApplied reports whether the user took the change into their text.
func (c *Change) WasApplied() bool {
	return c.State == Applied || c.State == Closed && c.Was == Applied
}

func (s *Snapshot) anyApplied(owner string, n int) bool {
	return slices.ContainsFunc(s.Of(owner, n), (*Change).WasApplied)
}
