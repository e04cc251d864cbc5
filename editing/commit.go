package editing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// Policy says who may commit.
type Policy string

// The review policies.
const (
	Ask  Policy = "ask"  // memo_commit proposes, the user decides when he likes
	Wait Policy = "wait" // memo_commit returns when the user has decided
	Auto Policy = "auto" // memo_commit commits closed files at once
)

// Files is the disk, as far as editing needs it. Paths are absolute. It is
// called outside the lock.
type Files interface {
	Read(path string) (text.Text, error)
	// Check answers an error if the file does not hold exactly the bytes with
	// hash want, or cannot be written.
	Check(path string, want text.Hash) error
	// Write replaces the file's bytes, if they still have hash want, as a whole
	// or not at all.
	Write(path string, want text.Hash, t text.Text) error
}

// FileProblem is one file that stopped a commit.
type FileProblem struct {
	Path    string `json:"path"` // as shown to people
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
}

// WriteError says that a transaction over several files was given up.
type WriteError struct {
	Files []FileProblem
	Lost  []string // files that could not be put back
}

func (e *WriteError) Error() string {
	var ms []string
	for _, f := range e.Files {
		ms = append(ms, f.Path+": "+f.Message)
	}
	s := "nothing was written; " + strings.Join(ms, "; ")
	if len(e.Lost) > 0 {
		s = fmt.Sprintf("%s could not be put back after a failed write, look at it; %s", strings.Join(e.Lost, ", "), strings.Join(ms, "; "))
	}
	return s
}

// coded is what an error of Files may offer beside its sentence.
type coded interface{ ErrorCode() string }

func problem(name string, err error) FileProblem {
	p := FileProblem{Path: name, Message: err.Error()}
	if c, ok := err.(coded); ok {
		p.Code = c.ErrorCode()
	}
	return p
}

// WriteAll writes all targets or none: it checks every file first, and puts the
// written ones back if a write fails. The error is a *WriteError.
func WriteAll(files Files, targets []Target) error {
	var e WriteError
	for _, g := range targets {
		if err := files.Check(g.Path, g.Before.Hash()); err != nil {
			e.Files = append(e.Files, problem(g.Name, err))
		}
	}
	if len(e.Files) > 0 {
		return &e
	}
	for i, g := range targets {
		err := files.Write(g.Path, g.Before.Hash(), g.After)
		if err == nil {
			continue
		}
		e.Files = append(e.Files, problem(g.Name, err))
		for _, w := range slices.Backward(targets[:i]) {
			if err := files.Write(w.Path, w.After.Hash(), w.Before); err != nil {
				e.Lost = append(e.Lost, w.Name)
				e.Files = append(e.Files, problem(w.Name, err))
			}
		}
		return &e
	}
	return nil
}

// Unwrite puts targets back that were written for a plan which was not accepted.
func Unwrite(files Files, targets []Target) error {
	back := make([]Target, len(targets))
	for i, g := range targets {
		back[i] = Target{Path: g.Path, Name: g.Name, Before: g.After, After: g.Before}
	}
	return WriteAll(files, back)
}

// named finds an open editing session, or answers what is wrong with the name.
func (t *tx) named(owner string, n int) (*Session, *Result) {
	ses, ok := t.st.Session(owner, n)
	if !ok {
		r := refuse("bad_arguments", "there is no editing session %s; %s", SessionID(n), t.st.openSessions(owner))
		return nil, &r
	}
	if !ses.State.Open() {
		r := refuse("state", "editing session %s is %s already; %s", ses.ID(), ses.State, t.st.openSessions(owner))
		return nil, &r
	}
	return ses, nil
}

func (s *Snapshot) openSessions(owner string) string {
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
			s.Before, s.State = s.State, Committing
			t.apply(open)
			return Result{Status: "committing", Owner: owner, Session: n, Touched: letters(open)}
		}
		t.apply(closed)
		t.close(s, Committed)
		return Result{Status: StatusCommitted, Owner: owner, Session: n, Touched: letters(closed)}
	}
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
		_, closed := t.split(s)
		t.apply(closed)
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
		s.State = s.Before
		r := Expire(letters(t.st.Undecided(owner, n)))(t)
		r.Owner, r.Session = owner, n
		return r
	}
}

// ready answers why a session cannot be committed, naming each file.
func (t *tx) ready(ses *Session) *Result {
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
		if t.st.docs[c.Path].Open {
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
		if _, r := t.named(owner, n); r != nil {
			return *r
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

// WasApplied reports whether the user took the change into his text.
func (c *Change) WasApplied() bool {
	return c.State == Applied || c.State == Closed && c.Was == Applied
}

func (s *Snapshot) anyApplied(owner string, n int) bool {
	return slices.ContainsFunc(s.Of(owner, n), (*Change).WasApplied)
}
