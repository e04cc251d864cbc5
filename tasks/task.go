package tasks

import "fmt"

// State is where a task stands.
type State string

// A task is planned, worked on, and then closed in one of two ways. A
// cancelled plan item is reverted without ever having been active.
const (
	Waiting   State = "waiting"
	Active    State = "active"
	Completed State = "completed"
	Reverted  State = "reverted"
)

// NotBegun is the summary of a task that waited when its parent was closed.
const NotBegun = "not begun"

// closed tells whether nothing more is to come from a task in this state.
func (s State) closed() bool { return s == Completed || s == Reverted }

// Task is one piece of work. It is a value: a copy says what was true when it
// was made.
type Task struct {
	ID      int    `json:"id"`
	Parent  int    `json:"parent,omitempty"` // 0: a top-level task
	Goal    string `json:"goal"`
	State   State  `json:"state"`
	Note    string `json:"note,omitempty"`
	Summary string `json:"summary,omitempty"` // why it is closed: what was done, or why not
	Depth   int    `json:"depth,omitempty"`   // place in the stack while active, 1 at the bottom
}

// Error is a refusal: nothing was changed, and Hint says what to do instead.
type Error struct {
	Code string // a stable word of the tools: see the constants
	Hint string
}

// The codes of Error.
const (
	CodeDepth        = "depth"
	CodeBadArguments = "bad_arguments"
)

func (e *Error) Error() string { return e.Code + ": " + e.Hint }

func badArguments(format string, args ...any) error {
	return &Error{Code: CodeBadArguments, Hint: fmt.Sprintf(format, args...)}
}
