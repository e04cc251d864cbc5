package term

import (
	"fmt"
	"strings"
)

// Exit codes say how a command ended; `galley --help` explains them to people.
const (
	ExitDone    = 0
	ExitError   = 1
	ExitUsage   = 2
	ExitWaiting = 3 // run, review: letters wait for a decision; tool: an answer without success
	ExitStopped = 4 // run: a limit, a cancel, a call that failed again and again
)

// Ended is a command that did what it could and has told so: only its exit code is left to say.
type Ended int

// Error implements error.
func (e Ended) Error() string { return fmt.Sprintf("ended with exit code %d", int(e)) }

// EndedWith is nil where a command is done.
func EndedWith(code int) error {
	if code == ExitDone {
		return nil
	}
	return Ended(code)
}

// Failure is an error that a person reads: what happened where, and what to do next.
type Failure struct {
	Code int
	What string
	Next string
}

// Error implements error.
func (f *Failure) Error() string {
	if f.Next == "" {
		return f.What
	}
	return f.What + "; " + f.Next
}

// Usage is a failure of the command line or the configuration.
func Usage(next, format string, args ...any) error {
	return &Failure{Code: ExitUsage, What: fmt.Sprintf(format, args...), Next: next}
}

// Fail tells why a command failed.
func (s Screen) Fail(failed *Failure) {
	const who = "galley: "
	s.Println(s.Paint(Bad, who) + strings.TrimPrefix(Indented(who+Clean(failed.What), s.Now().Width, 2), who))
	if failed.Next != "" { // not broken: there are commands in it, to be copied
		s.Println("  " + strings.ReplaceAll(Clean(failed.Next), "\n", "\n  "))
	}
}
