package tools

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/session"
)

const (
	asAgent  = "GALLEY_TEST_AGENT"   // what the agent's process runs
	agentKey = "GALLEY_TEST_API_KEY" // what its commands must not see
)

// TestAgentProcess is no test: it is the process of an agent that runs one command.
func TestAgentProcess(t *testing.T) {
	line := os.Getenv(asAgent)
	if line == "" {
		return // only for those below
	}
	o := order{Command: session.Command{Text: line, Timeout: time.Hour}, abs: "/", env: environment(os.Environ(), nil, "/", "me")}
	fmt.Print(o.run(context.Background()).output)
}

// agentProcess is this program as the process of an agent, of a user who may not read everything.
func agentProcess(t *testing.T, line string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^TestAgentProcess$")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), asAgent + "=" + line, agentKey + "=hunter2-in-proc"}
	if os.Getuid() != 0 {
		return cmd
	}
	dir, err := os.MkdirTemp("", "galley-agent-") // which others may enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path, cmd.Dir = filepath.Join(dir, "agent"), "/"
	const anyone, nobody = 0o755, 65534
	for _, err := range []error{os.Chmod(dir, anyone), os.WriteFile(cmd.Path, program, anyone)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return cmd
}

// TestU74TheEnvironmentIsNotReadable reads galley's environment and memory by way of its parent's entry, and by that of
// each process that galley started.
func TestU74TheEnvironmentIsNotReadable(t *testing.T) {
	for _, line := range []string{
		`tr '\0' '\n' </proc/$PPID/environ; echo done`,
		`for p in /proc/[0-9]*; do grep -qs "^PPid:[[:space:]]*$PPID$" $p/status && tr '\0' '\n' <$p/environ; done; echo done`,
		`head -c1 /proc/$PPID/mem; ls -l /proc/$PPID/fd; tr '\0' '\n' </proc/$PPID/task/$PPID/environ; env; echo done`,
	} {
		out, err := agentProcess(t, line).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "done") || strings.Contains(string(out), "hunter2-in-proc") {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}

const noPkill = "where there is no pkill"

// onlyWith is a folder with some programs.
func onlyWith(t *testing.T, programs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range programs {
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(dir, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestU77CommandsEndWithTheirProcess kills the agent's process in ways that it cannot hear, or hears too late.
func TestU77CommandsEndWithTheirProcess(t *testing.T) {
	hangUps := make(chan os.Signal, 1) // else what nohup starts ignores them, and so does all that is started here
	signal.Notify(hangUps, syscall.SIGHUP)
	defer signal.Stop(hangUps)
	for _, c := range []struct {
		name, line string
		signal     syscall.Signal
	}{
		{"a command", "echo $$; exec sleep 600", syscall.SIGKILL},
		{"its children", "sleep 600 & echo $!; wait", syscall.SIGKILL},
		{"what ignores signals", "trap '' HUP TERM INT; sleep 600 & echo $!; wait", syscall.SIGHUP},
		{"a pipeline in the background", "(sleep 600 | cat) & sleep 600 & echo $!; wait", syscall.SIGTERM},
		{noPkill, "(sleep 600 | cat) & sleep 600 & echo $!; wait", syscall.SIGKILL},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(at, 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestAgentProcess$")
			cmd.Env = append(os.Environ(), asAgent+"={ "+c.line+"; } >"+at)
			if c.name == noPkill {
				cmd.Env = append(cmd.Env, "PATH="+onlyWith(t, "sh", "sleep", "cat"))
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pipe, err := os.Open(at) // open as long as anything of the command lives
			if err != nil {
				t.Fatal(err)
			}
			defer pipe.Close()
			var first [64]byte
			n, err := pipe.Read(first[:])
			if err != nil || n == 0 {
				t.Fatal(n, err)
			}
			_ = cmd.Process.Signal(c.signal)
			_ = cmd.Wait()
			if err := pipe.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
			var rest bytes.Buffer
			if _, err := rest.ReadFrom(pipe); err != nil {
				t.Errorf("something goes on, process %s: %v", bytes.TrimSpace(first[:n]), err)
			}
		})
	}
}

// A command that is stopped ends with what took a group of its own, as timeout does.
func TestU77GroupsOfTheirOwnEnd(t *testing.T) {
	if _, err := exec.LookPath("timeout"); err != nil {
		t.Fatalf("timeout is not installed, it comes with coreutils: %v", err)
	}
	at := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(at, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan ran, 1)
	go func() {
		o := order{Command: session.Command{Text: "{ timeout 600 sh -c 'echo on; exec sleep 600'; } >" + at, Timeout: time.Hour}, abs: "/", env: os.Environ()}
		ended <- o.run(ctx)
	}()
	pipe, err := os.Open(at)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if _, err := pipe.Read(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if r := <-ended; !r.cancelled {
		t.Errorf("%+v", r)
	}
	if err := pipe.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := new(bytes.Buffer).ReadFrom(pipe); err != nil {
		t.Errorf("something goes on: %v", err)
	}
}
