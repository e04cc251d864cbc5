package main

import "fmt"

// Exit codes say how a command ended; `galley --help` explains them to people.
const (
	exitDone    = 0
	exitError   = 1
	exitUsage   = 2
	exitWaiting = 3 // run, review: letters wait for a decision; tool: an answer without success
	exitStopped = 4 // run: a limit, a cancel, a call that failed again and again
)

// ended is a command that did what it could and has told so: only its exit code is left to say.
type ended int

// Error implements error.
func (e ended) Error() string { return fmt.Sprintf("ended with exit code %d", int(e)) }

// endedWith is nil where a command is done.
func endedWith(code int) error {
	if code == exitDone {
		return nil
	}
	return ended(code)
}

// failure is an error that a person reads: what happened where, and what to do next.
type failure struct {
	code int
	what string
	next string
}

// Error implements error.
func (f *failure) Error() string {
	if f.next == "" {
		return f.what
	}
	return f.what + "; " + f.next
}

// usage is a failure of the command line or the configuration.
func usage(next, format string, args ...any) error {
	return &failure{code: exitUsage, what: fmt.Sprintf(format, args...), next: next}
}
