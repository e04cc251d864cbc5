package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/lsp/lsptest"
	"github.com/galley-ls/galley/memory"
)

// obedient is a model that makes the tool calls which the prompt spells out: one "name {json}" a line behind orders.
type obedient struct{}

const orders = "do:\n"

func (obedient) Name() string { return "obedient" }

func (obedient) Stream(_ context.Context, req memory.Request, news func(model.Delta)) (model.Reply, error) {
	prompt, at := "", -1
	for i, m := range req.Messages {
		if told, ok := strings.CutPrefix(m.Content, orders); ok && m.Role == memory.RoleUser {
			prompt, at = told, i
		}
	}
	for _, m := range req.Messages[at+1:] {
		if m.Role == memory.RoleAssistant {
			news(model.Delta{Text: "done"})
			return model.Reply{Message: memory.Message{Content: "done"}, Finish: model.FinishStop}, nil
		}
	}
	var reply model.Reply
	for i, line := range strings.Split(prompt, "\n") {
		name, arguments, _ := strings.Cut(line, " ")
		id := fmt.Sprintf("c%d-%d", at, i)
		reply.Message.ToolCalls = append(reply.Message.ToolCalls, memory.ToolCall{ID: id, Name: name, Arguments: arguments})
	}
	return reply, nil
}

// toolCall is one line for obedient.
func toolCall(name string, arguments any) string {
	data, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	return name + " " + string(data)
}

// serverLog keeps the warnings of a server.
type serverLog struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (l *serverLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *serverLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *serverLog) logger() *zap.Logger {
	encoder := zapcore.NewConsoleEncoder(zap.NewProductionEncoderConfig())
	return zap.New(zapcore.NewCore(encoder, zapcore.AddSync(l), zap.WarnLevel))
}

// inHost is a run that works in its host's process.
type inHost struct {
	*host.Inbox
	cfg agent.RunConfig
}

func newInHost(s *session.Session, cfg agent.RunConfig) inHost {
	inbox := &host.Inbox{}
	cfg.Session, cfg.Inbox = agent.Local{Session: s}, inbox
	return inHost{inbox, cfg}
}

func (w inHost) Run(ctx context.Context, tell func(host.Move)) (last host.Move, err error) {
	_, last, err = agent.Follow(ctx, w.cfg, tell)
	return last, err
}

// wire is an editor, and the server that serves it in this process, around a real host.
type wire struct {
	*lsptest.Editor
	host *host.Host
	root string
	done chan error // what Serve answered
	log  *serverLog
	over bool // close was called
	runs bool // there was one

	patience time.Duration
	guest    bool // another wire has made the host, and closes it
}

// wireOptions is what a wire is made of; only the files are needed.
type wireOptions struct {
	files    map[string]string
	patience time.Duration // 0: 20 s, so that nothing expires
	model    model.Model   // nil: obedient
	commands string        // tools.run_command
	review   editing.Policy
}

