//go:build unix

package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/openai/openaitest"
	"github.com/galley-ls/galley/lsp/lsptest"
)

// signalPatience is how long a moment is waited for that must come.
const signalPatience = 30 * time.Second

// edits is a reply that stages edits of a.txt, one a word.
func edits(words ...string) openaitest.Reply {
	r := openaitest.Reply{Text: "I edit."}
	for _, w := range words {
		args, _ := json.Marshal(map[string]string{"path": "a.txt", "old_text": w, "new_text": strings.ToUpper(w)})
		r.Calls = append(r.Calls, openaitest.Call{Name: "memory_notebook_replace", Arguments: args})
	}
	return r
}

// interrupted is a moment at which somebody presses Ctrl-C.
type interrupted struct {
	name   string
	reply  openaitest.Reply // behind one that staged ONE
	moment func(h *atHome, server *openaitest.Server) error
	staged string // by then
	signal os.Signal
}

func interruptions() []interrupted {
	held := func(h *atHome, server *openaitest.Server) error {
		return h.await(server, "an answer is held", func(s openaitest.State) bool { return s.Held == 1 })
	}
	start, middle := edits("two"), edits("two")
	start.Hold, middle.HoldAt = true, openaitest.HoldMiddle
	waits := openaitest.Reply{Status: 429, Body: `{"error":{"message":"slow down"}}`, Header: map[string]string{"Retry-After": "30"}}
	command, _ := json.Marshal(map[string]string{"command": "sleep 600 > ended & echo running > pipe; timeout 600 sleep 600"})
	runs := edits("two")
	runs.Calls = append(runs.Calls, openaitest.Call{Name: "run_command", Arguments: command}, edits("three").Calls[0])
	started := func(h *atHome, _ *openaitest.Server) error {
		if err := h.opens("ended"); err != nil {
			return err
		}
		_, err := os.ReadFile(filepath.Join(h.dir, "pipe")) // returns when the command has written to it
		return err
	}
	return []interrupted{
		{"before the first byte", start, held, "A", os.Interrupt},
		{"in the middle of the stream", middle, held, "A", os.Interrupt},
		{"while it waits for another try", waits, func(h *atHome, server *openaitest.Server) error {
			return h.await(server, "the list, a reply and the refusal are sent", func(s openaitest.State) bool { return s.Requests == 3 && s.Open == 0 })
		}, "A", os.Interrupt},
		{"while a command runs", runs, started, "A, B", os.Interrupt},
		{"U77 SIGHUP, by a closed terminal, while a command runs", runs, started, "A, B", syscall.SIGHUP},
		{"U77 SIGTERM while a command runs", runs, started, "A, B", syscall.SIGTERM},
	}
}

func (h *atHome) await(server *openaitest.Server, what string, cond func(openaitest.State) bool) error {
	ctx, cancel := context.WithTimeout(h.t.Context(), signalPatience)
	defer cancel()
	return server.Await(ctx, what, cond)
}

// Ctrl-C at any moment ends the run soon, with what is staged kept, and leaves a session that goes on.
func TestInterrupts(t *testing.T) {
	hearHangUps(t)
	for _, row := range interruptions() {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			h := newAtHome(t, "GALLEY_TOOLS_RUN_COMMAND=allow", "GALLEY_TOOLS_RUN_COMMAND_TIMEOUT=10m")
			h.write("a.txt", "one\ntwo\nthree\n")
			h.pipes("pipe", "ended")
			session := h.interrupt(row)
			h.waiting(row.staged)
			rest := edits("two", "three")
			if strings.Contains(row.staged, "B") {
				rest = edits("three")
			}
			server := h.serve(openaitest.Script{Replies: []openaitest.Reply{rest, {Text: "All is well."}}})
			printed, code := h.galley("run", "--session", session, "go on")
			const waits = 3
			if code != waits || !strings.Contains(printed, "All is well.") || len(server.Problems()) > 0 {
				t.Errorf("going on ended with %d:\n%s\n%s", code, printed, server.Dump())
			}
			h.waiting("A, B, C")
		})
	}
}

// opens opens a pipe that what a command starts in the background holds; when the test ends it must be free.
func (h *atHome) opens(name string) error {
	pipe, err := os.Open(filepath.Join(h.dir, name))
	if err != nil {
		return err
	}
	h.t.Cleanup(func() {
		defer pipe.Close()
		if err := pipe.SetReadDeadline(time.Now().Add(signalPatience)); err != nil {
			h.t.Error(err)
		}
		if _, err := io.ReadAll(pipe); err != nil {
			h.t.Errorf("what the command started goes on: %v", err)
		}
	})
	return nil
}

