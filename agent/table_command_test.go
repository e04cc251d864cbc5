//go:build unix

package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// with opens the session of a bench again with other settings.
func (b *bench) with(change func(cfg *session.Config)) *bench {
	b.t.Helper()
	change(&b.cfg)
	b.restart()
	return b
}

func allowCommands(cfg *session.Config) { cfg.Commands = session.CommandsAllow }

// sh runs a command that is expected to run.
func (b *bench) sh(command string) tools.Outcome {
	b.t.Helper()
	o := b.call("run_command", args{"command": command})
	if o.Status != "ok" || o.Output == nil {
		b.t.Fatalf("%s: %s", command, o.JSON())
	}
	return o
}

func TestCommands(t *testing.T) {
	for name, value := range map[string]string{"MY_TOKEN": "t0ken", "INNOCENT": "the-key-0123456789", "PLAIN": "seen", "TERM": "xterm"} {
		t.Setenv(name, value)
	}
	b := newBench(t, map[string]string{"a.txt": "one\n", "sub/b.txt": "b\n"}, editing.Ask).with(func(cfg *session.Config) {
		allowCommands(cfg)
		cfg.Secrets = []string{"the-key-0123456789"}
	})
	for _, c := range []struct {
		name, command, dir string
		code               int
		output             string
	}{
		{"success", "cat a.txt", "", 0, "one\n"},
		{"both streams in their order", "echo 1; echo 2 >&2; echo 3", "", 0, "1\n2\n3\n"},
		{"failure", "echo no; exit 3", "", 3, "no\n"},
		{"killed", "kill -9 $$", "", 137, ""},
		{"nothing to read", "cat; read x || echo empty", "", 0, "empty\n"},
		{"in a folder", "pwd -P | sed 's,.*/,,'; cat b.txt", "sub", 0, "sub\nb\n"},
		{"the folder is told", `test "$PWD" = "$(pwd)" && echo yes`, "sub", 0, "yes\n"},
		{"several lines", "x=1\nif true\nthen echo $x\nfi", "", 0, "1\n"},
		{"colours", `printf '\033[31mred\033[0m\n'`, "", 0, "red\n"},
		{"no UTF-8", `printf 'caf\351\n'`, "", 0, "caf�\n"},
		{"no secret variables", `echo "<$MY_TOKEN$INNOCENT>" "$PLAIN"`, "", 0, "<> seen\n"},
		{"variables of its own", `echo $GIT_TERMINAL_PROMPT $NO_COLOR $PAGER $TERM`, "", 0, "0 1 cat dumb\n"},
		{"no terminal", `if (: </dev/tty) 2>/dev/null; then echo tty; else echo none; fi`, "", 0, "none\n"},
		{"a secret", "printf 'the-key-'; echo 0123456789", "", 0, "[secret]\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := args{"command": c.command}
			if c.dir != "" {
				a["dir"] = c.dir
			}
			o := b.call("run_command", a)
			code := ""
			if c.code != 0 {
				code = "exit_code"
			}
			if o.Status != "ok" || o.Code != code || o.ExitCode == nil || *o.ExitCode != c.code || *o.Output != c.output || o.Duration == "" || o.ChangedFiles == nil {
				t.Errorf("%s", o.JSON())
			}
		})
	}
	if o := b.call("run_command", args{"command": "no-such-program-anywhere"}); *o.ExitCode != 127 || !strings.Contains(*o.Output, "not found") {
		t.Errorf("%s", o.JSON())
	}
}

