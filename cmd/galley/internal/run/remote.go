package run

import (
	"context"
	"fmt"
	"slices"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/lsp/dial"
	"github.com/galley-ls/galley/memory"
)

// run works in a session of the host's, until the person has nothing more to say. The loop, the model and commands are in this
// process.
func (r *runner) run(ctx context.Context, prompt string) error {
	cfg := r.settings()
	s := review.Remote{Link: r.Link, Session: cfg.ID}
	if s.Session == "" {
		var made struct {
			Session string `json:"session"`
		}
		if err := r.Link.Conn().Command(ctx, "galley.newSession", map[string]string{}, &made); err != nil {
			return err
		}
		s.Session = made.Session
	}
	infos, err := memory.List(cfg.Home, cfg.Workspace)
	if i := slices.IndexFunc(infos, func(in memory.Info) bool { return in.ID == s.Session }); err == nil && i >= 0 {
		s.Folder = infos[i].Dir
	}
	r.Log.Info("session opened", zap.String("session", s.ID()), zap.String("model", r.Model.Name()), zap.Bool("host", true))
	cfg.ID = s.Session
	r.earlier, r.tells = review.Shown(r.reviewer(s, 0).Waiting()), r.renderer(s)
	for {
		end, err := r.answer(ctx, s, cfg, prompt)
		switch {
		case err != nil:
			return err
		case r.said == "":
			return term.EndedWith(end)
		}
		prompt, r.Session.ID = r.said, s.Session
	}
}

// answer has the agent work on one prompt.
func (r *runner) answer(ctx context.Context, s review.Remote, cfg session.Config, prompt string) (exit int, err error) {
	r.left, r.unmet, r.said, r.leaves = nil, unmet{}, "", false
	at := dial.Config{
		Config: cfg, Stands: r.Stands, Ask: map[string]string{"prompt": prompt, "session": s.Session}, Again: r.Link.Again,
		Review: func(ctx context.Context, _ string, edit int) error { return r.ask(ctx, s, edit) },
	}
	var run *dial.Run
	var joined bool
	err = r.Link.Do(ctx, func(c *dial.Conn) (err error) {
		run, joined, err = c.Open(ctx, at)
		return err
	})
	if err != nil {
		return 0, r.dropEmpty(s, err)
	}
	if joined {
		r.Console.Out.Println("A run goes on in session " + s.ID() + ": it hears this with its next step.")
		r.listen(ctx)
		return term.ExitDone, nil
	}
	life, stop := run.Until(ctx)
	defer stop()
	var last host.Move
	var broke error
	exit, err = r.work(ctx, s, func(c agent.RunConfig) (out agent.Outcome, err error) {
		c.Session, c.Inbox, c.Prompt = agent.Asker{Remote: run, Settings: run.Settings()}, run, prompt
		out, last, broke = agent.Follow(life, c, run.Tell)
		return out, broke
	}, func() (string, error) {
		if last == nil {
			last = func(now *host.Run) bool { now.State = host.RunFailed; return false }
		}
		return run.End(last, broke)
	})
	if err != nil {
		err = r.dropEmpty(s, err)
	}
	return exit, err
}

// dropEmpty removes the session of a run that failed before anything was said.
func (r *runner) dropEmpty(s review.Table, failed error) error {
	if r.empty() {
		if err := r.Link.Conn().Command(context.Background(), "galley.deleteSession", map[string]string{"session": s.ID()}, nil); err != nil {
			return fmt.Errorf("%w; session %s is left: %w", failed, s.ID(), err)
		}
	}
	return failed
}
