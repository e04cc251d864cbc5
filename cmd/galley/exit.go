package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/memory"
)

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
