package dial

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/lsp"
)

const patience = 20 * time.Second

// pumped is an editor and a host with a pump between them.
type pumped struct {
	t            *testing.T
	editor, host net.Conn
	fromHost     *bufio.Reader // as the editor reads it
	fromEditor   *bufio.Reader
	initialize   json.RawMessage // as Dial was told
	settings     chan string
	ended        chan error
}

func newPumped(t *testing.T, dial error) *pumped { return newPumpedWith(t, dial, nil) }

func newPumpedWith(t *testing.T, dial error, ask func(in *bufio.Reader, out io.Writer) Ask) *pumped {
	t.Helper()
	editor, outer := net.Pipe()
	host, inner := net.Pipe()
	x := &pumped{t: t, editor: editor, host: host, fromHost: bufio.NewReader(editor), fromEditor: bufio.NewReader(host), settings: make(chan string, 9), ended: make(chan error, 1)}
	for _, c := range []net.Conn{editor, host, outer, inner} {
		if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
	}
	p := &Pump{Dial: func(_ context.Context, params json.RawMessage) (net.Conn, error) {
		x.initialize = params
		return inner, dial
	}, Settings: func(sent json.RawMessage) { x.settings <- string(sent) }}
	if ask != nil {
		p.Asker = func(c io.ReadWriteCloser) Ask { return ask(bufio.NewReader(c), c) }
	}
	go func() { x.ended <- p.Run(t.Context(), outer) }()
	return x
}

func framedText(body string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

func (x *pumped) write(c net.Conn, raw string) {
	x.t.Helper()
	if _, err := c.Write([]byte(raw)); err != nil {
		x.t.Fatal(err)
	}
}

func (x *pumped) read(r *bufio.Reader) string {
	x.t.Helper()
	f, err := readFrame(r)
	if err != nil {
		x.t.Fatal(err)
	}
	return string(f.raw())
}

func (x *pumped) end() error {
	x.t.Helper()
	select {
	case err := <-x.ended:
		return err
	case <-time.After(patience):
		x.t.Fatal("the pump does not end")
		return nil
	}
}

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///w"}}`
	shutdown   = `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`
	exit       = `{"jsonrpc":"2.0","method":"exit"}`
)

// Bytes pass as they are, also those that are no message, and what came before initialize.
func TestPumpPasses(t *testing.T) {
	x := newPumped(t, nil)
	there := []string{framedText(`{"jsonrpc":"2.0","method":"early"}`), "Content-Length: none\r\n\r\n", framedText(initialize), framedText("no JSON"), framedText(strings.Repeat("x", 2<<20))}
	go func() {
		for _, raw := range there {
			_, _ = x.editor.Write([]byte(raw))
		}
	}()
	for _, want := range there {
		if got := x.read(x.fromEditor); got != want {
			t.Fatalf("the host reads %.80q, want %.80q", got, want)
		}
	}
	if string(x.initialize) != `{"rootUri":"file:///w"}` {
		t.Errorf("dialed with %s", x.initialize)
	}
	back := framedText(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	go func() { _, _ = x.host.Write([]byte(back)) }()
	if got := x.read(x.fromHost); got != back {
		t.Errorf("the editor reads %q", got)
	}
	go func() {
		_, _ = x.editor.Write([]byte(framedText(shutdown) + framedText(exit)))
	}()
	if got := x.read(x.fromEditor) + x.read(x.fromEditor); got != framedText(shutdown)+framedText(exit) {
		t.Errorf("the host reads %q", got)
	}
	_ = x.host.Close()
	if err := x.end(); err != nil {
		t.Errorf("after a shutdown: %v", err)
	}
}

func TestPumpEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		dial error
		do   func(x *pumped)
		want error
		says string // to the editor
	}{
		{"the editor goes before it has said anything", nil, func(x *pumped) { _ = x.editor.Close() }, lsp.ErrNoShutdown, ""},
		{"the editor goes without a shutdown", nil, func(x *pumped) {
			x.write(x.editor, framedText(initialize))
			_ = x.editor.Close()
			_, _ = readFrame(x.fromEditor)
			_ = x.host.Close()
		}, lsp.ErrNoShutdown, ""},
		{"there is no host", ErrNoHost, func(x *pumped) {
			x.write(x.editor, framedText(initialize))
		}, ErrNoHost, `"error":{"code":-32803,"message":"no host"},"id":1`},
		{"the host goes", nil, func(x *pumped) {
			x.write(x.editor, framedText(initialize))
			x.read(x.fromEditor)
			_ = x.host.Close()
		}, ErrHostGone, "restart the language server"},
		{"the host goes while the editor speaks", nil, func(x *pumped) {
			x.write(x.editor, framedText(initialize))
			x.read(x.fromEditor)
			_ = x.host.Close()
			x.write(x.editor, framedText(`{"jsonrpc":"2.0","method":"x"}`))
		}, ErrHostGone, "restart the language server"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newPumped(t, c.dial)
			heard := make(chan string, 1)
			if c.says != "" {
				go func() {
					f, _ := readFrame(x.fromHost)
					heard <- string(f.body)
				}()
			}
			go c.do(x)
			if err := x.end(); !errors.Is(err, c.want) {
				t.Errorf("it ends with %v, want %v", err, c.want)
			}
			if c.says != "" {
				if got := <-heard; !strings.Contains(got, c.says) {
					t.Errorf("the editor hears %s", got)
				}
			}
		})
	}
}

