package main

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
)

func TestWhoDecides(t *testing.T) {
	person := term.Console{InIsTerm: true, Out: term.Screen{Width: 80}}
	pipe := term.Console{}
	tests := []struct {
		name   string
		c      term.Console
		f      runFlags
		args   string
		want   string
		policy editing.Policy
		bad    string
	}{
		{name: "a terminal", c: person, args: "x", want: reviewAsk, policy: editing.Wait},
		{name: "no terminal", c: pipe, args: "x", want: reviewKeep, policy: editing.Ask},
		{name: "the prompt from stdin", c: person, args: "-", want: reviewKeep, policy: editing.Ask},
		{name: "JSON on a terminal", c: person, args: "x", f: runFlags{json: true}, want: reviewKeep, policy: editing.Ask},
		{name: "auto", c: person, args: "x", f: runFlags{review: cli.OneOf{Value: reviewAuto}}, want: reviewAuto, policy: editing.Auto},
		{name: "ask through a pipe", c: pipe, args: "x", f: runFlags{review: cli.OneOf{Value: reviewAsk}}, want: reviewAsk, policy: editing.Wait},
		{name: "JSON and ask", c: pipe, args: "x", f: runFlags{json: true, review: cli.OneOf{Value: reviewAsk}}, bad: "do not go together"},
		{name: "- and ask", c: pipe, args: "-", f: runFlags{review: cli.OneOf{Value: reviewAsk}}, bad: "comes from stdin"},
		{name: "record and replay", c: pipe, args: "x", f: runFlags{record: "a", replay: "b"}, bad: "do not go together"},
		{name: "no steps", c: pipe, args: "x", f: runFlags{maxIterations: -1}, bad: "--max-iterations is -1"},
	}
	for _, test := range tests {
		if test.f.maxIterations == 0 {
			test.f.maxIterations = 1
		}
		err := test.f.decide(test.c, []string{test.args})
		switch {
		case test.bad != "":
			if err == nil || !strings.Contains(err.Error(), test.bad) {
				t.Errorf("%s: got %v, want an error with %q", test.name, err, test.bad)
			}
		case err != nil || test.f.review.Value != test.want || test.f.policy() != test.policy:
			t.Errorf("%s: got %q, %q, %v; want %q, %q", test.name, test.f.review.Value, test.f.policy(), err, test.want, test.policy)
		}
	}
}

func TestPromptIsOneArgument(t *testing.T) {
	tests := []struct {
		args   []string
		goesOn bool
		want   string
	}{
		{[]string{"do it"}, false, ""},
		{nil, true, ""},
		{nil, false, "there is no prompt"},
		{[]string{" \n"}, false, "there is no prompt"},
		{[]string{"do", "it"}, false, "must be one argument, and there are 2"},
	}
	for _, test := range tests {
		err := onePrompt(test.args, test.goesOn)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %q", test.args, err, test.want)
		}
	}
}

func TestRecordingSparesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name, content string
		ok            bool
	}{
		{"new", "", true},
		{"old.jsonl", `{"galley_recording":1,"model":"offline"}` + "\n", true},
		{"notes.md", "my notes, not to be lost", false},
		{"short", "x", false},
	}
	for _, test := range tests {
		name := filepath.Join(dir, test.name)
		if test.content != "" {
			if err := os.WriteFile(name, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		file, err := setup.Recording(name)
		if (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if err == nil {
			file.Close()
			continue
		}
		if got, _ := os.ReadFile(name); string(got) != test.content || !errors.As(err, new(*term.Failure)) {
			t.Errorf("%s: the file holds %q after %v", test.name, got, err)
		}
	}
}

func TestLettersFlag(t *testing.T) {
	tests := []struct {
		values []string
		want   review.Letters
		bad    bool
	}{
		{[]string{"A"}, review.Letters{"A"}, false},
		{[]string{"C,A", "B"}, review.Letters{"A", "B", "C"}, false},
		{[]string{"A-C"}, review.Letters{"A", "B", "C"}, false},
		{[]string{"A, C"}, review.Letters{"A", "C"}, false},
		{[]string{"a"}, nil, true},
		{[]string{"AB"}, nil, true},
		{[]string{"C-A"}, nil, true},
		{[]string{"Ä"}, nil, true},
	}
	for _, test := range tests {
		var got review.Letters
		var err error
		for _, v := range test.values {
			err = errors.Join(err, got.Set(v))
		}
		if (err != nil) != test.bad || !test.bad && !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: got %v, %v; want %v", test.values, got, err, test.want)
		}
	}
}

func TestScriptsThatContradictThemselves(t *testing.T) {
	tests := []struct {
		sc   review.Script
		want string
	}{
		{review.Script{Apply: review.Letters{"A"}, Reject: review.Letters{"B"}, Reason: "no", Commit: true, Summary: "x"}, ""},
		{review.Script{Unreject: review.Letters{"A"}, Apply: review.Letters{"A"}}, ""},
		{review.Script{Apply: review.Letters{"A", "B"}, Reject: review.Letters{"B"}}, "two flags decide about B"},
		{review.Script{Apply: review.Letters{"A"}, Reason: "no"}, "--reason is for rejected letters"},
		{review.Script{Summary: "x"}, "--summary is for --commit"},
		{review.Script{Commit: true, Revert: "no"}, "do not go together"},
		{review.Script{Edit: 3}, "--edit is for --commit and --revert"},
	}
	for _, test := range tests {
		err := test.sc.Check()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got %v, want %q", test.sc, err, test.want)
		}
	}
}

// A page that a person reads is complete and not too wide, and the names of values stand in its flags.
func TestHelpPages(t *testing.T) {
	root := newRoot()
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd.Short == "" || cmd.GroupID == "" && cmd != root {
			t.Errorf("%s has no short description or no group", cmd.Name())
		}
		var b strings.Builder
		cmd.SetOut(&b)
		cli.Help(cmd, nil)
		for line := range strings.Lines(b.String()) {
			if term.ColumnsOf(line) > 110 || strings.Contains(line, " string ") && strings.Contains(line, "--") {
				t.Errorf("%s: %q is too wide, or does not name its value", cmd.Name(), line)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s --%s is not explained", cmd.Name(), f.Name)
			}
		})
	}
}

func TestColours(t *testing.T) {
	for _, test := range []struct {
		s    term.Screen
		want string
	}{
		{term.Screen{}, "x"},
		{term.Screen{Width: 80}, "x"},
		{term.Screen{Width: 80, Color: true}, "\x1b[32mx\x1b[0m"},
	} {
		if got := test.s.Paint(term.Good, "x"); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.s, got, test.want)
		}
	}
	var b strings.Builder
	if s := term.ScreenOf(&b, false, func(string) string { return "" }); s.Color || s.Width != 0 {
		t.Error("what is no terminal has colours or a width")
	}
}
