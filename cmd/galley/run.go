package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/offline"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
)

// The words of run's --review.
const (
	reviewAuto = "auto"
	reviewAsk  = "ask"
	reviewKeep = "keep"
)

// runFlags are the flags of run.
type runFlags struct {
	review        oneOf
	json          bool
	record        string
	replay        string
	session       string
	maxIterations int
}

func newRunCommand() *cobra.Command {
	f := runFlags{review: oneOf{words: []string{reviewAsk, reviewKeep, reviewAuto}}}
	cmd := &cobra.Command{
		Use: `run "PROMPT"`, Short: "Give the agent an instruction, and review what it stages", GroupID: groupWork,
		Long: `run gives the agent an instruction, shows its steps, and lets you review the edits it stages. The prompt is one argument,
in quotes; - reads it from stdin. With --session it may be left out: the agent goes on where it was.

The model is the built-in offline one: no network, no key, and no language model. It understands plain instructions:

` + indent(grammarForms()) + `

  Steps are joined by "then" or stand on lines of their own; galley run help explains them all.

Steps are told on stderr; the model's text and the preview of what waits go to stdout. --review says who decides:

  ask    asks you at each commit, and at the end for what is left (the usual way on a terminal)
  keep   keeps everything for galley review (the usual way without a terminal)
  auto   lets the agent commit`,
		Example: `  galley run 'replace "timeout: 30" with "timeout: 60" in config.yaml then commit "longer timeout"'
  galley run --review keep 'task "notes" then append "- ship it" to notes.md then commit'
  galley run --json - < instruction.txt`,
		Annotations: map[string]string{exitNote: `  0  done, and no letter waits
  1  an error: the model, a file, the journal
  2  a wrong command line or configuration
  3  done, and letters wait for you: galley review
  4  stopped before it was done: --max-iterations, an interrupt, a call that failed again and again`},
		Args: func(cmd *cobra.Command, args []string) error { return onePrompt(args, f.session != "") },
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.Var(&f.review, "review", "who decides about the edits")
	flags.BoolVar(&f.json, "json", false, "events as JSON lines on stdout, nothing else there")
	flags.StringVar(&f.record, "record", "", "write what the model answers to a recording, this `file`")
	flags.StringVar(&f.replay, "replay", "", "let the recording in this `file` answer instead of a model")
	flags.StringVar(&f.session, "session", "", "go on in the session with this `id`")
	flags.IntVar(&f.maxIterations, "max-iterations", agent.DefaultMaxIterations, "stop after `n` replies of the model")
	complete(cmd, "review", f.review.complete)
	complete(cmd, "session", completeSession)
	return cmd
}

// grammarForms are the forms of the offline model's instructions, from its own page.
func grammarForms() string {
	var forms []string
	for line := range strings.Lines(offline.Grammar) {
		if form, ok := strings.CutPrefix(line, "- `"); ok && !strings.Contains(form, "help") {
			forms = append(forms, strings.TrimRight(form, "`\n"))
		}
	}
	return strings.Join(forms, "\n")
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }

func onePrompt(args []string, goesOn bool) error {
	const example = `galley run 'replace "old" with "new" in notes.md'`
	switch {
	case len(args) > 1:
		return usage("put it in quotes: "+example, "the prompt must be one argument, and there are %d", len(args))
	case len(args) == 0 && !goesOn, len(args) == 1 && strings.TrimSpace(args[0]) == "":
		return usage("give one in quotes: "+example+"; or - to read it from stdin", "there is no prompt")
	}
	return nil
}

// run is the command: get everything ready, run, review, say how it ended.
func (f *runFlags) run(cmd *cobra.Command, args []string) error {
	c := consoleOf(cmd)
	p, err := placeOf(cmd)
	if err != nil {
		return err
	}
	log, done, err := openLog(cmd)
	if err != nil {
		return err
	}
	defer done()
	if err := f.settle(c, args); err != nil {
		return err
	}
	prompt, err := f.prompt(c, args)
	if err != nil {
		return err
	}
	m, closeModel, err := f.model()
	if err != nil {
		return err
	}
	r := &runner{flags: f, place: p, c: c, log: log, typed: newTyped(c.in), model: m}
	return errors.Join(r.session(cmd.Context(), prompt), closeModel())
}

// settle finds out who decides, and what does not go together.
func (f *runFlags) settle(c console, args []string) error {
	fromStdin := len(args) == 1 && args[0] == "-"
	asked := f.review.value
	switch {
	case asked == reviewAsk && f.json:
		return usage("use --review keep, and then galley review", "--json and --review ask do not go together: questions would stand between the events")
	case asked == reviewAsk && fromStdin:
		return usage("give the prompt as an argument, or use --review keep", "with - the prompt comes from stdin, so the answers of --review ask cannot")
	case f.maxIterations < 1:
		return usage("give a number from 1 on", "--max-iterations is %d", f.maxIterations)
	case f.record != "" && f.replay != "":
		return usage("leave one of them out", "--record and --replay do not go together")
	case asked == "" && c.interactive() && !f.json && !fromStdin:
		f.review.value = reviewAsk
	case asked == "":
		f.review.value = reviewKeep
	}
	return nil
}

func (f *runFlags) prompt(c console, args []string) (string, error) {
	if len(args) == 0 {
		return "", nil
	}
	if args[0] != "-" {
		return args[0], nil
	}
	text, err := io.ReadAll(c.in)
	if err != nil {
		return "", err
	}
	return string(text), onePrompt([]string{string(text)}, false)
}

// policy is what --review means for the session.
func (f *runFlags) policy() editing.Policy {
	switch f.review.value {
	case reviewAuto:
		return editing.Auto
	case reviewAsk:
		return editing.Wait
	}
	return editing.Ask
}

// runner is one run.
type runner struct {
	flags *runFlags
	place place
	c     console
	log   *zap.Logger
	typed *typed
	model model.Model

	tells teller
	left  []editing.Choice // what the person was asked about, and left undecided
}

// session opens the agent session, works in it, and closes it.
func (r *runner) session(ctx context.Context, prompt string) error {
	cfg := r.place.config()
	cfg.ID, cfg.Review, cfg.Model, cfg.Decide = r.flags.session, r.flags.policy(), r.model.Name(), r.decide
	s, err := session.Open(cfg)
	if err != nil {
		return err
	}
	r.log.Info("session opened", zap.String("session", s.ID()), zap.String("model", r.model.Name()))
	r.c.warn(s)
	end, err := r.work(ctx, s, prompt)
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	return endedWith(end)
}

// work runs the agent, asks about what is left, and tells how it ended.
func (r *runner) work(ctx context.Context, s *session.Session, prompt string) (exit int, err error) {
	box := &toolbox{table: s, done: map[string]call{}}
	r.tells = r.teller(s, box)
	out, err := agent.Run(ctx, agent.RunConfig{
		Session: s, Model: r.model, Tools: box, Prompt: prompt, MaxIterations: r.flags.maxIterations,
		Events: func(e agent.Event) {
			logEvent(r.log, e)
			r.tells.event(e)
		},
	})
	if err == nil && r.flags.review.value == reviewAsk && ctx.Err() == nil {
		err = r.askRest(ctx, s)
	}
	closed, finishErr := s.Finish(context.WithoutCancel(ctx))
	if err = errors.Join(err, finishErr); err != nil {
		r.c.err.line(styleFaint, "go on: "+r.place.command("run", "--session", s.ID()))
		return exitError, err
	}
	waits := lettersOf((&reviewer{desk: s}).waiting())
	exit = exitOfRun(out.Reason, len(waits))
	r.tells.end(end{exit: exit, out: out, waits: waits, closed: closed})
	return exit, nil
}

// exitOfRun is the exit code of a run that ended without an error.
func exitOfRun(reason agent.Reason, waits int) int {
	switch {
	case reason != agent.Done:
		return exitStopped
	case waits > 0:
		return exitWaiting
	}
	return exitDone
}

// decide asks about one editing session while the agent waits.
func (r *runner) decide(ctx context.Context, s *session.Session, edit int) error {
	r.tells.pause()
	rev := &reviewer{c: r.c, desk: s, typed: r.typed, edit: edit}
	err := rev.review(ctx)
	r.left = append(r.left, shown(rev.waiting())...)
	return err
}

// askRest asks about what waits at the end, unless it is only what the person has left undecided already.
func (r *runner) askRest(ctx context.Context, s *session.Session) error {
	rev := &reviewer{c: r.c, desk: s, typed: r.typed}
	known := func(c editing.Choice) bool { return slices.Contains(r.left, c) }
	if rest := slices.DeleteFunc(shown(rev.waiting()), known); len(rest) == 0 {
		return nil
	}
	r.tells.pause()
	return rev.review(ctx)
}

func (r *runner) teller(s *session.Session, box *toolbox) teller {
	if r.flags.json {
		return &eventLines{s: r.c.out, session: s, place: r.place}
	}
	return &storyteller{c: r.c, session: s, box: box, place: r.place, kept: r.flags.review.value != reviewAsk}
}

var _ tools.Table = (*session.Session)(nil)
