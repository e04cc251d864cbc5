package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/memory"
)

// doctorFlags are the flags of doctor.
type doctorFlags struct {
	offline bool
	json    bool
}

func newDoctorCommand() *cobra.Command {
	f := doctorFlags{}
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check settings, model, folders and editors, and say what to do", GroupID: groupMore,
		Long: `doctor looks at all that galley needs: the settings with all their sources, the model server, the folders of the sessions,
git, the editors on your PATH, the terminal. For what is not as it should be it says what to do.

It asks the model server for its models, and then for one short reply with one tool offered, as a run would: that shows
whether the model answers, how fast, and whether it calls tools. Only with an OpenAI-compatible server configured does that
cost anything, a few hundred tokens. It writes a file to try whether it can, and removes it; what refusals teach about a
server is kept, as in a run.`,
		Example: `  galley doctor
  galley doctor --offline
  galley doctor --model qwen3:8b --base-url http://localhost:11434/v1`,
		Annotations: map[string]string{exitNote: `  0  all is well, or there are warnings only (!)
  1  something does not work (✗), or an error
  2  a wrong command line`},
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	modelFlags(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.offline, "offline", false, "ask no server")
	flags.BoolVar(&f.json, "json", false, "as one JSON object")
	return cmd
}

// doctor looks at everything that a run needs.
type doctor struct {
	diagnosis
	flags   doctorFlags
	place   place
	loaded  settings.Loaded
	env     func(string) string
	patient patience
}

// patience is how long servers are waited for.
type patience struct {
	answer time.Duration // for what a server knows at once
	reply  time.Duration // for a model, which may have to be loaded first
}

// usualPatience is short: somebody waits, and a server that is slower is worth a word.
func usualPatience() patience { return patience{answer: 5 * time.Second, reply: 60 * time.Second} }

func (f *doctorFlags) run(cmd *cobra.Command) error {
	p, err := placeOf(cmd)
	if err != nil {
		return err
	}
	c := consoleOf(cmd)
	d := &doctor{flags: *f, place: p, loaded: *p.loaded, env: os.Getenv, patient: usualPatience()}
	d.diagnosis = diagnosis{c: c, json: f.json, spin: spinner{s: c.err}, secrets: memory.NewSecrets(p.settings().Secrets(os.Getenv))}
	if f.json {
		d.spin = spinner{}
	}
	return d.all(cmd.Context())
}

// all looks at one thing after the other.
func (d *doctor) all(ctx context.Context) error {
	for _, g := range []struct {
		title string
		look  func(context.Context)
	}{
		{"galley", d.program},
		{"Settings", d.settings},
		{"Model", d.model},
		{"Folders", d.folders},
		{"Programs", d.programs},
		{"Terminal", d.terminal},
	} {
		d.begin(g.title)
		if g.look(ctx); ctx.Err() != nil {
			return errors.New("interrupted before everything was looked at")
		}
	}
	return d.verdict()
}

// mark says how a finding is.
type mark string

const (
	markGood mark = "ok"
	markLook mark = "warning"
	markBad  mark = "problem"
)

// finding is one line of the report.
type finding struct {
	Group string   `json:"group"`
	Mark  mark     `json:"state"`
	What  string   `json:"what"`
	Next  []string `json:"next,omitempty"` // what to do, line by line
}

// diagnosis collects what is found, and tells it as it comes.
type diagnosis struct {
	c    console
	json bool
	spin spinner
	// secrets are masked in all that is told: servers and models repeat what they were sent.
	secrets memory.Secrets

	group string
	found []finding
}

func (r *diagnosis) begin(group string) {
	r.group = group
	if r.json {
		return
	}
	if len(r.found) > 0 {
		r.c.out.println("")
	}
	r.c.out.println(r.c.out.paint(styleStrong, group))
}

func (r *diagnosis) good(format string, args ...any) {
	r.add(markGood, fmt.Sprintf(format, args...), "")
}

// look is something that works, and might better be otherwise. next are lines that say what to do.
func (r *diagnosis) look(next, format string, args ...any) {
	r.add(markLook, fmt.Sprintf(format, args...), next)
}

// bad is something that does not work.
func (r *diagnosis) bad(next, format string, args ...any) {
	r.add(markBad, fmt.Sprintf(format, args...), next)
}

func (r *diagnosis) add(as mark, what, next string) {
	f := finding{Group: r.group, Mark: as, What: oneLine(r.secrets.Mask(what), 1000)}
	if next = strings.TrimRight(r.secrets.Mask(next), "\n"); next != "" {
		f.Next = strings.Split(clean(next), "\n")
	}
	r.found = append(r.found, f)
	r.spin.hide()
	if !r.json {
		r.tell(f)
	}
}

// tell prints a finding, wrapped where the terminal ends: nobody shall miss the end of a sentence here.
func (r *diagnosis) tell(f finding) {
	out := r.c.out.now()
	look := map[mark]struct {
		sign string
		as   style
	}{markGood: {"✓ ", styleGood}, markLook: {"! ", styleAsk}, markBad: {"✗ ", styleBad}}[f.Mark]
	out.println("  " + out.paint(look.as, look.sign) + indented(f.What, out.width, 4))
	for _, line := range f.Next {
		text := strings.TrimLeft(line, " ")
		by := 6 + len(line) - len(text)
		out.println(strings.Repeat(" ", by) + indented(text, out.width, by))
	}
}

func (r *diagnosis) count(as mark) int {
	n := 0
	for _, f := range r.found {
		if f.Mark == as {
			n++
		}
	}
	return n
}

// checkup is the report as JSON.
type checkup struct {
	Version  string    `json:"version"`
	Checks   []finding `json:"checks"`
	Problems int       `json:"problems"`
	Warnings int       `json:"warnings"`
	ExitCode int       `json:"exit_code"`
}

// verdict is the last line.
func (r *diagnosis) verdict() error {
	problems, warnings, exit := r.count(markBad), r.count(markLook), exitDone
	if problems > 0 {
		exit = exitError
	}
	if r.json {
		return errors.Join(printJSON(r.c.out, checkup{versionName(), r.found, problems, warnings, exit}), endedWith(exit))
	}
	r.c.out.println("")
	switch {
	case problems > 0:
		r.c.out.lines(styleBad, plural(problems, "problem")+and(warnings, "warning")+". Begin with the first ✗, then run galley doctor again.")
	case warnings > 0:
		r.c.out.lines(styleAsk, "It works, with "+plural(warnings, "warning")+".")
	default:
		r.c.out.lines(styleGood, "All is well.")
	}
	return endedWith(exit)
}

func and(n int, what string) string {
	if n == 0 {
		return ""
	}
	return " and " + plural(n, what)
}
