package run

import (
	"testing"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

func TestExitOfRun(t *testing.T) {
	tests := []struct {
		reason agent.Reason
		waits  int
		want   int
	}{
		{agent.Done, 0, term.ExitDone},
		{agent.Done, 2, term.ExitWaiting},
		{agent.Cancelled, 0, term.ExitStopped},
		{agent.Limit, 2, term.ExitStopped},
		{agent.Budget, 0, term.ExitStopped},
		{agent.Repeated, 0, term.ExitStopped},
	}
	for _, test := range tests {
		if got := new(unmet).exitOfRun(test.reason, test.waits); got != test.want {
			t.Errorf("%s with %d waiting: got %d, want %d", test.reason, test.waits, got, test.want)
		}
	}
}

// U43: a run that did not what it was asked says so by its exit code.
func TestExitOfARunThatDidNothing(t *testing.T) {
	finish := func(word string) agent.Event { return agent.ReplyFinished{Finish: word} }
	call := func(tool, status, code string) agent.Event {
		return agent.ToolFinished{Name: tool, Status: status, Code: code}
	}
	tests := []struct {
		name   string
		events []agent.Event
		waits  int
		want   int
	}{
		{"a plain answer", []agent.Event{finish(model.FinishStop)}, 0, term.ExitDone},
		{"the model is unable", []agent.Event{finish(model.FinishUnable)}, 0, term.ExitStopped},
		{"it is unable, and letters wait", []agent.Event{finish(model.FinishUnable)}, 1, term.ExitStopped},
		{"the model asks", []agent.Event{finish(model.FinishAsks)}, 0, term.ExitWaiting},
		{"it asked before", []agent.Event{finish(model.FinishAsks), finish(model.FinishStop)}, 0, term.ExitDone},
		{"not found", []agent.Event{call("write", tools.StatusNotFound, tools.CodeNoMatch)}, 0, term.ExitStopped},
		{"several places", []agent.Event{call("memory_notebook_replace", tools.StatusNeedsMatch, tools.CodeAmbiguous)}, 0, term.ExitWaiting},
		{"found in the end", []agent.Event{call("write", tools.StatusNotFound, ""), call("memo_append", tools.StatusEditing, "")}, 1, term.ExitWaiting},
		{"so already", []agent.Event{call("write", tools.StatusRefused, tools.CodeNoChange)}, 0, term.ExitDone},
		{"looking is no edit", []agent.Event{call("memo_read", tools.StatusNotFound, tools.CodeFileNotFound)}, 0, term.ExitDone},
	}
	for _, test := range tests {
		u := &unmet{}
		for _, e := range test.events {
			u.event(e)
		}
		if got := u.exitOfRun(agent.Done, test.waits); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

// The edits that a run follows are tools that there are.
func TestEditsAreTools(t *testing.T) {
	for _, name := range edits {
		if tool, ok := tools.Find(name); !ok || tool.ReadOnly {
			t.Errorf("%s is no tool that edits", name)
		}
	}
}
