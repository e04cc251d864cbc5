package run

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/offline"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/cmd/galley/internal/term/termtest"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/lsp/dial"
	"github.com/galley-ls/galley/memory"
)

// connected is a connection to the host of a workspace.
func connected(t *testing.T, home, dir string) *dial.Conn {
	t.Helper()
	h, err := host.Open(context.Background(), host.Config{
		Session: session.Config{Home: home, Workspace: dir},
		Call: func(ctx context.Context, s *session.Session, c memory.ToolCall) host.Answer {
			return agent.Answered(tools.Run(ctx, s, c))
		},
		Outcome: func(s *session.Session, r editing.Result, err error) any {
			return tools.Decided(s.Snapshot(), s.ID(), r, err)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	mine, its := net.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = lsp.Serve(context.Background(), its, lsp.Config{Host: h}) // it ends as a client of a host does, without a word
	}()
	conn, err := dial.Attach(context.Background(), mine, lsp.Attach{Kind: memory.ClientTerminal}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		<-served
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return conn
}

// newTestRunner is a run in a folder of its own, whose questions go to out.
func newTestRunner(t *testing.T, out io.Writer, m model.Model) (*runner, *strings.Builder) {
	t.Helper()
	home, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	conn := connected(t, home, dir)
	keyboard, _ := io.Pipe() // nobody types
	told := &strings.Builder{}
	return &runner{
		Config: Config{
			Console: term.Console{InIsTerm: true, Out: term.Screen{W: out}, Err: term.Screen{W: told}}, Log: zap.NewNop(), Model: m,
			Session: session.Config{Home: home, Workspace: dir, Review: editing.Wait}, Asks: true, Link: dial.LinkTo(conn), MaxIterations: agent.DefaultMaxIterations,
			Galley: func(words ...string) string { return "galley " + strings.Join(words, " ") },
		},
		typed: term.NewKeyboard(keyboard),
	}, told
}

// An interrupt while a commit asks ends the run at a safe point, with the letters kept and the way on told.
func TestRunIsInterruptedAtTheQuestion(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, told := newTestRunner(t, termtest.Watch{For: "[q]uit", Call: cancel}, offline.New())
	err := r.run(ctx, `replace "one" with "1" in a.txt then commit "x" then read a.txt`)
	if !errors.Is(err, term.Ended(term.ExitStopped)) {
		t.Fatalf("got %v, want exit code %d; it told:\n%s", err, term.ExitStopped, told)
	}
	for _, want := range []string{"! cancelled", "  go on: galley run --session ", "A waits for you: galley review --session "} {
		if !strings.Contains(told.String(), want) {
			t.Errorf("it does not tell %q:\n%s", want, told)
		}
	}
}

// silent is a server that never answers.
type silent struct{ asked func() }

func (silent) Name() string { return "silent" }

func (m silent) Stream(ctx context.Context, _ memory.Request, _ func(model.Delta)) (model.Reply, error) {
	m.asked()
	<-ctx.Done()
	return model.Reply{}, ctx.Err()
}

func TestRunIsInterruptedWhileTheModelThinks(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, told := newTestRunner(t, io.Discard, silent{asked: cancel})
	if err := r.run(ctx, "think"); !errors.Is(err, term.Ended(term.ExitStopped)) {
		t.Fatalf("got %v, want exit code %d; it told:\n%s", err, term.ExitStopped, told)
	}
	if !strings.Contains(told.String(), "  go on: galley run --session ") || strings.Contains(told.String(), "galley review") {
		t.Errorf("it told:\n%s", told)
	}
}

// broken is a model that is not there.
type broken struct{ model.Model }

func (broken) Stream(context.Context, memory.Request, func(model.Delta)) (model.Reply, error) {
	return model.Reply{}, errors.New("connection refused")
}

func TestRunTellsHowToGoOnAfterAnError(t *testing.T) {
	r, told := newTestRunner(t, io.Discard, offline.New())
	r.Asks = false
	if err := r.run(t.Context(), "read a.txt"); err != nil {
		t.Fatal(err)
	}
	r.Session.ID, r.Model = onlySession(t, r), broken{offline.New()}
	r.unmet = unmet{}
	err := r.run(t.Context(), "work")
	if err == nil || !strings.Contains(err.Error(), "connection refused") || errors.As(err, new(term.Ended)) {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(told.String(), "go on: galley run --session "+onlySession(t, r)) {
		t.Errorf("it told:\n%s", told)
	}
}

// U52: a run that failed before anything was said leaves no session.
func TestRunThatFailsAtOnceLeavesNoSession(t *testing.T) {
	r, told := newTestRunner(t, io.Discard, broken{offline.New()})
	if err := r.run(t.Context(), "work"); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("got %v", err)
	}
	if strings.Contains(told.String(), "go on: ") {
		t.Errorf("it told:\n%s", told)
	}
	if all, err := memory.List(r.Session.Home, r.Session.Workspace); err != nil || len(all) > 0 {
		t.Errorf("there are %v, %v", all, err)
	}
}

func onlySession(t *testing.T, r *runner) string {
	t.Helper()
	all, err := memory.List(r.Session.Home, r.Session.Workspace)
	if err != nil || len(all) != 1 {
		t.Fatalf("there are %v, %v", all, err)
	}
	return all[0].ID
}
