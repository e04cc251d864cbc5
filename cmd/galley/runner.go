package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
)

// runConfig is what a run works with.
type runConfig struct {
	console   term.Console
	log       *zap.Logger
	session   session.Config
	window    int // of the model in tokens, as far as its server is known
	model     model.Model
	galley    func(words ...string) string // a command line that works in the same place, to be copied
	again     []string                     // flags that choose the same model
	exit      func(code int)               // of the process
	asks      bool                         // the person is asked about what waits
	confirms  bool                         // somebody can be asked about commands
	json      bool
	reasoning bool // what the model thinks is shown

	maxIterations, maxTokens int
}

// runner is one run.
type runner struct {
	runConfig
	typed   *term.Keyboard
	tells   renderer
	consent *consent
	left    []editing.Choice // what the person was asked about, and left undecided
}

// run works on a prompt.
func (cfg runConfig) run(ctx context.Context, prompt string) error {
	r := &runner{runConfig: cfg, typed: term.NewKeyboard(cfg.console.In)}
	return r.open(ctx, prompt)
}

// open opens the agent session, works in it, and closes it.
func (r *runner) open(ctx context.Context, prompt string) error {
	cfg := r.session
	cfg.Model, cfg.Decide, cfg.Window = r.model.Name(), r.decide, cmp.Or(cfg.Window, r.window)
	cfg.Confirm, cfg.Saw = r.confirm, func(c session.Command) { r.tells.command(c) }
	s, err := session.Open(cfg)
	if err != nil {
		return err
	}
	r.log.Info("session opened", zap.String("session", s.ID()), zap.String("model", r.model.Name()))
	warn(r.console, s)
	end, err := r.work(ctx, s, prompt)
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	return term.EndedWith(end)
}

// work runs the agent, asks about what is left, and tells how it ended.
func (r *runner) work(ctx context.Context, s *session.Session, prompt string) (exit int, err error) {
	box := &observed{Local: agent.Local{Session: s}, done: map[string]call{}}
	r.tells = r.renderer(s, box)
	r.consent = &consent{c: r.console, typed: r.typed, tells: r.tells, asks: r.confirms}
	defer watchInterrupts(r.tells.stopping, r.leave)()
	out, err := agent.Run(ctx, agent.RunConfig{
		Session: box, Model: r.model, Prompt: prompt, MaxIterations: r.maxIterations,
		MaxTokens: r.maxTokens,
		Events: func(e agent.Event) {
			logEvent(r.log, e)
			r.tells.event(e)
		},
	})
	if err == nil && r.asks && ctx.Err() == nil {
		err = r.askRest(ctx, s)
	}
	closed, finishErr := s.End(context.WithoutCancel(ctx))
	if err = errors.Join(err, finishErr); err != nil {
		r.broken(s)
		return term.ExitError, err
	}
	waits := lettersOf((&reviewer{session: s}).waiting())
	exit = exitOfRun(out.Reason, len(waits))
	r.tells.end(end{exit: exit, out: out, waits: waits, closed: closed})
	return exit, nil
}

// broken says how to go on after an error. Commands are not cut, since they are copied.
func (r *runner) broken(s *session.Session) {
	r.console.Err.Println(r.console.Err.Paint(term.Faint, "go on: "+r.galley(goOn(s.ID(), r.again)...)))
	if waits := lettersOf((&reviewer{session: s}).waiting()); len(waits) > 0 {
		r.console.Err.Println(r.console.Err.Paint(term.Ask, waitLetters(waits)+": ") + r.galley("review", "--session", s.ID()))
	}
}

// exitOfRun is the exit code of a run that ended without an error.
func exitOfRun(reason agent.Reason, waits int) int {
	switch {
	case reason != agent.Done:
		return term.ExitStopped
	case waits > 0:
		return term.ExitWaiting
	}
	return term.ExitDone
}

// confirm asks about one command of the agent.
func (r *runner) confirm(ctx context.Context, c session.Command) (bool, error) {
	return r.consent.confirm(ctx, c)
}

// decide asks about one editing session while the agent waits.
func (r *runner) decide(ctx context.Context, s *session.Session, edit int) error {
	rev := r.reviewer(s, edit)
	r.pause()
	err := rev.review(ctx)
	r.left = append(r.left, shown(rev.waiting())...)
	return err
}

// askRest asks about what waits at the end, unless it is only what the person has left undecided already.
func (r *runner) askRest(ctx context.Context, s *session.Session) error {
	rev := r.reviewer(s, 0)
	known := func(c editing.Choice) bool { return slices.Contains(r.left, c) }
	if rest := slices.DeleteFunc(shown(rev.waiting()), known); len(rest) == 0 {
		return nil
	}
	r.pause()
	return rev.review(ctx)
}

// reviewer asks about one editing session, 0: about all, on a terminal as wide as it is now.
func (r *runner) reviewer(s *session.Session, edit int) *reviewer {
	c := r.console
	c.Out = c.Out.Now()
	return &reviewer{c: c, session: s, typed: r.typed, edit: edit}
}

// pause makes room for questions. What was typed before they were asked is no answer.
func (r *runner) pause() {
	r.tells.pause()
	r.typed.Forget()
	r.console.Out.Println("")
}

// leave ends the process at once. What is journaled is whole: a journal may end anywhere.
func (r *runner) leave() {
	r.tells.leaving()
	r.exit(term.ExitStopped)
}

func (r *runner) renderer(s *session.Session, box *observed) renderer {
	if r.json {
		return &eventLines{s: r.console.Out, session: s, galley: r.galley}
	}
	t := newStoryteller(r.console)
	t.session, t.box, t.galley, t.again = s, box, r.galley, r.again
	t.kept, t.reasoning = !r.asks, r.reasoning
	return t
}
