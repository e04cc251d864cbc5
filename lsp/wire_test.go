package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/galley-ls/galley/editing"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// message is anything on the wire.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *wireError      `json:"error,omitempty"`
}

type wireError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// wire is the client's end of a connection.
type wire struct {
	t    testing.TB
	conn net.Conn
	host *fakeHost
	done chan error

	mu     sync.Mutex // guards the rest
	next   int
	got    []message // notifications and requests of the server, in order
	answer map[string]message
	wake   chan struct{}
	// replies answer the server's requests; without one they get null.
	replies map[string]func(json.RawMessage) any
	closed  bool
}

type dialOptions struct {
	caps     string // capabilities, JSON
	name     string // of the client
	version  string
	options  string // initializationOptions, JSON
	cfg      Config
	host     *fakeHost
	noHello  bool
	patience time.Duration
}

// dial starts a server and, unless told otherwise, initializes it.
func dial(t testing.TB, o dialOptions) *wire {
	t.Helper()
	if o.host == nil {
		o.host = newFakeHost()
	}
	mine, its := net.Pipe()
	w := &wire{
		t: t, conn: mine, host: o.host, done: make(chan error, 1), answer: map[string]message{},
		wake: make(chan struct{}), replies: map[string]func(json.RawMessage) any{},
	}
	o.cfg.Host, o.cfg.Version = o.host, "test"
	if o.cfg.Configure == nil {
		o.cfg.Configure = readUI
	}
	if o.patience > 0 {
		o.cfg.Patience = o.patience
	}
	go func() { w.done <- Serve(context.Background(), its, o.cfg) }()
	go w.read()
	t.Cleanup(w.close)
	if o.noHello {
		return w
	}
	w.hello(o)
	return w
}

func (w *wire) hello(o dialOptions) message {
	w.t.Helper()
	if o.caps == "" {
		o.caps = `{}`
	}
	if o.options == "" {
		o.options = `null`
	}
	m := w.call("initialize", fmt.Sprintf(`{"processId":null,"rootUri":null,"clientInfo":{"name":%q,"version":%q},"capabilities":%s,"initializationOptions":%s}`,
		o.name, o.version, o.caps, o.options))
	w.notify("initialized", `{}`)
	return m
}

// generous is how long a wait of these tests lasts before it fails: nothing should ever need it.
const generous = 30 * time.Second

func (w *wire) close() {
	_ = w.conn.Close()
	select {
	case <-w.done:
	case <-time.After(generous):
		w.t.Error("the server did not end")
	}
}

func (w *wire) read() {
	in := bufio.NewReader(w.conn)
	for {
		n := 0
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				w.mu.Lock()
				w.closed = true
				close(w.wake)
				w.wake = make(chan struct{})
				w.mu.Unlock()
				return
			}
			line = strings.TrimSpace(line)
			if line == "" {
				break
			}
			if v, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				n, _ = strconv.Atoi(v)
			}
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			w.t.Errorf("the server sent %q: %v", body, err)
		}
		w.take(m)
	}
}

func (w *wire) take(m message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case m.Method == "":
		w.answer[string(m.ID)] = m
	default:
		w.got = append(w.got, m)
		if m.ID != nil {
			f := w.replies[m.Method]
			go w.reply(m, f)
		}
	}
	close(w.wake)
	w.wake = make(chan struct{})
}

// on sets how the server's requests of a method are answered: a nil answer is
// none at all.
func (w *wire) on(method string, f func(json.RawMessage) any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.replies[method] = f
}

func (w *wire) reply(m message, f func(json.RawMessage) any) {
	var v any
	if f != nil {
		if v = f(m.Params); v == nil {
			return // no answer at all
		}
	}
	if e, ok := v.(error); ok {
		w.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":%q}}`, m.ID, e.Error()))
		return
	}
	b, _ := json.Marshal(v)
	w.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, b))
}

func (w *wire) raw(body string) {
	_, err := fmt.Fprintf(w.conn, "Content-Length: %d\r\n\r\n%s", len(body), body)
	if err != nil && !errors.Is(err, io.ErrClosedPipe) {
		w.t.Logf("write: %v", err)
	}
}

