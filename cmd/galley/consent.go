package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/session"
)

// consent asks a person whether the commands of the agent may run. It belongs to the goroutine of the run.
type consent struct {
	c     console
	typed *typed
	tells teller
	asks  bool // there is somebody who can be asked

	always bool // he allowed all commands of this run
}

// commandQuestion is what he is asked. Only a yes is one.
const commandQuestion = "run it? [y]es, [n]o (a reason may follow), [a]lways in this run; Enter: no"

// confirm decides about one command.
func (q *consent) confirm(ctx context.Context, c session.Command) (bool, error) {
	switch {
	case q.always:
		return true, nil
	case !q.asks:
		q.tells.event(agent.Warned{Text: "not run, since nobody can be asked here: " + oneLine(c.Text, 100) +
			" — galley run --set tools.run_command=allow lets it run without a question"})
		return false, nil
	}
	q.tells.pause()
	q.typed.forget()
	q.c.err.print(shownCommand(q.c.err, c))
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
		q.c.err.line(styleAsk, "“"+oneLine(line, 40)+"” is no answer")
	}
}

// ask puts the question once.
func (q *consent) ask(ctx context.Context) (line string, ok bool) {
	q.c.err.print(q.c.err.paint(styleAsk, wrap(commandQuestion, q.c.err.now().width)) + "\n> ")
	if line, ok = q.typed.line(ctx); !ok {
		q.c.err.println("")
	}
	return line, ok
}

// asError is a reason as the agent hears it, nil if none was given.
func asError(reason string) error {
	if reason = oneLine(reason, 300); reason == "" {
		return nil
	}
	return errors.New(reason)
}

// shownCommand is a command as it is shown before it runs: all of it, whatever its length, since somebody answers for it.
func shownCommand(s screen, c session.Command) string {
	var b strings.Builder
	mark := "$ "
	for line := range strings.SplitSeq(strings.TrimRight(clean(c.Text), "\n"), "\n") {
		b.WriteString("  " + s.paint(styleStrong, mark+line) + "\n")
		mark = "  "
	}
	where := "in " + clean(filepath.ToSlash(c.Dir))
	if c.Dir == "." {
		where = "in the workspace"
	}
	if c.Timeout > 0 {
		where += " · " + took(c.Timeout) + " at most"
	}
	return b.String() + s.paint(styleFaint, "    "+where) + "\n"
}
