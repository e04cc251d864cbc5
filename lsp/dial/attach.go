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
	Slow  func(why string) // is told, before Dial returns, what takes long; may be nil
}

// HostCommand is what hosts call themselves that are there for others.
const HostCommand = "galley host"

const (
	// attachPatience is how long a process is tried that has the workspace.
	attachPatience = 3 * time.Second
	// startPatience is how long a host is awaited that starts: on a slow disk it reads long.
	startPatience = 30 * time.Second
	attachRetry   = 10 * time.Millisecond
	slow          = 2 * time.Second
)

// patienceWith is how long the holder of a workspace is tried.
func patienceWith(held memory.Hosting) time.Duration {
	if held.Command == HostCommand && held.Address == "" {
		return startPatience
	}
	return attachPatience
}

// ErrNoHost says that a workspace has no host, and none was to be started.
var ErrNoHost = errors.New("no host")

// Dial connects to the host of a workspace, which is started where there is none. It
// returns within 30 s, and within 3 if one process has the workspace and does not
// answer, which is a *memory.HostedError.
func (w Workspace) Dial(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	if w.Slow != nil {
		told := make(chan struct{})
		t := time.AfterFunc(slow, func() {
			defer close(told)
			w.Slow(fmt.Sprintf("the host of %s has not answered yet; it is awaited, %v at most", w.Path, startPatience))
		})
		defer func() {
			if !t.Stop() {
				<-told
			}
		}()
	}
	var began time.Time
	for epoch := int64(-1); ; {
		held, is := memory.HostOf(w.Home, w.Path)
		if held.Epoch != epoch { // another process, which may be there for a moment, too
			began, epoch = time.Now(), held.Epoch
		}
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
		}
		if ctx.Err() != nil || time.Since(began) > patienceWith(held) {
			return nil, &memory.HostedError{Workspace: w.Path, Hosting: held}
		}
	}
}
