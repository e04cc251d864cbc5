package setup

import (
	"context"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/memory"
)

// Host makes the process the host of the workspace, for a command that asks no model. Where another one is the host, the
// error says which.
func (p Place) Host(ctx context.Context, command string, warn func(format string, args ...any)) (*host.Host, error) {
	return host.Open(ctx, host.Config{Session: p.Config(), Hosting: memory.Hosting{Command: command}, Warn: warn})
}
