package setup

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/lsp/dial"
	"github.com/galley-ls/galley/memory"
)

// Alone reports whether no other process is to be the host.
func Alone() bool { return os.Getenv(settings.HostVariable) == "off" }

// Client is what a client needs to come to the host of a workspace.
type Client struct {
	Kind    string // editor, terminal, ...
	Command string // as people type it
	Build   string
	Sources settings.Sources
	Log     *zap.Logger
	Words   agent.Words
	Warn    func(string) // takes what a person at a terminal should know; may be nil
}

// Attach says who the client is.
func (c Client) Attach(p Place) lsp.Attach {
	return lsp.Attach{Build: c.Build, PID: os.Getpid(), Kind: c.Kind, Inside: os.Getenv(settings.InsideVariable), Mask: p.Settings().Secrets(os.Getenv)}
}

// Stay connects to the host of a workspace, which is started where there is none, by a client that stays.
func (c Client) Stay(ctx context.Context, p Place) (net.Conn, error) {
	if Alone() {
		return c.alone(ctx, p)
	}
	return dial.Workspace{Home: p.Home, Path: p.Workspace, Start: func(ctx context.Context) error { return startHost(ctx, p) }, Slow: c.Warn}.Dial(ctx)
}

// Come connects to the host of a workspace for a moment: where there is none, it is in this process, and serves nobody else.
func (c Client) Come(ctx context.Context, p Place) (net.Conn, error) {
	there := dial.Workspace{Home: p.Home, Path: p.Workspace}
	if held, is := memory.HostOf(p.Home, p.Workspace); is && held.Address != "" && !Alone() {
		if conn, err := there.Dial(ctx); !errors.Is(err, dial.ErrNoHost) {
			return conn, err
		}
	}
	conn, err := c.alone(ctx, p)
	var held *memory.HostedError
	if errors.As(err, &held) && held.Address != "" && !Alone() { // it came first
		return there.Dial(ctx)
	}
	return conn, err
}

// Terminal introduces a command at a terminal to the host that it has come to.
func (c Client) Terminal(ctx context.Context, p Place, come func(context.Context, Place) (net.Conn, error)) (*dial.Conn, error) {
	conn, err := come(ctx, p)
	if err != nil {
		return nil, err
	}
	return dial.Attach(ctx, conn, c.Attach(p), c.Warn)
}

// within is a connection to a host in this process, which ends with it.
type within struct {
	net.Conn
	close func() error
}

// Close implements net.Conn.
func (w within) Close() error { return w.close() }

func (c Client) alone(ctx context.Context, p Place) (net.Conn, error) {
	if c.Kind == memory.ClientTerminal {
		p.Patience = -1 // no editor comes to this host with a text that it has not saved
	}
	h, err := OpenHosted(context.WithoutCancel(ctx), p, c.Sources, c.Log, memory.Hosting{Command: c.Command, Build: c.Build}, c.Words)
	if err != nil {
		return nil, err
	}
	conn := h.Pipe()
	return within{conn, sync.OnceValue(func() error {
		err := errors.Join(conn.Close(), h.Close())
		for _, said := range h.Unsaid() { // git may have been at work until now
			c.Log.Warn(said)
			if c.Warn != nil {
				c.Warn(said)
			}
		}
		return err
	})}, nil
}

// startHost starts a process as the host of a workspace.
func startHost(ctx context.Context, p Place) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return dial.Spawn(ctx, self, "host", "--workspace", p.Workspace)
}
