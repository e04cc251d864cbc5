package run

import (
	"slices"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// unmet follows whether a run does what it was asked. A model that knows says so as it ends; of any other, the last edit that
// it tried does.
type unmet struct {
	finish string // of the last reply
	tried  string // the status of the last edit that was tried and did not come about, "" if it did
	said   bool   // a reply came
}

// edits are the tools that stage something.
var edits = []string{
	"memory_notebook_replace", "memory_notebook_replace_span", "memo_append", "write", "delete_file", "rename_file",
}

// isSo are the codes of edits that have nothing left to do.
var isSo = []string{tools.CodeAlreadyPending, tools.CodeAlreadyApplied, tools.CodeNoChange}

func (u *unmet) event(e agent.Event) {
	switch e := e.(type) {
	case agent.ReplyFinished:
		u.finish, u.said = e.Finish, true
	case agent.ToolFinished:
		if !slices.Contains(edits, e.Name) {
			return
		}
		if u.tried = e.Status; review.Succeeded(e.Status) || slices.Contains(isSo, e.Code) {
			u.tried = ""
		}
	}
}

// asks reports whether the run ended with a question to the person.
func (u *unmet) asks() bool { return u.finish == model.FinishAsks || u.tried == tools.StatusNeedsMatch }

// unable reports whether it ended without what it was asked for.
func (u *unmet) unable() bool { return u.finish == model.FinishUnable || u.tried != "" && !u.asks() }

// exitOfRun is the exit code of a run that ended without an error.
func (u *unmet) exitOfRun(reason agent.Reason, waits int) int {
	switch {
	case reason != agent.Done, u.unable():
		return term.ExitStopped
	case waits > 0, u.asks():
		return term.ExitWaiting
	}
	return term.ExitDone
}