func TestCommandsThatDoNotRun(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\n"}, editing.Ask)
	outside := t.TempDir()
	must(t, os.Symlink(outside, filepath.Join(b.dir, "away")))
	for _, s := range tools.Specs(tools.Options{}) {
		if s.Name == "run_command" {
			t.Error("it is offered where commands are off")
		}
	}
	run := args{"command": "touch ran"}
	for _, mode := range []string{"", "off", "yes"} {
		b.with(func(cfg *session.Config) { cfg.Commands = mode })
		if o := b.call("run_command", run); o.Code != "bad_arguments" || !strings.Contains(o.Hint, "there is no tool") {
			t.Errorf("%q: %s", mode, o.JSON())
		}
	}
	b.with(allowCommands)
	for _, c := range []struct {
		name string
		args args
		code string
	}{
		{"empty", args{"command": " \n"}, "bad_arguments"},
		{"an escape", args{"command": "touch ran \x1b[8m"}, "bad_arguments"},
		{"a carriage return", args{"command": "touch ran #\rls"}, "bad_arguments"},
		{"turned letters", args{"command": "touch ran # \u202eelif"}, "bad_arguments"},
		{"another root", args{"command": "touch ran", "dir": outside}, "outside_roots"},
		{"parent", args{"command": "touch ran", "dir": ".."}, "outside_roots"},
		{"a link out", args{"command": "touch ran", "dir": "away"}, "outside_roots"},
		{"no folder", args{"command": "touch ran", "dir": "a.txt"}, "file_not_found"},
		{"none", args{"command": "touch ran", "dir": "none"}, "file_not_found"},
		{"no time", args{"command": "touch ran", "timeout_seconds": 0}, "bad_arguments"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if o := b.call("run_command", c.args); o.Code != c.code || o.Hint == "" || o.ExitCode != nil {
				t.Errorf("%s, want %s", o.JSON(), c.code)
			}
		})
	}
	for _, dir := range []string{b.dir, outside} {
		if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
			t.Errorf("something ran in %s", dir)
		}
	}
}

// Nothing runs before the person has said yes, and no lock is held while he thinks.
func TestConsent(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\n"}, editing.Ask)
	var asked []session.Command
	answer := func() (bool, error) { return true, nil }
	saw := 0
	b.with(func(cfg *session.Config) {
		cfg.Commands, cfg.CommandTimeout = session.CommandsAsk, 90*time.Second
		cfg.Confirm = func(_ context.Context, c session.Command) (bool, error) {
			asked = append(asked, c)
			if o := b.s.Reject(context.Background(), editing.Letters("A"), "meanwhile"); o.Status == "" {
				t.Error("no answer to a decision")
			}
			return answer()
		}
		cfg.Saw = func(session.Command) {
			saw++
			if _, err := os.Stat(filepath.Join(b.dir, "ran")); err == nil {
				t.Error("it has run before anybody heard of it")
			}
		}
	})
	b.replace("a.txt", "one", "two")
	b.call("run_command", args{"command": "touch ran", "dir": ".", "timeout_seconds": 30})
	if len(asked) != 1 || saw != 1 || asked[0] != (session.Command{Session: b.s.ID(), Text: "touch ran", Dir: ".", Timeout: 30 * time.Second}) {
		t.Fatalf("asked %+v, saw %d", asked, saw)
	}
	if got := b.states(); got != "A rejected" {
		t.Errorf("the decision in between: %s", got)
	}
	must(t, os.Remove(filepath.Join(b.dir, "ran")))
	for _, c := range []struct {
		name   string
		answer func() (bool, error)
		hint   string
	}{
		{"no", func() (bool, error) { return false, nil }, "the user did not let this command run"},
		{"no, with a reason", func() (bool, error) { return false, errors.New("use make instead") }, "use make instead"},
		{"a yes beside an error", func() (bool, error) { return true, errors.New("the editor is gone") }, "the editor is gone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer = c.answer
			if o := b.call("run_command", args{"command": "touch ran"}); o.Status != "refused" || o.Code != "denied" || !strings.Contains(o.Hint, c.hint) {
				t.Errorf("%s", o.JSON())
			}
		})
	}
	t.Run("a cancel while he thinks", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		answer = func() (bool, error) { cancel(); return true, nil }
		if o := b.s.run(ctx, "run_command", tools.CommandArgs{Command: "touch ran"}); o.Code != "denied" {
			t.Errorf("%s", o.JSON())
		}
	})
	t.Run("nobody to ask", func(t *testing.T) {
		b.with(func(cfg *session.Config) { cfg.Confirm = nil })
		if o := b.call("run_command", args{"command": "touch ran"}); o.Code != "denied" {
			t.Errorf("%s", o.JSON())
		}
	})
	if _, err := os.Stat(filepath.Join(b.dir, "ran")); err == nil || saw != 1 {
		t.Errorf("it ran without a yes, seen %d times", saw)
	}
	b.with(allowCommands).sh("true")
	if len(asked) != 5 || saw != 2 {
		t.Errorf("allowed, and still asked: %d, seen %d", len(asked), saw)
	}
}

// gone waits until a process is no more.
func gone(t *testing.T, pidFile string) {
	t.Helper()
	raw, err := os.ReadFile(pidFile)
	must(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	must(t, err)
	for end := time.Now().Add(10 * time.Second); ; {
		if syscall.Kill(pid, 0) != nil || zombie(pid) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("process %d still runs", pid)
		}
	}
}