// What an editor says of its settings is heard on the way, whichever way it says it.
func TestPumpHearsSettings(t *testing.T) {
	x := newPumped(t, nil)
	pass := func(from net.Conn, to *bufio.Reader, body string) {
		t.Helper()
		go func() { _, _ = from.Write([]byte(framedText(body))) }()
		if got := x.read(to); got != framedText(body) {
			t.Fatalf("%s came as %s", body, got)
		}
	}
	pass(x.editor, x.fromEditor, initialize)
	pass(x.editor, x.fromEditor, `{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"a":1}}}`)
	pass(x.host, x.fromHost, `{"jsonrpc":"2.0","id":7,"method":"workspace/configuration","params":{"items":[{"section":"galley"}]}}`)
	pass(x.editor, x.fromEditor, `{"jsonrpc":"2.0","id":6,"result":[{"a":3}]}`) // of another question
	pass(x.editor, x.fromEditor, `{"jsonrpc":"2.0","id":7,"result":[{"a":2}]}`)
	pass(x.editor, x.fromEditor, `{"jsonrpc":"2.0","id":7,"result":[{"a":4}]}`)
	pass(x.editor, x.fromEditor, shutdown)
	if got := <-x.settings + <-x.settings; got != `{"a":1}{"a":2}` || len(x.settings) > 0 {
		t.Errorf("heard %s, and %d more", got, len(x.settings))
	}
	_ = x.editor.Close()
	_ = x.host.Close()
	if err := x.end(); err != nil {
		t.Error(err)
	}
}

