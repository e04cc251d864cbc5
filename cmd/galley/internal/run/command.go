package run

import (
	"fmt"
	"strings"
	"time"

	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// runCommand is the tool that runs commands.
const runCommand = "run_command"

// ran tells a call of run_command: what was run, how it ended, what it changed.
func (c Call) ran() term.Line {
	r, what := c.result, term.OneLine(c.args.Command, 80)
	switch {
	case r.Code == tools.CodeDenied:
		return term.Line{As: term.Ask, Text: "– not run: " + what}
	case r.Status != tools.StatusOK:
		return c.failed()
	case r.Code == tools.CodeTimedOut:
		return term.Line{As: term.Ask, Text: "– stopped, since it took too long: " + what + c.lasted() + c.touched()}
	case r.Code == tools.CodeCancelled:
		return term.Line{As: term.Ask, Text: "– stopped: " + what + c.lasted() + c.touched()}
	case r.ExitCode != nil && *r.ExitCode != 0:
		return term.Line{As: term.Ask, Text: fmt.Sprintf("– exit code %d: %s%s%s%s", *r.ExitCode, what, c.lasted(), c.touched(), because(c.lastWords()))}
	}
	return term.Line{As: term.Faint, Text: "· ran " + what + c.lasted() + c.touched()}
}

// lasted is how long a command took: " (2.3 s)".
func (c Call) lasted() string {
	d, err := time.ParseDuration(c.result.Duration)
	if err != nil {
		return ""
	}
	return " (" + term.Took(d) + ")"
}

// touched names the files that a command changed.
func (c Call) touched() string {
	const most = 3
	var names []string
	for _, f := range c.result.ChangedFiles {
		names = append(names, c.at.Path(f.Path))
	}
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		return fmt.Sprintf(", changed %d files", len(names))
	}
	return ", changed " + strings.Join(names, ", ")
}

// lastWords are the last line of what a command wrote.
func (c Call) lastWords() string {
	if c.result.Output == nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(*c.result.Output), "\n")
	return lines[len(lines)-1]
}