// zombie: it is over, and only waits for somebody who asks.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// A command that takes too long ends with everything it has started, whoever ignores signals or holds the pipe.
func TestCommandTimesOut(t *testing.T) {
	for name, command := range map[string]string{
		"a child":                 `sleep 1000 & echo $! >pid; echo begun; wait`,
		"a grandchild":            `(sh -c 'sleep 1000 & echo $! >pid; wait') ; echo never`,
		"deaf to the first word":  `trap '' TERM; sleep 1000 & echo $! >pid; echo begun; while :; do wait; done`,
		"the shell is gone first": `sh -c 'trap "" TERM; echo $$ >pid; while :; do sleep 1; done' & sleep 1000`,
		"endless output":          `sleep 1000 & echo $! >pid; yes`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, editing.Ask).with(allowCommands)
			pid := filepath.Join(b.dir, "pid")
			for seconds := 1; ; seconds *= 2 {
				o := b.call("run_command", args{"command": command, "timeout_seconds": seconds})
				if o.Status != "ok" || o.Code != "timed_out" || !o.TimedOut || *o.ExitCode == 0 || !strings.Contains(o.Hint, fmt.Sprintf("stopped after %ds", seconds)) {
					t.Errorf("%s", o.JSON())
				}
				if raw, err := os.ReadFile(pid); err == nil && strings.HasSuffix(string(raw), "\n") || seconds > 30 { // else the machine was too slow to begin
					break
				}
			}
			gone(t, pid)
		})
	}
	b := newBench(t, nil, editing.Ask).with(func(cfg *session.Config) {
		cfg.Commands, cfg.CommandTimeout = session.CommandsAllow, 500*time.Millisecond
	})
	if o := b.call("run_command", args{"command": "sleep 1000", "timeout_seconds": 900}); !o.TimedOut {
		t.Errorf("more time than the settings give: %s", o.JSON())
	}
}

func TestNothingStaysInTheBackground(t *testing.T) {
	b := newBench(t, nil, editing.Ask).with(allowCommands)
	if o := b.sh(`sleep 1000 & echo $! >pid; echo done`); *o.Output != "done\n" || *o.ExitCode != 0 || !strings.Contains(o.Hint, "background") {
		t.Errorf("%s", o.JSON())
	}
	gone(t, filepath.Join(b.dir, "pid"))
	b.sh(`sleep 1000 >/dev/null 2>&1 & echo $! >pid`)
	gone(t, filepath.Join(b.dir, "pid"))
}

// A cancel stops a command at once; the call is answered, and so is what was to come behind it.
func TestCommandIsCancelled(t *testing.T) {
	b := newBench(t, nil, editing.Ask).with(allowCommands)
	fifo := filepath.Join(t.TempDir(), "fifo")
	must(t, syscall.Mkfifo(fifo, 0o600))
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = os.ReadFile(fifo) // returns when the command has begun
		cancel()
	}()
	o := b.s.run(ctx, "run_command", tools.CommandArgs{Command: "echo begun; sleep 1000 & echo $! >pid; echo x >" + fifo + "; wait"})
	if o.Status != "ok" || o.Code != "cancelled" || o.TimedOut || *o.Output != "begun\n" {
		t.Errorf("%s", o.JSON())
	}
	gone(t, filepath.Join(b.dir, "pid"))
	if o := b.s.run(ctx, "run_command", tools.CommandArgs{Command: "touch ran"}); o.Code != "denied" {
		t.Errorf("after the cancel: %s", o.JSON())
	}
}

func TestLongOutput(t *testing.T) {
	b := newBench(t, nil, editing.Ask).with(allowCommands)
	o := b.sh("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done")
	if !o.Truncated || len(*o.Output) > 31<<10 || !strings.HasPrefix(*o.Output, "line 0\n") || !strings.HasSuffix(*o.Output, "line 19999\n") || !strings.Contains(o.Hint, "left out") {
		t.Errorf("%d bytes: %.100s", len(*o.Output), o.JSON())
	}
}

