package editing

import (
	"fmt"
	"slices"
)

// SessionState is the state of an editing session. There is no value for idle:
// an agent session without an open editing session is idle.
type SessionState string

// The states of an editing session.
const (
	Editing    SessionState = "editing"
	Proposed   SessionState = "proposed"
	Committing SessionState = "committing"
	Committed  SessionState = "committed"
	Reverted   SessionState = "reverted"
)

// Open reports whether letters of the session can still be decided.
func (s SessionState) Open() bool { return s == Editing || s == Proposed || s == Committing }

// Session is one editing session, #n of its agent session.
type Session struct {
	Owner     string       `json:"owner"`
	N         int          `json:"edit"`
	Task      int          `json:"task,omitempty"`
	State     SessionState `json:"state"`
	Summary   string       `json:"summary,omitempty"`
	Reason    string       `json:"reason,omitempty"`
	Decisions []string     `json:"decisions,omitempty"`
	Used      []string     `json:"used,omitempty"`   // letters it ever used
	Undone    bool         `json:"undone,omitempty"` // closed, and what it applied was taken back
	Pins      []Choice     `json:"pins,omitempty"`   // the letters that a commit began with, while it lasts
	Before    SessionState `json:"before,omitempty"` // what a failed commit goes back to
	Closed    []*Change    `json:"-"`                // its letters, once it is closed; and merged ones
}

func (s *Session) clone() *Session {
	d := *s
	d.Used = slices.Clone(s.Used)
	d.Closed = slices.Clip(s.Closed)
	return &d
}

// use notes that the session used a letter.
func (s *Session) use(letter string) {
	if !slices.Contains(s.Used, letter) {
		s.Used = append(s.Used, letter)
	}
}

// ID is the name that the model uses.
func (s *Session) ID() string { return SessionID(s.N) }

// SessionID formats the number of an editing session for the model.
func SessionID(n int) string { return fmt.Sprintf("sess-%d", n) }

// sessionKey names an editing session in the process.
type sessionKey struct {
	owner string
	n     int
}
