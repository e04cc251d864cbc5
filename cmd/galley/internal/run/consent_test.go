package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/cmd/galley/internal/term/termtest"
)

// newTestConsent asks on a terminal whose lines are typed already.
func newTestConsent(t *termtest.Terminal, typed string) *consent {
	c := screensOf(t)
	renderer := newTestRenderer(c)
	return &consent{c: c, typed: term.NewKeyboard(strings.NewReader(typed)), tells: renderer, asks: true}
}

func TestConsent(t *testing.T) {
	for _, test := range []struct {
		typed  string
		want   bool
		again  bool // the next command runs without a question
		shows  string
		reason string
	}{
		{"y\n", true, false, "", ""},
		{"YES\n", true, false, "", ""},
		{"a\n", true, true, "", ""},
		{"\n", false, false, "", ""},
		{"n\n", false, false, "", ""},
		{"no\n", false, false, "", ""},
		{"yep\ny\n", true, false, "“yep” is no answer", ""},
		{"go test\n\n", false, false, "“go test” is no answer", ""},
		{"n use  make test\n", false, false, "", "use make test"},
		{"", false, false, "", ""},
	} {
		tt := termtest.New(100)
		q := newTestConsent(tt, test.typed)
		got, err := q.confirm(context.Background(), session.Command{Text: "go test ./...", Dir: "shop", Timeout: time.Minute})
		if reason := fmt.Sprint(err); got != test.want || err == nil && test.reason != "" || err != nil && reason != test.reason {
			t.Errorf("%q: got %v, %v", test.typed, got, err)
		}
		for _, shows := range []string{"  $ go test ./...\n    in shop · 1 min at most\nrun it? [y]es, [n]o", test.shows} {
			if !strings.Contains(tt.String(), shows) {
				t.Errorf("%q: it does not show %q:\n%s", test.typed, shows, tt)
			}
		}
		if again, _ := q.confirm(context.Background(), session.Command{Text: "x"}); again != test.again {
			t.Errorf("%q: the next one runs: %v", test.typed, again)
		}
	}
}

func TestConsentIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	q := newTestConsent(termtest.New(80), "")
	q.c.Err.W = termtest.Watch{For: "run it?", Call: cancel}
	keyboard, _ := io.Pipe()
	q.typed = term.NewKeyboard(keyboard)
	if yes, err := q.confirm(ctx, session.Command{Text: "rm -rf x"}); yes || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", yes, err)
	}
}

// Where nobody can be asked nothing runs, and it is told what would change that.
func TestConsentOfNobody(t *testing.T) {
	var out, errs strings.Builder
	renderer := newTestRenderer(term.Console{Out: term.Screen{W: &out}, Err: term.Screen{W: &errs}})
	q := &consent{tells: renderer}
	if yes, err := q.confirm(t.Context(), session.Command{Text: "make"}); yes || err != nil {
		t.Errorf("got %v, %v", yes, err)
	}
	if want := "! not run, since nobody can be asked here: make — galley run --set tools.run_command=allow lets it run without a question\n"; errs.String() != want {
		t.Errorf("got %q, want %q", errs.String(), want)
	}
}

// A command is shown once before it runs, whoever allowed it, and whole.
func TestCommandsAreShown(t *testing.T) {
	tt := termtest.New(80)
	q := newTestConsent(tt, "y\n")
	long := "make \\\n\tall\x1b[2J " + strings.Repeat("x", 100)
	for range 2 {
		c := session.Command{Text: long, Dir: "."}
		if yes, _ := q.confirm(t.Context(), c); yes {
			q.tells.command(c)
		}
	}
	q.tells.Pause()
	if n := strings.Count(tt.String(), "$ make \\"); n != 2 {
		t.Errorf("it is shown %d times:\n%s", n, tt)
	}
	q.tells.Event(agent.StepStarted{})
	q.tells.command(session.Command{Text: "ls", Dir: "."})
	q.tells.Event(agent.ToolFinished{Name: runCommand, Arguments: `{"command":"ls"}`, Answer: `{"status":"ok"}`})
	q.tells.Pause()
	if got := tt.String(); !strings.HasSuffix(got, "  $ ls\n    in the workspace\n· ran ls\n") || !strings.Contains(strings.ReplaceAll(got, "\n", ""), strings.Repeat("x", 100)) {
		t.Errorf("it shows:\n%s", got)
	}
}

// U71: whatever stands in a command, its beginning is seen before anybody is asked: what only pushes it out of sight is
// counted, and what is longer than the window is shown page by page.
func TestU71TheBeginningOfACommandIsSeen(t *testing.T) {
	for _, test := range []struct {
		name, command, typed string
		want                 bool
		shows                []string
	}{
		{"line ends", "rm -rf X #" + strings.Repeat("\n", 38) + "echo harmless", "y\n", true, []string{"  $ rm -rf X #\n    ⟦37 empty lines⟧\n    echo harmless\n    begins with: rm -rf X #\n"}},
		{"blanks", "rm -rf X;" + strings.Repeat(" ", 900) + "ls", "y\n", true, []string{"  $ rm -rf X;⟦900 blanks⟧ls\n    in the workspace\n"}},
		{"what cannot be seen", "rm -rf X #" + strings.Repeat("\n\u3164", 38) + "\nls\u202E", "y\n", true, []string{"⟦38 empty lines⟧", "ls⟦U+202E⟧"}},
		{"comments", "rm -rf X\n" + strings.Repeat("# fine\n", 38) + "ls", "\n\n\n\ny\n", true, []string{"  $ rm -rf X\n", "32 more rows; Enter shows them", "> \n    begins with: rm -rf X\n    in the workspace\nrun it?"}},
		{"one long line", "rm -rf X; " + strings.Repeat("x", 3000), "\n\n\ny\n", true, []string{"begins with: rm -rf X; xxx"}},
		{"no after the first page", "rm -rf X\n" + strings.Repeat("# fine\n", 38) + "ls", "n not that\ny\n", false, nil},
		{"yes is for what was seen", "rm -rf X\n" + strings.Repeat("# fine\n", 38) + "ls", "y\ny\n", false, nil},
	} {
		tt := termtest.New(100)
		tt.Height = 14
		q := newTestConsent(tt, test.typed)
		got, err := q.confirm(t.Context(), session.Command{Text: test.command, Dir: "."})
		if got != test.want {
			t.Errorf("%s: got %v, %v", test.name, got, err)
		}
		for _, shows := range test.shows {
			if !strings.Contains(tt.String(), shows) {
				t.Errorf("%s: it does not show %q:\n%s", test.name, shows, tt)
			}
		}
	}
}