// What a command does to the workspace is told, and taken in where letters are.
func TestChangedFiles(t *testing.T) {
	b := newBench(t, map[string]string{
		"a.txt": numbered(20), "b.txt": "b\n", "c.txt": "c\n", ".gitignore": "*.log\n", ".env": "X=1\n",
	}, editing.Ask).with(allowCommands)
	b.replace("a.txt", "line 3\n", "three\n")
	b.replace("a.txt", "line 10\n", "ten\n")
	o := b.sh("sed -i.log 's/^line 10$/LINE 10/; s/^line 1$/first/' a.txt; rm b.txt; mkdir d; echo new >d/n.txt; echo x >x.log; echo Y >>.env; touch c.txt")
	want := []session.ChangedFile{{Path: "a.txt", Change: "changed"}, {Path: "b.txt", Change: "deleted"}, {Path: "d/n.txt", Change: "created"}}
	if got, _ := json.Marshal(o.ChangedFiles); string(got) != mustJSON(t, want) {
		t.Errorf("changed files: %s", got)
	}
	if got := b.states(); got != "A staged, B conflict" {
		t.Errorf("states %s", got)
	}
	wantIn(t, o.Hint, "A, B are staged, not on disk: the command saw the files without them")
	if _, _, err := b.s.Notices(); err != nil {
		t.Fatal(err)
	}
	req := b.request()
	wantIn(t, req, "B is in conflict: your command changed the same lines of a.txt", "your command changed a.txt at line 1")
	wantNot(t, req, "the user changed")
	b.restart()
	if got := b.states(); got != "A staged, B conflict" {
		t.Errorf("states after a restart: %s", got)
	}
	b.write("a.txt", "above\n"+b.file("a.txt"))
	must(t, b.s.Refresh(context.Background()))
	_, _, err := b.s.Notices()
	must(t, err)
	wantIn(t, b.request(), "the user changed a.txt at line 1")
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	must(t, err)
	return string(raw)
}

// Folding hides the calls, but not what was done: it cannot be undone by forgetting it.
func TestFoldedHistoryKeepsCommands(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": numbered(100)}, editing.Auto).with(allowCommands)
	b.sh("echo earlier")
	b.call("memo_begin_task", args{"goal": "numbers"})
	b.call("memo_read", args{"path": "a.txt"})
	b.sh("echo made >made.txt")
	b.replace("a.txt", "line 3\n", "three\n")
	b.call("run_command", args{"command": "exit 4", "dir": "."})
	b.restart()
	if o := b.call("memo_commit", args{"summary": "numbered"}); o.HistoryDelta == nil || o.HistoryDelta.MessagesRemoved == 0 {
		t.Fatalf("%s", o.JSON())
	}
	req := b.request()
	wantIn(t, req, "<commands_run>\n- `echo made >made.txt`: exit 0; created made.txt\n- `exit 4`: exit 4\n</commands_run>")
	wantNot(t, req, `"output":"made`, "`echo earlier`")
}

// The repetition of a failing command is noticed by its code: the status alone is success.
func TestFailingCommandHasACode(t *testing.T) {
	b := newBench(t, nil, editing.Ask).with(allowCommands)
	if o := b.call("run_command", args{"command": "false"}); o.Status != "ok" || o.Code != "exit_code" {
		t.Errorf("%s", o.JSON())
	}
	if o := b.call("run_command", args{"command": "true"}); o.Status != "ok" || o.Code != "" {
		t.Errorf("%s", o.JSON())
	}
	m := &scripted{}
	for i := range 6 {
		m.replies = append(m.replies, memory.Message{ToolCalls: []memory.ToolCall{{ID: fmt.Sprint("c", i), Name: "run_command", Arguments: `{"command":"false"}`}}})
	}
	out, err := agent.Run(context.Background(), agent.RunConfig{Session: agent.Local{Session: b.s.Session}, Model: m, Prompt: "go"})
	must(t, err)
	if out.Reason != agent.Repeated || out.Iterations != 5 {
		t.Errorf("%+v", out)
	}
}

// A run calls commands like any other tool.
func TestRunCallsCommands(t *testing.T) {
	b := newBench(t, nil, editing.Ask).with(allowCommands)
	b.cfg.Specs = tools.Specs(tools.Options{Commands: true})
	call := memory.ToolCall{ID: "c1", Name: "run_command", Arguments: `{"command":"echo hello"}`}
	m := &scripted{replies: []memory.Message{{ToolCalls: []memory.ToolCall{call}}, {Content: "done"}}}
	out, err := agent.Run(context.Background(), agent.RunConfig{Session: agent.Local{Session: b.s.Session}, Model: m, Prompt: "say hello"})
	must(t, err)
	if out.Text != "done" {
		t.Errorf("%+v", out)
	}
	wantIn(t, b.request(), `"exit_code":0,"output":"hello\n"`)
}