// newWire starts everything; close ends it.
func newWire(t testing.TB, p lsptest.Profile, o wireOptions) *wire {
	t.Helper()
	if o.patience == 0 {
		o.patience = lsptest.Patience
	}
	if o.model == nil {
		o.model = obedient{}
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{root: root, patience: o.patience}
	for name, content := range o.files {
		w.write(t, name, content)
	}
	w.host, err = host.Open(context.Background(), host.Config{
		Session: session.Config{Home: t.TempDir(), Workspace: root, Specs: tools.Specs(tools.Options{}), Commands: o.commands, Review: o.review},
		Start: func(s *session.Session, prompt string) host.Work {
			return newInHost(s, agent.RunConfig{Model: o.model, Prompt: prompt})
		},
		Warn: func(format string, args ...any) { t.Errorf("the host warns: "+format, args...) },
	})
	if err != nil {
		t.Fatal(err)
	}
	w.sit(t, p)
	return w
}

// sit serves an editor.
func (w *wire) sit(t testing.TB, p lsptest.Profile) {
	t.Helper()
	mine, its := net.Pipe()
	w.done, w.log = make(chan error, 1), &serverLog{}
	go func() {
		w.done <- lsp.Serve(context.Background(), its, lsp.Config{
			Host: w.host, Version: "test", Patience: w.patience, Log: w.log.logger(),
		})
	}()
	w.Editor = lsptest.Dial(mine, p)
	t.Cleanup(w.drop)
	if err := w.Initialize(context.Background(), lsptest.Init{Root: w.root}); err != nil {
		t.Fatal(err)
	}
}

// beside is one more editor at the host.
func (w *wire) beside(t testing.TB, p lsptest.Profile) *wire {
	t.Helper()
	other := &wire{root: w.root, host: w.host, patience: w.patience, guest: true}
	other.sit(t, p)
	return other
}

// close ends the conversation as the protocol says. All that was on the wire must have been valid.
func (w *wire) close(t testing.TB) {
	t.Helper()
	w.over = true
	lsptest.Conform(t, w.Editor)
	if err := errors.Join(w.Exit(context.Background()), <-w.done, w.closeHost()); err != nil {
		t.Error(err)
	}
}

func (w *wire) closeHost() error {
	if w.guest {
		return nil
	}
	return w.host.Close()
}

// crash ends the connection as an editor that dies.
func (w *wire) crash(t testing.TB) {
	t.Helper()
	w.over = true
	lsptest.Conform(t, w.Editor)
	_ = w.Close()
	<-w.done
}

// drop ends everything after a test that failed in the middle.
func (w *wire) drop() {
	if !w.over {
		_ = w.Close()
		<-w.done
		_ = w.closeHost()
	}
}

func (w *wire) path(name string) string { return filepath.Join(w.root, name) }

func (w *wire) uri(name string) string { return w.URI(w.path(name)) }

func (w *wire) write(t testing.TB, name, content string) {
	t.Helper()
	whole := w.path(name) + "~" // as good programs do: never half a file
	if err := errors.Join(os.WriteFile(whole, []byte(content), 0o600), os.Rename(whole, w.path(name))); err != nil {
		t.Fatal(err)
	}
}

func (w *wire) read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(w.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// open opens files in the editor.
func (w *wire) open(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := w.Open(w.path(name)); err != nil {
			t.Fatal(err)
		}
	}
}

// ask has the agent make tool calls and waits until its run is over.
func (w *wire) ask(t testing.TB, calls ...string) {
	t.Helper()
	w.tell(t, calls...)
	w.idle(t)
}

// tell does not wait.
func (w *wire) tell(t testing.TB, calls ...string) {
	t.Helper()
	w.runs = true
	w.command(t, "galley.ask", map[string]any{"prompt": orders + strings.Join(calls, "\n")})
}

// idle waits until no run goes on.
func (w *wire) idle(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), lsptest.Patience)
	defer cancel()
	over := map[string]bool{}
	if !w.runs {
		return
	}
	for seq := int64(0); ; {
		runs, now, err := w.host.WaitRuns(ctx, seq)
		if err != nil {
			t.Fatalf("wait for the runs: %v\n%s", err, w.Dump())
		}
		for _, r := range runs {
			over[r.ID] = r.State.Over()
			if r.State == host.RunFailed {
				t.Fatalf("%s failed: %s\n%s", r.ID, r.Error, w.Dump())
			}
		}
		if all(over) {
			return
		}
		seq = now
	}
}

func all(set map[string]bool) bool {
	for _, yes := range set {
		if !yes {
			return false
		}
	}
	return true
}

// command runs a command that must succeed.
func (w *wire) command(t testing.TB, name string, args ...any) json.RawMessage {
	t.Helper()
	result, err := w.Execute(context.Background(), name, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, w.Dump())
	}
	return result
}

// replace is a call that stages one change.
func replace(path, before, after string) string {
	return toolCall("memory_notebook_replace", tools.ReplaceArgs{Path: path, OldText: before, NewText: after})
}

// The whole walk under every editor: ask, apply, reject, undo, commit.
func TestWireWalk(t *testing.T) {
	for _, p := range append(lsptest.All(), lsptest.Plain()) {
		t.Run(p.Name+p.Version, func(t *testing.T) {
			w := newWire(t, p, wireOptions{files: map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "four\n"}})
			defer w.close(t)
			w.open(t, "a.txt")
			w.ask(t, replace("a.txt", "one", "ONE"), replace("a.txt", "two", "TWO"), replace("a.txt", "three", "THREE"), replace("b.txt", "four", "FOUR"))
			w.awaitCodes(t, "a.txt", "A", "B", "C")
			w.awaitCodes(t, "b.txt", "D")
			w.command(t, "galley.apply", "A")
			w.awaitCodes(t, "a.txt", "B", "C")
			w.command(t, "galley.reject", map[string]any{"change": "B", "reason": "not that"})
			w.awaitCodes(t, "a.txt", "C")
			w.Undo(w.uri("a.txt"))
			w.awaitCodes(t, "a.txt", "A", "C")
			w.command(t, "galley.commit")
			w.awaitCodes(t, "a.txt")
			w.Await(t, "the closed file is written", func(*lsptest.Screen) bool { return w.read(t, "b.txt") == "FOUR\n" })
			if got := w.Text(w.uri("a.txt")); got != "ONE\ntwo\nTHREE\n" {
				t.Errorf("the buffer is %q", got)
			}
		})
	}
}

// awaitCodes waits until exactly these letters are shown in a file.
func (w *wire) awaitCodes(t testing.TB, name string, letters ...string) {
	t.Helper()
	uri := w.uri(name)
	w.Await(t, fmt.Sprintf("%v shown in %s", letters, name), func(s *lsptest.Screen) bool {
		return fmt.Sprint(s.Codes(uri)) == fmt.Sprint(letters)
	})
}
