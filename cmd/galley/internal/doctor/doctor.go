package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// Config is what is looked at, and how.
type Config struct {
	Console         term.Console
	Home, Workspace string
	Loaded          settings.Loaded
	Version         string // of this program
	Offline         bool   // no server is asked
	JSON            bool
}

// doctor looks at everything that a run needs.
type doctor struct {
	diagnosis
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

// Run looks at everything and tells what it finds.
func (cfg Config) Run(ctx context.Context) error {
	d := &doctor{env: os.Getenv, patient: usualPatience()}
	d.diagnosis = diagnosis{Config: cfg, secrets: memory.NewSecrets(cfg.Loaded.Settings.Secrets(os.Getenv))}
	if !cfg.JSON {
		d.spin = term.Spinner{S: cfg.Console.Err}
	}
	return d.all(ctx)
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
	Config
	spin term.Spinner
	// secrets are masked in all that is told: servers and models repeat what they were sent.
	secrets memory.Secrets

	group string
	found []finding
}

func (r *diagnosis) begin(group string) {
	r.group = group
	if r.JSON {
		return
	}
	if len(r.found) > 0 {
		r.Console.Out.Println("")
	}
	r.Console.Out.Println(r.Console.Out.Paint(term.Strong, group))
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
	f := finding{Group: r.group, Mark: as, What: term.OneLine(r.secrets.Mask(what), 1000)}
	if next = strings.TrimRight(r.secrets.Mask(next), "\n"); next != "" {
		f.Next = strings.Split(term.Clean(next), "\n")
	}
	r.found = append(r.found, f)
	r.spin.Hide()
	if !r.JSON {
		r.tell(f)
	}
}

// tell prints a finding, wrapped where the terminal ends: nobody shall miss the end of a sentence here.
func (r *diagnosis) tell(f finding) {
	out := r.Console.Out.Now()
	look := map[mark]struct {
		sign string
		as   term.Style
	}{markGood: {"✓ ", term.Good}, markLook: {"! ", term.Ask}, markBad: {"✗ ", term.Bad}}[f.Mark]
	out.Println("  " + out.Paint(look.as, look.sign) + term.Indented(f.What, out.Width, 4))
	for _, line := range f.Next {
		text := strings.TrimLeft(line, " ")
		by := 6 + len(line) - len(text)
		out.Println(strings.Repeat(" ", by) + term.Indented(text, out.Width, by))
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
	problems, warnings, exit := r.count(markBad), r.count(markLook), term.ExitDone
	if problems > 0 {
		exit = term.ExitError
	}
	if r.JSON {
		return errors.Join(term.PrintJSON(r.Console.Out, checkup{r.Version, r.found, problems, warnings, exit}), term.EndedWith(exit))
	}
	r.Console.Out.Println("")
	switch {
	case problems > 0:
		r.Console.Out.Lines(term.Bad, text.Plural(problems, "problem")+and(warnings, "warning")+". Begin with the first ✗, then run galley doctor again.")
	case warnings > 0:
		r.Console.Out.Lines(term.Ask, "It works, with "+text.Plural(warnings, "warning")+".")
	default:
		r.Console.Out.Lines(term.Good, "All is well.")
	}
	return term.EndedWith(exit)
}

func and(n int, what string) string {
	if n == 0 {
		return ""
	}
	return " and " + text.Plural(n, what)
}