func (w *wire) notify(method, params string) {
	w.raw(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// send sends a request and answers its id.
func (w *wire) send(method, params string) string {
	w.mu.Lock()
	w.next++
	id := strconv.Itoa(w.next)
	w.mu.Unlock()
	w.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	return id
}

func (w *wire) call(method, params string) message {
	w.t.Helper()
	return w.reply2(w.send(method, params))
}

func (w *wire) reply2(id string) message {
	w.t.Helper()
	var m message
	w.await("the answer to "+id, func() bool {
		var ok bool
		m, ok = w.answer[id]
		return ok
	})
	return m
}

// command runs a command.
func (w *wire) command(name, argument string) message {
	w.t.Helper()
	return w.call("workspace/executeCommand", fmt.Sprintf(`{"command":%q,"arguments":[%s]}`, name, argument))
}

// await waits until cond, called under the lock, holds.
func (w *wire) await(what string, cond func() bool) {
	w.t.Helper()
	limit := time.After(generous)
	for {
		w.mu.Lock()
		ok, wake, closed := cond(), w.wake, w.closed
		w.mu.Unlock()
		if ok {
			return
		}
		if closed {
			w.t.Fatalf("the connection ended while waiting for %s", what)
		}
		select {
		case <-wake:
		case <-limit:
			w.t.Fatalf("waited too long for %s; the wire says:\n%s", what, w.dump())
		}
	}
}

// awaitNoted waits until the host has noted a call. That wakes nobody, so the server is asked again and again.
func (w *wire) awaitNoted(call string) {
	w.t.Helper()
	for limit := time.Now().Add(generous); !slices.Contains(w.host.noted(), call); w.sync() {
		if time.Now().After(limit) {
			w.t.Fatalf("waited too long for %q; the host noted %q", call, w.host.noted())
		}
	}
}

func (w *wire) dump() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var b bytes.Buffer
	for _, m := range w.got {
		fmt.Fprintf(&b, "%s %s\n", m.Method, m.Params)
	}
	return b.String()
}

// awaitMessage waits for a message of the server that cond accepts.
func (w *wire) awaitMessage(method string, cond func(json.RawMessage) bool) json.RawMessage {
	w.t.Helper()
	var found json.RawMessage
	w.await(method, func() bool {
		for _, m := range w.got {
			if m.Method == method && cond(m.Params) {
				found = m.Params
				return true
			}
		}
		return false
	})
	return found
}

// forget drops what was received so far.
func (w *wire) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.got = nil
}

func (w *wire) count(method string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, m := range w.got {
		if m.Method == method {
			n++
		}
	}
	return n
}

// awaitState waits for a snapshot that cond accepts.
func (w *wire) awaitState(what string, cond func(*editing.Snapshot) bool) *editing.Snapshot {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), generous)
	defer cancel()
	seq := int64(-1)
	for {
		snap, err := w.host.ws.Wait(ctx, seq)
		if cond(snap) {
			return snap
		}
		if err != nil {
			w.t.Fatalf("waited too long for %s; the wire says:\n%s", what, w.dump())
		}
		seq = snap.Seq
	}
}

func has(part string) func(json.RawMessage) bool {
	return func(p json.RawMessage) bool { return strings.Contains(string(p), part) }
}

func (w *wire) open(name, content string, version int) {
	b, _ := json.Marshal(content)
	w.notify("textDocument/didOpen", fmt.Sprintf(
		`{"textDocument":{"uri":"file:///ws/%s","languageId":"x","version":%d,"text":%s}}`, name, version, b))
}

// change sends one change; r is "" for the whole document.
func (w *wire) change(name string, version int, r, content string) {
	b, _ := json.Marshal(content)
	if r != "" {
		r = `"range":` + r + `,`
	}
	w.notify("textDocument/didChange", fmt.Sprintf(
		`{"textDocument":{"uri":"file:///ws/%s","version":%d},"contentChanges":[{%s"text":%s}]}`, name, version, r, b))
}

func at(l1, c1, l2, c2 int) string {
	return fmt.Sprintf(`{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}`, l1, c1, l2, c2)
}

// sync makes sure that everything sent before has been handled.
func (w *wire) sync() {
	w.t.Helper()
	w.command(cmdChanges, `{}`)
}

// base is the server's text of a document.
func (w *wire) base(name string) string {
	w.t.Helper()
	w.sync()
	d, ok := w.host.ws.Snapshot().Document(w.host.path(name))
	if !ok {
		return "<unknown>"
	}
	return d.Base.String()
}
