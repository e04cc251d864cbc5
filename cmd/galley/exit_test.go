package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/memory"
)

func TestReport(t *testing.T) {
	tests := []struct {
		err  error
		code int
		says string
	}{
		{nil, exitDone, ""},
		{endedWith(exitDone), exitDone, ""},
		{endedWith(exitWaiting), exitWaiting, ""},
		{fmt.Errorf("work: %w", ended(exitStopped)), exitStopped, ""},
		{usage("try another", "there is no %s", "prompt"), exitUsage, "galley: there is no prompt\n  try another\n"},
		{errors.New("the disk is full"), exitError, "galley: the disk is full\n"},
		{errors.New("bad \x1b[31m"), exitError, "galley: bad ␛[31m\n"},
		{fmt.Errorf("open: %w", memory.ErrNoSession), exitUsage, "galley review --list names the sessions"},
		{&memory.LockedError{ID: "01X", PID: 42}, exitError, "session 01X is in use by process 42"},
		{&memory.LockedError{ID: "01X"}, exitError, "session 01X is in use by another process"},
	}
	for _, test := range tests {
		var b strings.Builder
		code := report(screen{w: &b}, &cobra.Command{}, test.err)
		if code != test.code || !strings.Contains(b.String(), test.says) || test.says == "" && b.Len() > 0 {
			t.Errorf("%v: got %d and %q; want %d and %q", test.err, code, b.String(), test.code, test.says)
		}
	}
}

func TestExitOfTool(t *testing.T) {
	tests := map[string]int{
		"ok": exitDone, "editing": exitDone, "committed": exitDone, "proposed": exitDone, "reverted": exitDone,
		"needs_match": exitWaiting, "not_found": exitWaiting, "refused": exitWaiting, "conflict": exitWaiting, "stale": exitWaiting, "": exitWaiting,
	}
	for status, want := range tests {
		if got := exitOfTool(status); got != want {
			t.Errorf("%q: got %d, want %d", status, got, want)
		}
	}
}

// What a model server did is told apart from what to do about it, and readable on a narrow terminal.
func TestServerErrorsAreReadable(t *testing.T) {
	var out strings.Builder
	cause := &openai.Error{What: "the connection to http://localhost:11434/v1 was refused", Next: "start the server"}
	if code := report(screen{w: &out, width: 40}, nil, fmt.Errorf("ask the model m: %w", cause)); code != exitError {
		t.Errorf("exit code %d", code)
	}
	want := "galley: ask the model m: the\n  connection to\n  http://localhost:11434/v1 was refused\n  start the server\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
