package main

import (
	"errors"
	"strings"

	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/memory"
)

// report tells why a command failed, once, and answers with its exit code.
func report(s term.Screen, err error) int {
	var (
		end    term.Ended
		failed *term.Failure
	)
	switch {
	case err == nil:
		return term.ExitDone
	case errors.As(err, &end):
		return int(end)
	case !errors.As(err, &failed):
		failed = explain(err)
	}
	s.Fail(failed)
	return failed.Code
}

// explain finds the way on from errors that other rooms return.
func explain(err error) *term.Failure {
	var (
		locked *memory.LockedError
		served *openai.Error
	)
	switch {
	case errors.As(err, &served) && served.Next != "":
		return &term.Failure{Code: term.ExitError, What: strings.TrimSuffix(err.Error(), "; "+served.Next), Next: served.Next}
	case errors.As(err, &locked):
		return &term.Failure{Code: term.ExitError, What: review.LockedBy(locked.ID, locked.PID), Next: "wait until it is done, end it, or use another session: galley review --list names them"}
	case errors.Is(err, memory.ErrNoSession):
		return &term.Failure{Code: term.ExitUsage, What: err.Error(), Next: "galley review --list names the sessions of this workspace that have letters to review"}
	}
	return &term.Failure{Code: term.ExitError, What: err.Error(), Next: ""}
}
