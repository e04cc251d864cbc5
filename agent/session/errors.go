package session

import (
	"errors"
	"fmt"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
)

// Refusal says why nothing was done: a stable word, and a sentence that says what
// to do instead.
type Refusal struct {
	Code, Hint string
	Path       string // the file, as it is shown, if it is not as it was named

	Files []editing.FileProblem // those that stopped a decision over several
}

// Error implements error.
func (e *Refusal) Error() string { return e.Hint }

func refuse(code, format string, args ...any) error {
	return &Refusal{Code: code, Hint: fmt.Sprintf(format, args...)}
}

// By says whose doing an operation is.
type By struct {
	Call   string // the tool call; "": the person's
	Author string // who has changed the files that are read again; "": the user
}

// done makes a result of a refusal. Other errors say that something is broken.
func done(res editing.Result, err error) (editing.Result, error) {
	var r *Refusal
	if errors.As(err, &r) {
		return editing.Result{Status: editing.StatusRefused, Code: r.Code, Hint: r.Hint, Files: r.Files}, nil
	}
	return res, err
}

func isMissing(err error) bool {
	var d *disk.Error
	return errors.As(err, &d) && d.Code == disk.CodeFileNotFound
}

// isAbsent: there is no such file, for the agent at least.
func isAbsent(err error) bool {
	var r *Refusal
	return isMissing(err) || errors.As(err, &r) && r.Code == disk.CodeFileNotFound
}

// isLost: there is no text to be had, for now or for good. An error of the system
// says nothing about the file.
func isLost(err error) bool {
	var d *disk.Error
	return errors.As(err, &d) && d.Code != disk.CodeIO
}
