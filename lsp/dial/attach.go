package dial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/memory"
)

// Workspace is where a host is looked for.
type Workspace struct {
	Home string // of all sessions
	Path string // the folder
	// Start starts a host, and returns when it can be reached, or when it has ended: by
	// its error, or because another process was quicker. nil: none is started.
	Start func(ctx context.Context) error
}

const (
	// attachPatience is how long a host is tried to be reached.
	attachPatience = 3 * time.Second
	attachRetry    = 10 * time.Millisecond
)

// ErrNoHost says that a workspace has no host, and none was to be started.
var ErrNoHost = errors.New("no host")

// Dial connects to the host of a workspace, which is started where there is none. It
// returns within 3 s; a process that has the workspace and does not answer is a
// *memory.HostedError.
func (w Workspace) Dial(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, attachPatience)
	defer cancel()
	for {
		held, is := memory.HostOf(w.Home, w.Path)
		switch {
		case is && held.Address != "" && held.Protocol != lsp.Protocol:
			return nil, fmt.Errorf("%w, which speaks protocol %d, and this galley %d; galley host stop --force ends it, with the runs that go on there",
				&memory.HostedError{Workspace: w.Path, Hosting: held}, held.Protocol, lsp.Protocol)
		case is && held.Address != "":
			c, err := connect(held.Address)
			if err == nil || errors.Is(err, errForeign) {
				return c, err
			}
		case !is && w.Start == nil:
			return nil, ErrNoHost
		case !is:
			if err := w.Start(ctx); err != nil {
				return nil, fmt.Errorf("start the host of %s: %w", w.Path, err)
			}
			continue
		}
		select { // it is starting, or there for a moment
		case <-time.After(attachRetry):
		case <-ctx.Done():
			return nil, &memory.HostedError{Workspace: w.Path, Hosting: held}
		}
	}
}