// An editor that does not read costs the host nothing, and finds the newest of each state.
func TestPumpOfASlowEditor(t *testing.T) {
	x := newPumped(t, nil)
	go func() { _, _ = x.editor.Write([]byte(framedText(initialize))) }()
	x.read(x.fromEditor)
	const rounds = 1000
	state := func(uri string, n int) string {
		return framedText(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":%q,"diagnostics":[],"n":%d}}`, uri, n))
	}
	for i := range rounds {
		x.write(x.host, state("file:///a", i))
		x.write(x.host, state("file:///b", i))
		if i%100 == 0 {
			x.write(x.host, framedText(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"window/showMessageRequest","params":{}}`, i)))
		}
	}
	x.write(x.host, framedText(`{"jsonrpc":"2.0","method":"last"}`))
	last, requests, all := map[string]string{}, 0, 0
	for {
		f := x.read(x.fromHost)
		if all++; strings.Contains(f, `"last"`) {
			break
		}
		if strings.Contains(f, "showMessageRequest") {
			requests++
		}
		for _, uri := range []string{"file:///a", "file:///b"} {
			if strings.Contains(f, uri) {
				last[uri] = f
			}
		}
	}
	if requests != rounds/100 || last["file:///a"] != state("file:///a", rounds-1) || last["file:///b"] != state("file:///b", rounds-1) {
		t.Errorf("%d requests, last %q", requests, last)
	}
	if all > 4*manyWait {
		t.Errorf("%d messages were kept for the editor", all)
	}
	_ = x.editor.Close()
	_, _ = readFrame(x.fromEditor)
	_ = x.host.Close()
	if err := x.end(); !errors.Is(err, lsp.ErrNoShutdown) {
		t.Error(err)
	}
}

// The runs of an editor speak on its connection, behind all that it said before. What they and the host say to each
// other the editor does not see, but how a run stands.
func TestPumpCarriesRuns(t *testing.T) {
	type said struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Result string          `json:"result"`
	}
	heard := make(chan said, 9)
	x := newPumpedWith(t, nil, func(in *bufio.Reader, out io.Writer) Ask {
		go func() {
			for {
				f, err := readFrame(in)
				if err != nil {
					close(heard)
					return
				}
				var m said
				_ = json.Unmarshal(f.body, &m)
				heard <- m
			}
		}()
		return func(_ context.Context, argument json.RawMessage) (any, error) {
			_, _ = io.WriteString(out, framedText(`{"jsonrpc":"2.0","id":1,"method":"galley/run/open","params":`+string(argument)+`}`))
			m := <-heard
			if m.Result == "" {
				return nil, errors.New("no run")
			}
			return map[string]string{"run": m.Result}, nil
		}
	})
	go func() { _, _ = x.editor.Write([]byte(framedText(initialize))) }()
	x.read(x.fromEditor)
	const change = `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{}}`
	ask := func(id int) string {
		return framedText(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"workspace/executeCommand","params":{"command":"galley.ask","arguments":[{"prompt":"x"}]}}`, id))
	}
	go func() { _, _ = x.editor.Write([]byte(framedText(change) + ask(5))) }()
	if got := x.read(x.fromEditor); got != framedText(change) {
		t.Fatalf("the host reads %s first", got)
	}
	opens := x.read(x.fromEditor)
	if !strings.Contains(opens, `"id":"galley-run-1"`) || !strings.Contains(opens, `{"prompt":"x"}`) {
		t.Errorf("the host is asked %s", opens)
	}
	go func() {
		for _, m := range []string{
			`{"jsonrpc":"2.0","method":"galley/run","params":{"run":"r1","state":"thinking"}}`,
			`{"jsonrpc":"2.0","id":"galley-run-1","result":"r1"}`,
			`{"jsonrpc":"2.0","method":"galley/run/cancel","params":{"run":"r1"}}`,
			`{"jsonrpc":"2.0","id":9,"method":"galley/run/summarize","params":{}}`,
			`{"jsonrpc":"2.0","id":1,"result":"the editor's"}`,
		} {
			_, _ = x.host.Write([]byte(framedText(m)))
		}
	}()
	var editor []string
	for range 3 {
		f, err := readFrame(x.fromHost)
		if err != nil {
			t.Fatal(err)
		}
		editor = append(editor, string(f.body))
	}
	all := strings.Join(editor, " ")
	for _, want := range []string{`"state":"thinking"`, `"result":{"run":"r1"}`, `"the editor's"`} {
		if !strings.Contains(all, want) {
			t.Errorf("the editor does not read %s but %s", want, all)
		}
	}
	if a, b := <-heard, <-heard; a.Method != "galley/run/cancel" || b.Method != "galley/run/summarize" || string(b.ID) != "9" {
		t.Errorf("the runs hear %+v and %+v", a, b)
	}
	_ = x.host.Close()
	for range heard { // until its connection ends with the host
		t.Error("the runs hear more")
	}
	if f, err := readFrame(x.fromHost); err != nil || !strings.Contains(string(f.body), "is gone") {
		t.Errorf("the editor hears %s %v", f.body, err)
	}
	if err := x.end(); !errors.Is(err, ErrHostGone) {
		t.Error(err)
	}
}
