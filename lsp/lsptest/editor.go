package lsptest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Patience is how long a wait lasts before it fails: generous, as nothing should ever need it.
const Patience = time.Minute

// Editor is one running editor with one server. Its methods may be called from any goroutine. Misuse by a test (an
// unknown buffer, a place that is not there) panics: it is a bug of the test.
type Editor struct {
	profile Profile
	rwc     io.ReadWriteCloser
	process *exec.Cmd
	stderr  *buffered
	loops   sync.WaitGroup

	mu       sync.Mutex    // guards everything below
	changed  chan struct{} // closed and renewed whenever something happened
	wake     chan struct{} // of size 1: there is something to write, or the end has come
	out      [][]byte
	closed   bool
	ended    error // why no more messages will come
	log      []Line
	clock    clock
	nextID   int
	calls    map[string]*Call
	commands int // workspace/executeCommand that are open
	buffers  map[string]*buffer
	told     map[string][]string // what documents were, as the server was told, closed ones too
	screen   Screen
	check    *checker
	start    Init

	encoding    string
	syncKind    int
	includeText bool
	provides    map[string]any // the server's capabilities

	answers []Answer
	mixed   int // turns of OrderMixed
	held    []func()
	later   []func()
	picks   []string
	asked   map[string]*question
}

type buffered struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (b *buffered) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffered) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// Dial connects an editor to a server at the other end. Initialize is the next thing to call.
func Dial(rwc io.ReadWriteCloser, p Profile) *Editor {
	e := &Editor{
		profile: p, rwc: rwc, changed: make(chan struct{}), wake: make(chan struct{}, 1), calls: map[string]*Call{},
		buffers: map[string]*buffer{}, told: map[string][]string{}, asked: map[string]*question{}, encoding: UTF16, check: newChecker(p),
	}
	e.screen = newScreen(e)
	e.loops.Add(2)
	go e.writeLoop()
	go e.readLoop()
	return e
}

type stdio struct {
	io.ReadCloser
	io.WriteCloser
}

func (s stdio) Close() error { return errors.Join(s.WriteCloser.Close(), s.ReadCloser.Close()) }

// Start runs a server's program and connects an editor to its stdin and stdout.
func Start(cmd *exec.Cmd, p Profile) (*Editor, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	stderr := &buffered{}
	if cmd.Stderr == nil {
		cmd.Stderr = stderr
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	e := Dial(stdio{out, in}, p)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.process, e.stderr = cmd, stderr
	return e, nil
}

// Init is what initialize says beside the profile.
type Init struct {
	Root     string         // folder of the workspace
	Options  any            // initializationOptions
	Settings map[string]any // section → value, for workspace/configuration
}

// Initialize shakes hands.
func (e *Editor) Initialize(ctx context.Context, start Init) error {
	e.mu.Lock()
	e.start = start
	p := e.profile
	e.mu.Unlock()
	capabilities := p.Capabilities.Tree()
	if len(p.Encodings) > 0 {
		general, _ := capabilities["general"].(map[string]any)
		if general == nil {
			general = map[string]any{}
		}
		general["positionEncodings"] = p.Encodings
		capabilities["general"] = general
	}
	params := map[string]any{
		"processId": os.Getpid(), "clientInfo": map[string]any{"name": p.Name, "version": p.Version},
		"capabilities": capabilities, "rootUri": nil, "workspaceFolders": nil,
	}
	if start.Root != "" {
		params["rootUri"] = e.URI(start.Root)
		params["workspaceFolders"] = e.folders()
	}
	if start.Options != nil {
		params["initializationOptions"] = start.Options
	}
	var result struct {
		Capabilities map[string]any `json:"capabilities"`
	}
	if err := e.Request(ctx, "initialize", params, &result); err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.learnLocked(result.Capabilities)
	e.notifyLocked("initialized", map[string]any{})
	return nil
}

func (e *Editor) folders() []map[string]any {
	return []map[string]any{{"uri": e.URI(e.start.Root), "name": "workspace"}}
}

// learnLocked keeps what the server can.
func (e *Editor) learnLocked(provides map[string]any) {
	e.provides = provides
	if encoding, ok := provides["positionEncoding"].(string); ok {
		e.encoding = encoding
	}
	switch sync := provides["textDocumentSync"].(type) {
	case float64:
		e.syncKind = int(sync)
	case map[string]any:
		kind, _ := sync["change"].(float64)
		e.syncKind = int(kind)
		save, _ := sync["save"].(map[string]any)
		e.includeText, _ = save["includeText"].(bool)
	}
}

// Provides is the value of a capability of the server, by its first name; nil if it has none.
func (e *Editor) Provides(capability string) any {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.provides[capability]
}

// Profile is how this editor behaves.
func (e *Editor) Profile() Profile { return e.profile }

// Exit ends the session as the protocol says and waits for the server's end.
func (e *Editor) Exit(ctx context.Context) error {
	if err := e.Request(ctx, "shutdown", nil, nil); err != nil {
		return errors.Join(fmt.Errorf("shutdown: %w", err), e.Close())
	}
	e.Notify("exit", nil)
	err := e.Wait(ctx, "the server closes the connection", func(s *Screen) bool { return s.Ended != nil })
	return errors.Join(err, e.Close())
}

// Close drops the connection, as an editor does that dies. It waits for the server's program, if there is one, and kills
// it when it does not end.
func (e *Editor) Close() error {
	e.mu.Lock()
	e.closed = true
	e.wakeLocked()
	e.mu.Unlock()
	err := e.rwc.Close()
	e.loops.Wait()
	if e.process == nil {
		return err
	}
	kill := time.AfterFunc(Patience, func() { _ = e.process.Process.Kill() }) // Wait then tells of the signal
	defer kill.Stop()
	return e.process.Wait()
}

// Kill ends the server's program with no chance to clean up, and closes.
func (e *Editor) Kill() error {
	if err := e.process.Process.Kill(); err != nil {
		return err
	}
	var exit *exec.ExitError
	if err := e.Close(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}