// interrupt runs galley, presses Ctrl-C at the moment, and answers the session.
func (h *atHome) interrupt(row interrupted) (session string) {
	h.t.Helper()
	server := h.serve(openaitest.Script{Replies: []openaitest.Reply{edits("one"), row.reply, {Text: "Never said."}}})
	var out bytes.Buffer
	cmd := h.command(&out, "run", "edit a.txt")
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	late := time.AfterFunc(2*signalPatience, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	if err := row.moment(h, server); err != nil {
		h.t.Errorf("%v", err)
	}
	if err := cmd.Process.Signal(row.signal); err != nil {
		h.t.Error(err)
	}
	_ = cmd.Wait() // the exit code says it
	found := regexp.MustCompile(`galley run --session (\w+)`).FindStringSubmatch(out.String())
	const stopped = 4
	if cmd.ProcessState.ExitCode() != stopped || found == nil || !strings.Contains(out.String(), "what is staged stays staged") {
		h.t.Fatalf("%v, want the exit code %d and the way on; it printed:\n%s\n%s", cmd.ProcessState, stopped, out.String(), server.Dump())
	}
	if problems := server.Problems(); len(problems) > 0 {
		h.t.Errorf("the server objects: %q", problems)
	}
	return found[1]
}

// waiting checks which letters wait.
func (h *atHome) waiting(want string) {
	h.t.Helper()
	printed, _ := h.galley("review", "--json")
	var letters []string
	for _, m := range regexp.MustCompile(`"change_id":"(\w)"`).FindAllStringSubmatch(printed, -1) {
		letters = append(letters, m[1])
	}
	if got := strings.Join(letters, ", "); got != want {
		h.t.Fatalf("%s wait, want %s:\n%s", got, want, printed)
	}
}

// U77: what a command started ends with the galley that ran it, whoever asked for it.
func TestU77EndsWhatItStarted(t *testing.T) {
	hearHangUps(t)
	command, _ := json.Marshal(map[string]string{"command": "sleep 600 > ended & echo running > pipe; timeout 600 sleep 600"})
	for name, start := range map[string]func(h *atHome) *exec.Cmd{
		"tool": func(h *atHome) *exec.Cmd {
			cmd := h.command(new(bytes.Buffer), "tool", "run_command", string(command))
			h.ok(cmd.Start())
			h.t.Cleanup(func() { _ = cmd.Wait() }) // it is ended by the signal
			return cmd
		},
		"serve": func(h *atHome) *exec.Cmd {
			h.serve(openaitest.Script{Replies: []openaitest.Reply{{Calls: []openaitest.Call{{Name: "run_command", Arguments: command}}}}})
			cmd := h.command(nil, "serve")
			cmd.Stdout, cmd.Stderr = nil, nil
			e, err := lsptest.Start(cmd, lsptest.VSCode())
			h.ok(err)
			h.t.Cleanup(func() { _ = e.Close() }) // it was killed
			h.ok(e.Initialize(h.t.Context(), lsptest.Init{Root: h.dir}))
			_, err = e.Execute(h.t.Context(), "galley.ask", map[string]string{"prompt": "run it"})
			h.ok(err)
			return cmd
		},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
			t.Run(name+" "+sig.String(), func(t *testing.T) {
				t.Parallel()
				h := newAtHome(t, "GALLEY_TOOLS_RUN_COMMAND=allow", "GALLEY_TOOLS_RUN_COMMAND_TIMEOUT=10m")
				h.pipes("pipe", "ended")
				cmd := start(h)
				h.ok(h.opens("ended"))
				_, err := os.ReadFile(filepath.Join(h.dir, "pipe")) // returns when the command has written to it
				h.ok(err)
				h.ok(cmd.Process.Signal(sig))
			})
		}
	}
}

// hearHangUps lets what a test starts hear SIGHUP: what nohup starts ignores it, and so does all that is started there.
func hearHangUps(t *testing.T) {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(heard) })
}

// pipes makes named pipes.
func (h *atHome) pipes(names ...string) {
	h.t.Helper()
	for _, name := range names {
		h.ok(syscall.Mkfifo(filepath.Join(h.dir, name), 0o600))
	}
}

func (h *atHome) ok(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}
