package agent_test

import (
	"context"
	"errors"
	"net"
	"testing"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/lsp/dial"
	"github.com/galley-ls/galley/memory"
)

// holder is the process that holds a workspace, and serves clients over pipes.
type holder struct {
	t testing.TB
	*host.Host
	ends    []func()
	clients []*dial.Conn
}

// holds opens a host that makes runs' calls, and no runs of its own.
func holds(t testing.TB, cfg session.Config) *holder {
	t.Helper()
	cfg.ID = ""
	h, err := host.Open(context.Background(), host.Config{
		Session: cfg,
		Call: func(ctx context.Context, s *session.Session, c memory.ToolCall) agent.Answer {
			a, _ := agent.Local{Session: s}.Call(ctx, c)
			return a
		},
		Warn: t.Errorf,
	})
	must(t, err)
	return &holder{t: t, Host: h}
}

// client attaches a client, and how its connection ends.
func (h *holder) client(who lsp.Attach) (c *dial.Conn, cut func()) {
	h.t.Helper()
	mine, its := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- lsp.Serve(context.Background(), its, lsp.Config{Host: h}) }()
	c, err := dial.Attach(context.Background(), mine, who, nil)
	must(h.t, err)
	h.clients = append(h.clients, c)
	h.ends = append(h.ends, func() {
		_ = its.Close()
		<-served
	})
	return c, func() { _ = its.Close() }
}

// stop ends the host, as its process would: connections first.
func (h *holder) stop() {
	h.t.Helper()
	for _, end := range h.ends {
		end()
	}
	h.ends = nil
	must(h.t, h.Host.Close())
}

// close ends host and clients.
func (h *holder) close() {
	h.t.Helper()
	h.stop()
	for _, c := range h.clients {
		_ = c.Close()
	}
}

// replace has another host take over.
func (h *holder) replace(cfg session.Config) {
	h.t.Helper()
	h.stop()
	h.Host = holds(h.t, cfg).Host
}

// asked is a run that is asked for over the wire, in this process.
func asked(ctx context.Context, c *dial.Conn, d dial.Config, cfg agent.RunConfig, around func(agent.Session) agent.Session) (agent.Outcome, error) {
	run, joined, err := c.Open(ctx, d)
	if err != nil || joined {
		return agent.Outcome{}, errors.Join(err, errors.New("no run was begun"))
	}
	ctx, stop := run.Until(ctx)
	defer stop()
	var on agent.Session = agent.Asker{Remote: run, Settings: run.Settings()}
	if around != nil {
		on = around(on)
	}
	cfg.Session, cfg.Inbox = on, run
	out, last, err := agent.Follow(ctx, cfg, run.Tell)
	_, fault := run.End(last, err)
	return out, errors.Join(err, fault)
}
