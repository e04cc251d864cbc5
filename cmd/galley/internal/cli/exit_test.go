package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/cmd/galley/internal/run"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/memory"
)

func TestReport(t *testing.T) {
	tests := []struct {
		err  error
		code int
		says string
	}{
		{nil, term.ExitDone, ""},
		{term.EndedWith(term.ExitDone), term.ExitDone, ""},
		{term.EndedWith(term.ExitWaiting), term.ExitWaiting, ""},
		{fmt.Errorf("work: %w", term.Ended(term.ExitStopped)), term.ExitStopped, ""},
		{term.Usage("try another", "there is no %s", "prompt"), term.ExitUsage, "galley: there is no prompt\n  try another\n"},
		{errors.New("the disk is full"), term.ExitError, "galley: the disk is full\n"},
		{errors.New("bad \x1b[31m"), term.ExitError, "galley: bad ␛[31m\n"},
		{fmt.Errorf("open: %w", memory.ErrNoSession), term.ExitUsage, "galley review --list names the sessions"},
		{&memory.LockedError{ID: "01X", PID: 42}, term.ExitError, "session 01X is open in process 42: wait for it"},
		{&memory.LockedError{ID: "01X"}, term.ExitError, "session 01X is open in another process: wait for it"},
	}
	for _, test := range tests {
		var b strings.Builder
		code := Report(term.Screen{W: &b}, test.err)
		if code != test.code || !strings.Contains(b.String(), test.says) || test.says == "" && b.Len() > 0 {
			t.Errorf("%v: got %d and %q; want %d and %q", test.err, code, b.String(), test.code, test.says)
		}
	}
}

func TestExitOfTool(t *testing.T) {
	tests := map[string]int{
		"ok": term.ExitDone, "editing": term.ExitDone, "committed": term.ExitDone, "proposed": term.ExitDone, "reverted": term.ExitDone,
		"needs_match": term.ExitWaiting, "not_found": term.ExitWaiting, "refused": term.ExitWaiting, "conflict": term.ExitWaiting, "stale": term.ExitWaiting, "": term.ExitWaiting,
	}
	for status, want := range tests {
		if got := run.ExitOfTool(status); got != want {
			t.Errorf("%q: got %d, want %d", status, got, want)
		}
	}
}

// What a model server did is told apart from what to do about it, and readable on a narrow terminal.
func TestServerErrorsAreReadable(t *testing.T) {
	var out strings.Builder
	cause := &openai.Error{What: "the connection to http://localhost:11434/v1 was refused", Next: "start the server"}
	if code := Report(term.Screen{W: &out, Width: 40}, fmt.Errorf("ask the model m: %w", cause)); code != term.ExitError {
		t.Errorf("exit code %d", code)
	}
	want := "galley: ask the model m: the\n  connection to\n  http://localhost:11434/v1 was refused\n  start the server\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
