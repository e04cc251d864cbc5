package main

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	agentdesk "github.com/galley-ls/galley/agent/desk"
	"github.com/galley-ls/galley/agent/offline"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp"
)

func newServeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "serve",
		GroupID: groupWork,
		Short:   "Serve an editor: the same review in any editor that speaks LSP",
		Long: `serve is a language server on standard input and output. Editors start it themselves; docs/protocol.md says what it
offers, and docs/editors.md how to tell your editor about it.`,
		Example: `  galley serve --workspace ~/my-project --log-file /tmp/galley.log`,
		Args:    cobra.NoArgs,
		RunE:    serve,
	}
	cmd.Flags().Bool("stdio", true, "speak on standard input and output, which it always does: some editors insist")
	return cmd
}

func serve(cmd *cobra.Command, _ []string) (err error) {
	p, err := placeOf(cmd)
	if err != nil {
		return err
	}
	level := zap.NewAtomicLevel()
	log, done, err := openLogAt(cmd, level)
	if err != nil {
		return err
	}
	defer done()
	o := opener{p: p, log: log, level: level, ctx: cmd.Context()}
	defer func() { err = errors.Join(err, o.close()) }()
	err = lsp.Serve(cmd.Context(), lsp.Join(os.Stdin, os.Stdout), lsp.Config{Open: o.open, Log: log, Version: versionName(), Configure: o.configure})
	if errors.Is(err, lsp.ErrParentDead) { // nobody is left to tell
		log.Info("the editor is gone", zap.Error(err))
		return nil
	}
	return err
}

// opener opens the desk in the folder of --workspace, else in the one that the
// editor names, else in the current one.
type opener struct {
	p   place
	log *zap.Logger
	ctx context.Context

	level zap.AtomicLevel

	mu     sync.Mutex // guards what follows
	desk   *agentdesk.Desk
	review editing.Policy
}

func (o *opener) open(c lsp.Client) (lsp.Desk, error) {
	p := o.p
	if p.named == "" && c.Root != "" {
		p.workspace = c.Root
	}
	d, err := agentdesk.Open(o.ctx, agentdesk.Config{
		Session: p.config(), Model: offline.New(),
		Warn: func(format string, args ...any) { o.log.Sugar().Warnf(format, args...) },
	})
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.desk = d
	d.SetReview(o.review)
	return editorDesk{d}, nil
}

// configure hears of the editor's settings, also before the desk is open.
func (o *opener) configure(s lsp.Settings, _ map[string]any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.review = editing.Policy(s.Review)
	if named, err := zapcore.ParseLevel(s.LogLevel); err == nil && s.LogLevel != lsp.DefaultSettings().LogLevel {
		o.level.SetLevel(named)
	}
	if o.desk != nil {
		o.desk.SetReview(o.review)
	}
}

func (o *opener) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.desk == nil {
		return nil
	}
	return o.desk.Close()
}

// editorDesk is a desk as the language server names its parts.
type editorDesk struct{ *agentdesk.Desk }

func (e editorDesk) Ask(ctx context.Context, p lsp.Prompt) (run, session string, err error) {
	return e.Desk.Ask(ctx, agentdesk.Prompt(p))
}

func (e editorDesk) WaitRuns(ctx context.Context, seq int64) ([]lsp.Run, int64, error) {
	runs, now, err := e.Desk.WaitRuns(ctx, seq)
	out := make([]lsp.Run, len(runs))
	for i, r := range runs {
		out[i] = lsp.Run{
			ID: r.ID, Session: r.Session, State: lsp.RunState(r.State), Step: r.Step, Tool: r.Tool, Text: r.Text,
			Error: r.Error, Percent: r.Percent,
		}
	}
	return out, now, err
}

func (e editorDesk) Sessions(ctx context.Context) ([]lsp.SessionInfo, error) {
	infos, err := e.Desk.Sessions(ctx)
	out := make([]lsp.SessionInfo, len(infos))
	for i, in := range infos {
		out[i] = lsp.SessionInfo{ID: in.ID, Title: in.Title, Updated: in.Updated, Pending: in.Pending, LockedBy: in.LockedBy}
	}
	return out, err
}
