package run

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
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
	q.c.Err.Print(shownCommand(q.c.Err, c))
	for {
		line, ok := q.ask(ctx)
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

// ask puts the question once.
func (q *consent) ask(ctx context.Context) (line string, ok bool) {
	q.c.Err.Print(q.c.Err.Paint(term.Ask, term.Wrap(commandQuestion, q.c.Err.Now().Width)) + "\n> ")
	if line, ok = q.typed.Line(ctx); !ok {
		q.c.Err.Println("")
	}
	return line, ok
}

// asError is a reason as the agent hears it, nil if none was given.
func asError(reason string) error {
	if reason = term.OneLine(reason, 300); reason == "" {
		return nil
	}
	return errors.New(reason)
}

// shownCommand is a command as it is shown before it runs: all of it, whatever its length, since somebody answers for it.
func shownCommand(s term.Screen, c session.Command) string {
	var b strings.Builder
	mark := "$ "
	for line := range strings.SplitSeq(strings.TrimRight(term.Clean(c.Text), "\n"), "\n") {
		b.WriteString("  " + s.Paint(term.Strong, mark+line) + "\n")
		mark = "  "
	}
	where := "in " + term.Clean(filepath.ToSlash(c.Dir))
	if c.Dir == "." {
		where = "in the workspace"
	}
	if c.Timeout > 0 {
		where += " · " + term.Took(c.Timeout) + " at most"
	}
	return b.String() + s.Paint(term.Faint, "    "+where) + "\n"
}
