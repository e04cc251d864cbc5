package run

import (
	"context"
	"fmt"
	"slices"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/lsp/dial"
	"github.com/galley-ls/galley/memory"
)

// run works in a session of the host's. The loop, the model and commands are in this process.
func (r *runner) run(ctx context.Context, prompt string) error {
	cfg := r.settings()
	s := review.Remote{Conn: r.Conn, Session: cfg.ID}
	if s.Session == "" {
		var made struct {
			Session string `json:"session"`
		}
		if err := r.Conn.Command(ctx, "galley.newSession", map[string]string{}, &made); err != nil {
			return err
		}
		s.Session = made.Session
	}
	infos, err := memory.List(cfg.Home, cfg.Workspace)
	if i := slices.IndexFunc(infos, func(in memory.Info) bool { return in.ID == s.Session }); err == nil && i >= 0 {
		s.Folder = infos[i].Dir
	}
	r.Log.Info("session opened", zap.String("session", s.ID()), zap.String("model", r.Model.Name()), zap.Bool("host", true))
	cfg.ID, cfg.Tool = s.Session, false
	r.earlier = review.Shown(r.reviewer(s, 0).Waiting())
	run, joined, err := r.Conn.Open(ctx, dial.Config{
		Config: cfg, Stands: r.Stands, Ask: map[string]string{"prompt": prompt, "session": s.Session},
		Review: func(ctx context.Context, _ string, edit int) error { return r.ask(ctx, s, edit) },
	})
	if err != nil {
		return r.dropEmpty(s, err)
	}
	if joined {
		r.Console.Out.Println("A run goes on in session " + s.ID() + ": it hears this with its next step.")
		return nil
	}
	life, stop := run.Until(ctx)
	defer stop()
	var last host.Move
	var broke error
	end, err := r.work(ctx, s, func(c agent.RunConfig) (out agent.Outcome, err error) {
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
		return r.dropEmpty(s, err)
	}
	return term.EndedWith(end)
}

// dropEmpty removes the session of a run that failed before anything was said.
func (r *runner) dropEmpty(s review.Table, failed error) error {
	if r.empty() {
		if err := r.Conn.Command(context.Background(), "galley.deleteSession", map[string]string{"session": s.ID()}, nil); err != nil {
			return fmt.Errorf("%w; session %s is left: %w", failed, s.ID(), err)
		}
	}
	return failed
}
