package setup

import (
	"context"
	"errors"
	"net"
	"os"

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
}

// Attach says who the client is.
func (c Client) Attach(p Place) lsp.Attach {
	return lsp.Attach{Kind: c.Kind, Inside: os.Getenv(settings.InsideVariable), Mask: p.Settings().Secrets(os.Getenv)}
}

// Stay connects to the host of a workspace, which is started where there is none, by a client that stays. done ends the
// connection, with the host if that is in this process.
func (c Client) Stay(ctx context.Context, p Place) (conn net.Conn, done func() error, err error) {
	if Alone() {
		return c.alone(ctx, p)
	}
	w := dial.Workspace{Home: p.Home, Path: p.Workspace, Start: func(ctx context.Context) error {
		return startHost(ctx, p)
	}}
	if conn, err = w.Dial(ctx); err != nil {
		return nil, nil, err
	}
	return conn, conn.Close, nil
}

// AtHost connects to the host of a workspace where another process is that, and can be reached; nil where none is.
func (c Client) AtHost(ctx context.Context, p Place) (*dial.Conn, error) {
	if held, is := memory.HostOf(p.Home, p.Workspace); Alone() || !is || held.Address == "" {
		return nil, nil //nolint:nilnil // that is the answer
	}
	conn, err := dial.Workspace{Home: p.Home, Path: p.Workspace}.Dial(ctx)
	if errors.Is(err, dial.ErrNoHost) { // it has just ended
		return nil, nil //nolint:nilnil // that is the answer
	}
	if err != nil {
		return nil, err
	}
	return dial.Attach(ctx, conn, c.Attach(p))
}

func (c Client) alone(ctx context.Context, p Place) (net.Conn, func() error, error) {
	h, err := OpenHosted(ctx, p, c.Sources, c.Log, memory.Hosting{Command: c.Command, Build: c.Build}, c.Words)
	if err != nil {
		return nil, nil, err
	}
	conn := h.Pipe()
	return conn, func() error { return errors.Join(conn.Close(), h.Close()) }, nil
}

// startHost starts a process as the host of a workspace.
func startHost(ctx context.Context, p Place) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return dial.Spawn(ctx, self, "host", "--workspace", p.Workspace)
}
