package dial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"

	"go.lsp.dev/jsonrpc2"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/memory"
)

// Conn is a connection to a host.
type Conn struct {
	conn jsonrpc2.Conn
	to   io.ReadWriteCloser
	warn func(string) // takes what the host has to say to a person; may be nil

	follow sync.Once     // the table
	moved  chan struct{} // holds a token when letters may have moved

	mu   sync.Mutex // guards runs
	runs map[string]*Run
}

// Attach introduces a client, which opens no documents, to the host at the other end of a connection. What the host has to
// say to a person goes to warn, which may be nil.
func Attach(ctx context.Context, to io.ReadWriteCloser, who lsp.Attach, warn func(string)) (*Conn, error) {
	who.Protocol = lsp.Protocol
	c := &Conn{to: to, runs: map[string]*Run{}, warn: warn}
	c.start()
	hello := map[string]any{
		"clientInfo":   map[string]string{"name": who.Kind},
		"capabilities": map[string]any{"experimental": map[string]any{"galley": map[string]bool{"draws": true}}},
	}
	err := c.call(ctx, lsp.MethodAttach, who, nil)
	if err == nil {
		err = c.call(ctx, "initialize", hello, nil)
	}
	if err == nil {
		err = c.notify("initialized", struct{}{})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("attach to the host of the workspace: %w", err), c.Close())
	}
	return c, nil
}

// Over speaks on a connection that somebody else has introduced: that of an editor, for its runs.
func Over(to io.ReadWriteCloser) *Conn {
	c := &Conn{to: to, runs: map[string]*Run{}}
	c.start()
	return c
}

// Announce says who is at this end of a connection, before an editor introduces itself on it.
func Announce(to io.ReadWriter, who lsp.Attach) error {
	who.Protocol = lsp.Protocol
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": "galley-attach", "method": lsp.MethodAttach, "params": who})
	if err != nil {
		return err
	}
	if _, err := to.Write(framed(body).raw()); err != nil {
		return errGone
	}
	f, err := readFrame(newReader(to)) // nothing comes behind it
	if err != nil {
		return errGone
	}
	var answer struct {
		Error *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal(f.body, &answer); err != nil {
		return fmt.Errorf("read the answer of %s: %w", lsp.MethodAttach, err)
	}
	if answer.Error != nil {
		return errors.New(answer.Error.Message)
	}
	return nil
}

func (c *Conn) start() {
	c.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(c.to))
	c.conn.Go(context.Background(), c.handle)
}

// Close ends the connection, and the runs that it opened.
func (c *Conn) Close() error {
	err := c.to.Close()
	if errors.Is(err, net.ErrClosed) { // by the other end
		err = nil
	}
	c.mu.Lock()
	for _, r := range c.runs {
		r.cancel()
	}
	c.mu.Unlock()
	<-c.conn.Done()
	return err
}

// open opens a run.
func (c *Conn) open(ctx context.Context, ask any, cfg Config, goesOn bool) (at lsp.RunOpened, err error) {
	open := lsp.RunOpen{Terms: host.Terms{
		Deny: cfg.Deny, AllowRead: cfg.AllowRead, GoesOn: goesOn,
		Stands: cfg.Stands, Summarizes: cfg.Summarize != nil, Decides: cfg.Decisions != nil, Reviews: cfg.Review != nil,
	}}
	if open.Ask, err = memory.Marshal(ask); err != nil {
		return at, err
	}
	if open.Settings, err = memory.Marshal(cfg.Config); err != nil {
		return at, err
	}
	return at, c.call(ctx, lsp.MethodRunOpen, open, &at)
}

// errGone is why nothing more comes of a run whose host is gone.
var errGone = errors.New("the process that holds the workspace is gone; what is staged stays staged, prompt again to go on")

// call makes a request. An error of the host's is in its words.
func (c *Conn) call(ctx context.Context, method string, params, result any) error {
	raw, err := memory.Marshal(params)
	if err != nil {
		return fmt.Errorf("encode %s: %w", method, err)
	}
	var answer json.RawMessage
	_, err = c.conn.Call(ctx, method, json.RawMessage(raw), &answer)
	var said *jsonrpc2.Error
	switch {
	case errors.As(err, &said):
		return errors.New(said.Message)
	case err != nil && ctx.Err() == nil:
		return errGone
	case err != nil || result == nil:
		return err
	}
	if err := json.Unmarshal(answer, result); err != nil {
		return fmt.Errorf("read the answer of %s: %w", method, err)
	}
	return nil
}

func (c *Conn) notify(method string, params any) error {
	raw, err := memory.Marshal(params)
	if err != nil {
		return fmt.Errorf("encode %s: %w", method, err)
	}
	return c.conn.Notify(context.Background(), method, json.RawMessage(raw))
}

// run is a run of the connection's. The host may speak of one before its opening is answered.
func (c *Conn) run(id string) *Run {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.runs[id]
	if r == nil {
		r = newRun(c, id)
		c.runs[id] = r
	}
	return r
}

// adopt takes over a run of another connection. Who called it off here has done so.
func (c *Conn) adopt(id string, r *Run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.runs[id]; known != nil && known.life.Err() != nil {
		r.cancel()
	}
	c.runs[id] = r
}

func (c *Conn) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.runs, id)
}

// handle hears what the host wants of this client. What it tells editors is not for it.
func (c *Conn) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	var p lsp.RunParams
	switch method := req.Method(); method {
	case lsp.MethodRunCancel:
		if err := json.Unmarshal(req.Params(), &p); err != nil {
			return nil, err
		}
		c.run(p.Run).cancel()
	case lsp.MethodRunSummarize, lsp.MethodRunDecisions, lsp.MethodReview:
		if err := json.Unmarshal(req.Params(), &p); err != nil {
			return nil, err
		}
		deed := map[string]func(*Run, context.Context, lsp.RunParams) lsp.RunResult{
			lsp.MethodRunSummarize: (*Run).summarize, lsp.MethodRunDecisions: (*Run).decide, lsp.MethodReview: (*Run).review,
		}[method]
		r := c.run(p.Run)
		jsonrpc2.Async(ctx)
		raw, err := memory.Marshal(deed(r, r.life, p))
		return json.RawMessage(raw), err
	case "window/showMessage":
		var said struct {
			Message string `json:"message"`
		}
		if err := json.Unmarshal(req.Params(), &said); err == nil && c.warn != nil {
			c.warn(said.Message)
		}
	default:
		if req.IsCall() {
			return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "this client has no %s", method)
		}
	}
	return nil, nil //nolint:nilnil // a notification has no answer
}
