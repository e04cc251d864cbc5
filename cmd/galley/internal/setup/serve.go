package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"slices"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/lsp/dial"
	"github.com/galley-ls/galley/memory"
)

// Serve carries what an editor says to the host of its workspace, and works on the runs that it asks for. It
// closes the connection to the editor.
func (c Client) Serve(ctx context.Context, editor io.ReadWriteCloser, p Place) error {
	defer editor.Close()
	ctx, stop := context.WithCancel(ctx)
	asker := NewAsker(p, c.Sources, c.Log, c.Words)
	var done []io.Closer
	var place Place
	pump := &dial.Pump{
		Settings: asker.Hears,
		Dial: func(ctx context.Context, initialize json.RawMessage) (net.Conn, error) {
			place = asker.Knows(lsp.ClientOf(initialize))
			conn, err := c.Stay(ctx, place)
			if err != nil {
				return nil, fmt.Errorf("open the workspace %s: %w", place.Workspace, err)
			}
			done = append(done, conn)
			return conn, dial.Announce(conn, c.Attach(place))
		},
		Asker: func(conn io.ReadWriteCloser) dial.Ask {
			over := dial.Over(conn)
			done = append(done, over)
			return asker.Over(over)
		},
	}
	asker.tell = pump.Tell
	pump.Begun = func() {
		asker.goes.Go(asker.look)
		watchSettings(ctx, &asker.goes, c.Log, c.Sources.Config, place.Workspace, asker.look)
	}
	err := pump.Run(ctx, editor)
	stop()
	for _, end := range slices.Backward(done) {
		if fault := end.Close(); fault != nil {
			c.Log.Info("the connection to the host ended", zap.Error(fault))
		}
	}
	asker.Wait()
	return err
}

// window gives a session the name and the window of its model.
func window(cfg *session.Config, m model.Model) {
	if cfg.Model = m.Name(); cfg.Window == 0 {
		cfg.Window = WindowOf(m)
	}
	if cfg.Summarize == nil {
		cfg.Summarize = agent.Summarizer(m)
	}
}

// trusts reports whether the editor's user has said that this workspace may set everything.
func trusts(options any) bool {
	said, _ := options.(map[string]any)
	yes, _ := said["trusted"].(bool)
	return yes
}

// withoutTrust are the options that are settings.
func withoutTrust(options any) any {
	said, ok := options.(map[string]any)
	if !ok {
		return options
	}
	out := map[string]any{}
	for name, v := range said {
		if _, isFlag := v.(bool); name != "trusted" || !isFlag {
			out[name] = v
		}
	}
	return out
}

// brokenModel stands for one that the settings do not allow to be made.
type brokenModel struct{ why error }

// Name implements model.Model.
func (brokenModel) Name() string { return "none" }

// Stream implements model.Model.
func (m brokenModel) Stream(context.Context, memory.Request, func(model.Delta)) (model.Reply, error) {
	return model.Reply{}, m.why
}
