package setup

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/memory"
)

// Hosted is the host of a workspace in this process, with the settings that all have in common who come: those of files. What
// concerns one connection is read for it alone, and what concerns a run comes with the run.
type Hosted struct {
	*host.Host
	src     settings.Sources
	log     *zap.Logger
	version string
	ctx     context.Context
	stop    context.CancelFunc
	work    sync.WaitGroup

	mu    sync.Mutex // guards the rest
	place Place
	told  []chan struct{} // for each connection: settings changed
}

// OpenHosted makes the process the host of a workspace.
func OpenHosted(ctx context.Context, p Place, src settings.Sources, log *zap.Logger, as memory.Hosting, words agent.Words) (*Hosted, error) {
	h := &Hosted{src: src, log: log, version: as.Build, place: p}
	h.ctx, h.stop = context.WithCancel(ctx)
	cfg, err := p.Config(), error(nil)
	cfg.Patience = p.Patience
	h.Host, err = host.Open(h.ctx, host.Config{
		Session: cfg, Hosting: as, Wait: p.Wait,
		Call: func(ctx context.Context, s *session.Session, c memory.ToolCall) host.Answer {
			return agent.Answered(tools.Run(ctx, s, c))
		},
		Outcome: func(s *session.Session, r editing.Result, err error) any {
			return tools.Decided(s.Snapshot(), s.ID(), r, err)
		},
		Earlier: func(s *session.Session, said []memory.Message) []host.Run { return agent.Earlier(said, s.Mask, words) },
		Warn:    func(format string, args ...any) { log.Sugar().Warnf(format, args...) },
	})
	if err != nil {
		h.stop()
		return nil, err
	}
	watchSettings(h.ctx, &h.work, log, src.Config, p.Workspace, h.reread)
	return h, nil
}

// reread takes in that a file of settings changed.
func (h *Hosted) reread() {
	loaded := Load(h.src)
	h.mu.Lock()
	h.place.Loaded = loaded
	p := h.place
	for _, c := range h.told {
		select {
		case c <- struct{}{}:
		default: // it is to be told already
		}
	}
	h.mu.Unlock()
	h.SetSession(p.Configure)
}

// Serve serves one connection.
func (h *Hosted) Serve(ctx context.Context, conn net.Conn) error {
	changed := make(chan struct{}, 1)
	h.mu.Lock()
	h.told = append(h.told, changed)
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.told = slices.DeleteFunc(h.told, func(c chan struct{}) bool { return c == changed })
	}()
	return lsp.Serve(ctx, conn, lsp.Config{
		Host: h.Host, Log: h.log, Version: h.version, Changed: changed,
		Configure: func(c lsp.Client, sent any) (lsp.Settings, []string) {
			h.mu.Lock()
			workspace := h.place.Workspace
			h.mu.Unlock()
			loaded := Load(editors(h.src, workspace, c, sent))
			var wrong []string
			for _, p := range slices.Concat(loaded.Errors, loaded.Warnings) {
				wrong = append(wrong, p.String())
			}
			ui := loaded.Settings.UI
			return lsp.Settings{Diagnostics: ui.Diagnostics, CodeLens: ui.CodeLens, InlayHints: ui.InlayHints, Icons: ui.Icons}, wrong
		},
	})
}

// Pipe serves a connection within the process, and answers its other end.
func (h *Hosted) Pipe() net.Conn {
	mine, its := net.Pipe()
	h.work.Go(func() {
		if err := h.Serve(h.ctx, its); err != nil {
			h.log.Info("a connection ended", zap.Error(err))
		}
	})
	return mine
}

// Close ends the host.
func (h *Hosted) Close() error {
	h.stop()
	h.work.Wait()
	return errors.Join(h.Host.Close())
}

// editors are all sources of settings, with those of an editor. Its word for the workspace counts if its folder covers it.
func editors(src settings.Sources, workspace string, c lsp.Client, sent any) settings.Sources {
	src.Workspace = workspace
	src.Editor = []any{withoutTrust(c.Options), sent}
	src.Trusted = trusts(c.Options) && (c.Root == "" || covers(c.Root, workspace))
	return src
}
