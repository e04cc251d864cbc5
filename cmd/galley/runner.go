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
	"github.com/galley-ls/galley/editing"
)

// runner is one run.
type runner struct {
	flags *runFlags
	place place
	c     console
	log   *zap.Logger
	typed *typed
	model model.Model

	tells   teller
	consent *consent
	exit    func(code int)   // of the process
	again   []string         // flags that choose the same model
	left    []editing.Choice // what the person was asked about, and left undecided
}

// session opens the agent session, works in it, and closes it.
func (r *runner) session(ctx context.Context, prompt string) error {
	cfg := r.place.config()
	cfg.ID, cfg.Review, cfg.Model, cfg.Decide = r.flags.session, r.flags.policy(), r.model.Name(), r.decide
	cfg.Window = cmp.Or(cfg.Window, r.flags.window)
	cfg.Confirm, cfg.Saw = r.confirm, func(c session.Command) { r.tells.command(c) }
	s, err := session.Open(cfg)
	if err != nil {
		return err
	}
	r.log.Info("session opened", zap.String("session", s.ID()), zap.String("model", r.model.Name()))
	warn(r.c, s)
	end, err := r.work(ctx, s, prompt)
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	return endedWith(end)
}

// work runs the agent, asks about what is left, and tells how it ended.
func (r *runner) work(ctx context.Context, s *session.Session, prompt string) (exit int, err error) {
	box := &observed{Local: agent.Local{Session: s}, done: map[string]call{}}
	r.tells = r.teller(s, box)
	r.consent = &consent{c: r.c, typed: r.typed, tells: r.tells, asks: r.flags.asks}
	defer watchInterrupts(r.tells.stopping, r.leave)()
	out, err := agent.Run(ctx, agent.RunConfig{
		Session: box, Model: r.model, Prompt: prompt, MaxIterations: r.flags.maxIterations,
		MaxTokens: r.place.settings().Agent.MaxTokens,
		Events: func(e agent.Event) {
			logEvent(r.log, e)
			r.tells.event(e)
		},
	})
	if err == nil && r.flags.review.value == reviewAsk && ctx.Err() == nil {
		err = r.askRest(ctx, s)
	}
	closed, finishErr := s.End(context.WithoutCancel(ctx))
	if err = errors.Join(err, finishErr); err != nil {
		r.broken(s)
		return exitError, err
	}
	waits := lettersOf((&reviewer{session: s}).waiting())
	exit = exitOfRun(out.Reason, len(waits))
	r.tells.end(end{exit: exit, out: out, waits: waits, closed: closed})
	return exit, nil
}

// broken says how to go on after an error. Commands are not cut, since they are copied.
func (r *runner) broken(s *session.Session) {
	r.c.err.println(r.c.err.paint(styleFaint, "go on: "+r.place.command(goOn(s.ID(), r.again)...)))
	if waits := lettersOf((&reviewer{session: s}).waiting()); len(waits) > 0 {
		r.c.err.println(r.c.err.paint(styleAsk, waitLetters(waits)+": ") + r.place.command("review", "--session", s.ID()))
	}
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
	c := r.c
	c.out = c.out.now()
	return &reviewer{c: c, session: s, typed: r.typed, edit: edit}
}

// pause makes room for questions. What was typed before they were asked is no answer.
func (r *runner) pause() {
	r.tells.pause()
	r.typed.forget()
	r.c.out.println("")
}

// leave ends the process at once. What is journaled is whole: a journal may end anywhere.
func (r *runner) leave() {
	r.tells.leaving()
	r.exit(exitStopped)
}

func (r *runner) teller(s *session.Session, box *observed) teller {
	if r.flags.json {
		return &eventLines{s: r.c.out, session: s, place: r.place}
	}
	t := newStoryteller(r.c)
	t.session, t.box, t.place, t.again = s, box, r.place, r.again
	t.kept, t.reasoning = r.flags.review.value != reviewAsk, r.flags.reasoning
	return t
}
