package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/galley-ls/galley/agent/openai/openaitest"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
)

// llamaProgram is what `make llama` brings.
const llamaProgram = "../../.cache/llama-server/llama-server"

// TestLlama plays stories against a real llama.cpp server. Its model file plays a script, all else is the real thing.
func TestLlama(t *testing.T) {
	needsLlama(t)
	testscript.Run(t, stories("../../testdata/stories/llama"))
}

// needsLlama skips a test where there is no llama.cpp server, and says so.
func needsLlama(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("make test drives it: no race detector looks into another process")
	}
	_, err := os.Stat(llamaProgram)
	switch {
	case err != nil && os.Getenv("CI") == "true":
		t.Fatalf("there is no llama.cpp server, make llama brings it: %v", err)
	case err != nil:
		t.Skip("not tested on this machine: a real llama.cpp server; make llama brings it, or says why not")
	}
}

// llamaServer is the real server of a story.
type llamaServer struct {
	address string
	flags   []string
	end     func() // ends it, and waits for that
}

// llama start SCRIPT [FLAG…] starts a server with a model that plays a script (see agent/openai/openaitest) and is called
// m. Its base URL is in MODEL_URL, what it logs in llama.log. llama stop ends it; llama start alone starts it again. All of
// a story are at the same address.
func llama(ts *testscript.TestScript, neg bool, args []string) {
	servers := ts.Value(storyServersKey{}).(*storyServers)
	switch {
	case neg || len(args) == 0 || args[0] != "start" && args[0] != "stop" || len(args) == 1 && servers.llama == nil:
		ts.Fatalf("usage: llama start script [flags...] | llama stop | llama start")
	case args[0] == "stop":
		servers.llama.end()
		return
	case len(args) > 1:
		at := freeAddress(ts)
		if servers.llama != nil {
			at = servers.llama.address
		}
		servers.llama = newLlama(ts, at, args[1], args[2:])
	}
	ts.Check(servers.llama.start(ts))
}

func freeAddress(ts *testscript.TestScript) string {
	port, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Check(port.Close())
	return port.Addr().String()
}

func newLlama(ts *testscript.TestScript, address, script string, flags []string) *llamaServer {
	s, err := openaitest.Parse(script, []byte(ts.ReadFile(script)))
	ts.Check(err)
	l, err := llamaOf(s, "", ts.Getenv("WORK"), address, flags)
	ts.Check(err)
	return l
}

// llamaOf writes the model file of a script, whose words and those that it is given are tokens of their own.
func llamaOf(s openaitest.Script, words, folder, address string, flags []string) (*llamaServer, error) {
	specs, err := json.Marshal(tools.Specs(tools.Options{Commands: true}))
	if err != nil {
		return nil, err
	}
	file, err := modelPlaying(s, session.SystemPrompt()+string(specs)+words)
	if err != nil {
		return nil, err
	}
	model := filepath.Join(folder, "model.gguf")
	host, port, err := net.SplitHostPort(address)
	usual := []string{"--model", model, "--alias", "m", "--host", host, "--port", port, "--jinja", "--parallel", "1", "--threads", "1"}
	return &llamaServer{address: address, flags: append(usual, flags...)}, errors.Join(err, os.WriteFile(model, file, 0o600))
}

// start starts the server, and waits until it listens.
func (l *llamaServer) start(ts *testscript.TestScript) error {
	ts.Setenv("MODEL_URL", "http://"+l.address+"/v1")
	err := l.launch(filepath.Join(ts.Getenv("WORK"), "llama.log"))
	if l.end != nil {
		ts.Defer(l.end)
	}
	return err
}

// launch starts the server, which logs to a file, and waits until it listens.
func (l *llamaServer) launch(name string) error {
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, llamaProgram, l.flags...)
	cmd.Cancel, cmd.WaitDelay = func() error { return cmd.Process.Signal(syscall.SIGTERM) }, personPatience
	said, out := io.Pipe()
	cmd.Stdout, cmd.Stderr = out, out
	log, err := os.Create(name)
	if err := errors.Join(err, cmd.Start()); err != nil {
		cancel()
		return err
	}
	up, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer log.Close()
		keepLog(log, said, sync.OnceFunc(func() { close(up) }))
	}()
	go func() { _ = out.CloseWithError(cmd.Wait()) }()
	l.end = func() { cancel(); <-ended }
	select {
	case <-up:
		return nil
	case <-ended:
		return fmt.Errorf("the server ended: see %s", name)
	case <-time.After(personPatience):
		return fmt.Errorf("the server does not listen: see %s", name)
	}
}

// keepLog writes what a server says to a file, and tells when it listens.
func keepLog(file io.Writer, said io.Reader, listens func()) {
	for lines := bufio.NewReader(said); ; {
		line, err := lines.ReadString('\n')
		_, _ = io.WriteString(file, line)
		if strings.Contains(line, "listening on http") {
			listens()
		}
		if err != nil {
			return
		}
	}
}
