package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/memory"
)

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

// report tells why a command failed, once, and answers with its exit code.
func report(s screen, cmd *cobra.Command, err error) int {
	var (
		end    ended
		failed *failure
	)
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &end):
		return int(end)
	case !errors.As(err, &failed):
		failed = explain(cmd, err)
	}
	const who = "galley: "
	s.println(s.paint(styleBad, who) + strings.TrimPrefix(indented(who+clean(failed.what), s.now().width, 2), who))
	if failed.next != "" { // not broken: there are commands in it, to be copied
		s.println("  " + strings.ReplaceAll(clean(failed.next), "\n", "\n  "))
	}
	return failed.code
}

// explain finds the way on from errors that other rooms return.
func explain(cmd *cobra.Command, err error) *failure {
	var (
		locked *memory.LockedError
		served *openai.Error
	)
	switch {
	case errors.As(err, &served) && served.Next != "":
		return &failure{exitError, strings.TrimSuffix(err.Error(), "; "+served.Next), served.Next}
	case errors.As(err, &locked):
		return &failure{exitError, lockedBy(locked.ID, locked.PID), "wait until it is done, end it, or use another session: galley review --list names them"}
	case errors.Is(err, memory.ErrNoSession):
		return &failure{exitUsage, err.Error(), "galley review --list names the sessions of this workspace that have letters to review"}
	}
	return &failure{exitError, err.Error(), ""}
}

func lockedBy(id string, pid int) string {
	if pid <= 0 {
		return fmt.Sprintf("session %s is in use by another process", id)
	}
	return fmt.Sprintf("session %s is in use by process %d", id, pid)
}

// exitOf is the exit code of one tool call.
func exitOf(status string) int {
	switch status {
	case tools.StatusOK, tools.StatusEditing, tools.StatusCommitted, tools.StatusProposed, tools.StatusReverted:
		return exitDone
	}
	return exitWaiting
}
