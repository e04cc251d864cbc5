package dial

import (
	"context"
	"net"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// held is a host whose calls all break.
func held(t *testing.T) *host.Host {
	t.Helper()
	h, err := host.Open(context.Background(), host.Config{
		Session: session.Config{Home: t.TempDir(), Workspace: t.TempDir()},
		Call:    func(context.Context, *session.Session, memory.ToolCall) host.Answer { panic("it broke") },
		Warn:    t.Errorf,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// pipe serves a client, and answers its end of the connection.
func pipe(t *testing.T, h *host.Host) net.Conn {
	t.Helper()
	mine, its := net.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = lsp.Serve(context.Background(), its, lsp.Config{Host: h})
	}()
	t.Cleanup(func() {
		_ = mine.Close()
		<-served
	})
	return mine
}

func attached(t *testing.T, h *host.Host) *Conn {
	t.Helper()
	c, err := Attach(context.Background(), pipe(t, h), lsp.Attach{Kind: "terminal"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func opened(t *testing.T, c *Conn) *Run {
	t.Helper()
	r, joined, err := c.Open(context.Background(), Config{Ask: map[string]string{"prompt": "go"}})
	if err != nil || joined {
		t.Fatal(joined, err)
	}
	return r
}

// says tells whether an error holds some words.
func says(t *testing.T, what string, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("%s: %v, want %q", what, err, words)
	}
}

// Who means another's run, one that is over or none, is told so; and the connection lives on.
func TestWrongRequests(t *testing.T) {
	h := held(t)
	c, other := attached(t, h), attached(t, h)
	run := opened(t, c)
	says(t, "another client's run", other.run(run.id).Prompt("hear me"), "was opened here")
	says(t, "no run", c.run("run-99").Prompt("hear me"), "was opened here")
	for method, p := range map[string]any{
		lsp.MethodRunInbox:   lsp.RunParams{Run: run.id, Inbox: "all"},
		lsp.MethodRunCommand: lsp.RunParams{Run: run.id},
		lsp.MethodRunReply:   map[string]any{"run": run.id, "reply": 7},
		lsp.MethodRunEnd:     lsp.RunTold{Run: host.Run{ID: run.id, State: host.RunThinking}},
		lsp.MethodRunOpen:    map[string]any{"ask": map[string]string{"prompt": "go", "session": "none"}},
		lsp.MethodAttach:     lsp.Attach{Protocol: lsp.Protocol},
	} {
		if err := c.call(context.Background(), method, p, nil); err == nil || err == errGone {
			t.Errorf("%s with %+v: %v", method, p, err)
		}
	}
	_, err := run.CommandEnds(host.CommandRun{Began: 99})
	says(t, "a command that never began", err, "no such command")
	if err := run.Reply(memory.Message{ToolCalls: []memory.ToolCall{{ID: "c1", Name: "x"}}}, memory.Usage{}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // and the same again
		_, err = run.Call(context.Background(), memory.ToolCall{ID: "c1", Name: "x"})
		says(t, "a tool that breaks", err, "the tool x broke: it broke")
	}
	if _, err := run.End(func(r *host.Run) bool { r.State = host.RunDone; return false }, nil); err != nil {
		t.Fatal(err)
	}
	says(t, "a run that is over", run.Prompt("more"), "it is over")
}

// A host and a client of different protocols say so.
func TestAnotherProtocol(t *testing.T) {
	h := held(t)
	c := &Conn{to: pipe(t, h), runs: map[string]*Run{}}
	c.start()
	defer c.Close()
	err := c.call(context.Background(), lsp.MethodAttach, lsp.Attach{Protocol: lsp.Protocol + 1}, nil)
	says(t, "another protocol", err, "speaks protocol 1 of galley, and the client 2")
}

// Settings that cannot be read open no run, and harm no other.
func TestUnreadableSettings(t *testing.T) {
	h := held(t)
	c := attached(t, h)
	err := c.call(context.Background(), lsp.MethodRunOpen, map[string]any{"ask": map[string]string{"prompt": "go"}, "settings": map[string]any{"Window": "wide"}}, nil)
	says(t, "settings", err, "the settings of the run cannot be read")
	run := opened(t, c)
	if err := run.Prompt("go"); err != nil {
		t.Error(err)
	}
}

// A window that a run has learnt is the session's when the run is over, whoever comes then.
func TestALearntWindowStays(t *testing.T) {
	h := held(t)
	run := opened(t, attached(t, h))
	if err := run.Prompt("go"); err != nil {
		t.Fatal(err)
	}
	run.Window(9000)
	if _, _, err := run.Request(); err != nil {
		t.Fatal(err)
	}
	if _, err := run.End(func(r *host.Run) bool { r.State = host.RunDone; return false }, nil); err != nil {
		t.Fatal(err)
	}
	h.Hide([]string{"the key of one who comes"})
	if now, err := h.Context(run.ID()); err != nil || now.TokensMax != 9000 {
		t.Errorf("%v, the window is %d", err, now.TokensMax)
	}
}

// Texts go over the wire byte for byte.
func TestTextsAreExact(t *testing.T) {
	h := held(t)
	run := opened(t, attached(t, h))
	const text = "caf\xe9 <b>&amp; \u2028 日本"
	if err := run.Prompt(text); err != nil {
		t.Fatal(err)
	}
	body, _, err := run.Request()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, m := range body.Messages {
		found = found || strings.Contains(m.Content, text)
	}
	if !found {
		t.Errorf("the request has no message with %q: %q", text, body.Messages)
	}
}
