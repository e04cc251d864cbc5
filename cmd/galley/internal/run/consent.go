package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/text"
)

// consent asks a person whether the commands of the agent may run. It belongs to the goroutine of the run.
type consent struct {
	c     term.Console
	typed *term.Keyboard
	tells renderer
	asks  bool // there is somebody who can be asked

	always bool // they allowed all commands of this run
}

// commandQuestion is what they are asked. Only a yes is one.
const commandQuestion = "run it? [y]es, [n]o (a reason may follow), [a]lways in this run; Enter: no"

// confirm decides about one command.
func (q *consent) confirm(ctx context.Context, c session.Command) (bool, error) {
	switch {
	case q.always:
		return true, nil
	case !q.asks:
		q.tells.Event(agent.Warned{Text: "not run, since nobody can be asked here: " + term.OneLine(c.Text, 100) +
			" — galley run --set tools.run_command=allow lets it run without a question"})
		return false, nil
	}
	q.tells.Pause()
	q.typed.Forget()
	line, ok := q.show(ctx, c)
	for {
		if ok {
			line, ok = q.typed.Ask(ctx, q.c.Err, commandQuestion)
		}
		word, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word = strings.ToLower(word); {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case word == "y" || word == "yes":
			return true, nil
		case word == "a" || word == "always":
			q.always = true
			return true, nil
		case !ok || word == "" || word == "n" || word == "no":
			return false, asError(reason)
		}
		q.c.Err.Line(term.Ask, "“"+term.OneLine(line, 40)+"” is no answer")
	}
}

// show shows a command page by page. Who says no in the midst of it is not asked any more.
func (q *consent) show(ctx context.Context, c session.Command) (line string, ok bool) {
	s := q.c.Err.Now()
	rows := commandRows(s, c)
	most := s.Rows - pageRest
	if s.Rows == 0 {
		most = len(rows)
	}
	for len(rows) > max(most, pageRest) {
		page := min(max(most, 1), len(rows)-2) // how it begins stands above the question itself
		printRows(s, rows[:page])
		rows = rows[page:]
		line, ok = q.typed.Ask(ctx, q.c.Err, fmt.Sprintf("%d more rows; Enter shows them, [n]o does not run it", len(rows)))
		if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); !ok || word == "n" || word == "no" {
			return line, false
		}
	}
	printRows(s, rows)
	return "", true
}

// pageRest are the rows of a page for what is asked below it.
const pageRest = 4

func printRows(s term.Screen, rows []term.Line) {
	for _, r := range rows {
		s.Println(s.Paint(r.As, r.Text))
	}
}

// asError is a reason as the agent hears it, nil if none was given.
func asError(reason string) error {
	if reason = term.OneLine(reason, 300); reason == "" {
		return nil
	}
	return errors.New(reason)
}

// commandRows is a command as it is shown before it runs: all of it, whatever its length, since somebody answers for it. Below a
// long one stands again how it begins.
func commandRows(s term.Screen, c session.Command) []term.Line {
	const long = 8
	var rows []term.Line
	mark, lines := "$ ", text.Condensed(strings.TrimSpace(c.Text))
	for _, line := range lines {
		for _, row := range term.Rows(strings.ReplaceAll("  "+mark+text.Marked(line), "\t", "    "), s.Width) {
			rows = append(rows, term.Line{As: term.Strong, Text: row})
		}
		mark = "  "
	}
	if len(rows) > long || strings.Count(c.Text, "\n") > len(lines) {
		rows = append(rows, term.Line{As: term.Ask, Text: term.Cut("    begins with: "+text.Marked(lines[0]), s.Width)})
	}
	where := "in " + term.Clean(filepath.ToSlash(c.Dir))
	if c.Dir == "." {
		where = "in the workspace"
	}
	if c.Timeout > 0 {
		where += " · " + term.Took(c.Timeout) + " at most"
	}
	return append(rows, term.Line{As: term.Faint, Text: "    " + where})
}
