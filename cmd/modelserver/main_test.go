package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/galley-ls/galley/agent/openai/openaitest"
)

// asModelServer lets the test binary be the command, for what only a process of its own can show.
const asModelServer = "MODELSERVER_TEST_RUN"

func TestMain(m *testing.M) {
	if os.Getenv(asModelServer) != "" {
		main()
	}
	goleak.VerifyTestMain(m)
}

func scriptFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "script.jsonl")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// ask sends a request and returns the body of the answer.
func ask(t *testing.T, url, body string) string {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const good = `{"model":"m","messages":[{"role":"user","content":"Do it."}]}`

func TestCommandLine(t *testing.T) {
	script := scriptFile(t, `{"text":"Hi."}`)
	broken := scriptFile(t, `{"txt":"Hi."}`)
	tests := []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"-h"}, exitOK, "usage: modelserver SCRIPT [flags]", ""},
		{[]string{script, "--help"}, exitOK, "index_zero ", ""},
		{nil, exitUsage, "", "modelserver: there is no script; see modelserver -h\n"},
		{[]string{"--nothing"}, exitUsage, "", "flag provided but not defined: -nothing; see modelserver -h\n"},
		{[]string{script, script}, exitUsage, "", "there is a script too many"},
		{[]string{script + "x"}, exitUsage, "", "modelserver: read the script: open "},
		{[]string{broken}, exitUsage, "", `script.jsonl:1: there is no field "txt": allowed are`},
		{[]string{script, "--addr", "127.0.0.1:x"}, exitUsage, "", "modelserver: listen on 127.0.0.1:x: "},
		{[]string{script, "--until-eof"}, exitOK, "http://127.0.0.1:", ""},
		{[]string{"--until-eof", script, "--addr=127.0.0.1:0"}, exitOK, "/v1\n", ""},
		{[]string{script, "--until-eof", "--requests", filepath.Join(script, "x")}, exitUsage, "", "modelserver: write the requests: open "},
	}
	for _, test := range tests {
		var stdout, stderr bytes.Buffer
		code := run(test.args, strings.NewReader(""), &stdout, &stderr)
		if code != test.code || !strings.Contains(stdout.String(), test.stdout) || !strings.Contains(stderr.String(), test.stderr) ||
			test.stderr == "" && stderr.Len() > 0 {
			t.Errorf("%q: exit %d\nstdout: %s\nstderr: %s", test.args, code, stdout.String(), stderr.String())
		}
	}
}

// started is a command that runs in a process of its own.
type started struct {
	*exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer
	url    string
}

func startCommand(t *testing.T, args ...string) *started {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &started{Cmd: exec.CommandContext(t.Context(), self, args...)}
	c.Env = append(os.Environ(), asModelServer+"=1")
	c.Stderr = &c.stderr
	if c.stdin, err = c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.stdout = bufio.NewReader(stdout)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	c.url = strings.TrimSpace(c.line(t))
	return c
}

func (c *started) line(t *testing.T) string {
	t.Helper()
	line, err := c.stdout.ReadString('\n')
	if err != nil {
		t.Fatalf("%v; stderr: %s", err, c.stderr.String())
	}
	return line
}

// end waits for the process and returns its exit code.
func (c *started) end(t *testing.T) int {
	t.Helper()
	err := c.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode()
}

func TestTellsAndStopsAtTheEndOfStdin(t *testing.T) {
	requests := filepath.Join(t.TempDir(), "requests.jsonl")
	c := startCommand(t, scriptFile(t, `{"text":"Hi.","hold":true}`+"\n"+`{"text":"Bye."}`), "--until-eof", "--requests", requests)
	if _, err := io.WriteString(c.stdin, "\n"); err != nil { // lets the held answer go
		t.Fatal(err)
	}
	if got := ask(t, c.url, good); !strings.Contains(got, "Hi.") {
		t.Error(got)
	}
	if got := c.line(t); got != "1: POST /v1/chat/completions <- reply 1\n" {
		t.Error(got)
	}
	ask(t, c.url, `{"messages":`+"\n"+`[]}`)
	for _, want := range []string{"2: POST /v1/chat/completions <- reply 2", "problem: request 2: model is missing", "problem: request 2: messages is empty"} {
		if got := c.line(t); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if err := c.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if code := c.end(t); code != exitProblems || c.stderr.String() != "modelserver: 2 problems with the requests\n" {
		t.Errorf("exit code %d, stderr %s", code, c.stderr.String())
	}
	text, err := os.ReadFile(requests)
	if want := good + "\n" + `{"messages": []}` + "\n"; err != nil || string(text) != want {
		t.Errorf("the file of requests: %v, %q, want %q", err, text, want)
	}
}

// Requests that come while others are told are told with their own problems.
func TestTellsProblemsBehindTheirRequest(t *testing.T) {
	script, err := openaitest.Parse("script", []byte(`{"loop":true}`+"\n"+`{"text":"Hi."}`))
	if err != nil {
		t.Fatal(err)
	}
	server, err := openaitest.Start(script)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	ask(t, server.URL(), `{"messages":[{"role":"user","content":"Do it."}]}`)
	ask(t, server.URL(), good)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var told bytes.Buffer
	problems, err := tell(ctx, server, "", &told)
	const want = "1: POST /v1/chat/completions <- reply 1\nproblem: request 1: model is missing\n2: POST /v1/chat/completions <- reply 1\n"
	if err != nil || problems != 1 || told.String() != want {
		t.Errorf("%d problems, %v, told\n%swant\n%s", problems, err, told.String(), want)
	}
}

func TestStopsAtSignals(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		c := startCommand(t, scriptFile(t, `{"text":"Hi.","fault":"idle_start"}`))
		if err := c.stdin.Close(); err != nil { // means nothing without --until-eof
			t.Fatal(err)
		}
		if err := c.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if code := c.end(t); code != exitOK {
			t.Errorf("%v: exit code %d, stderr %s", signal, code, c.stderr.String())
		}
	}
}
