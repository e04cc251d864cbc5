package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/galley-ls/galley/cmd/galley/internal/term/termtest"
)

// personPatience is how long a person waits for what they are told to see.
const personPatience = 20 * time.Second

// endMark is what no command writes at its end.
const endMark = "\x00the end\x00"

// person CODE SCRIPT COMMAND… runs a command on a terminal of its own, with somebody in front of it who follows a script
// (a file), a line a step:
//
//	see TEXT      wait until the terminal has shown this, behind what was seen before
//	type TEXT     type it, and Enter
//	keys TEXT     type it, without Enter
//	press ^C      or another control character
//	columns 40    draw the window to this width
//	held          wait until the last model server holds a reply back
//	release       let it go on, at once when it is held
//
// The command must end with the exit code. Then ttyshown has all bytes that were sent to the terminal, and stdout what is
// left to be read on it.
func person(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: person code script command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	script := ts.ReadFile(args[1])
	p, err := openPty(80)
	ts.Check(err)
	defer p.Close()
	cmd := commandOf(ts, args[2:])
	ts.Check(p.start(cmd))
	w := watchTerminal(p)
	ended := make(chan error, 1)
	go func() { ended <- errors.Join(cmd.Wait(), p.mark(endMark)) }()
	stop := time.AfterFunc(3*personPatience, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	failed := follow(ts, p, w, script)
	if failed != nil {
		_ = cmd.Process.Kill()
	}
	err = <-ended
	<-w.over
	text := w.text()
	if failed != nil {
		ts.Fatalf("%v (%v); the terminal shows:\n%s\nand got: %q", failed, cmd.ProcessState, rendered(text), text)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("exit code %d, want %d; the terminal shows:\n%s", got, want, rendered(text))
	}
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "ttyshown"), []byte(text), 0o600))
	fmt.Fprint(ts.Stdout(), rendered(text))
}

// commandOf is a command in the folder and with the environment of a story.
func commandOf(ts *testscript.TestScript, args []string) *exec.Cmd {
	ts.Check(ts.Exec("env"))
	env := strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n")
	path := args[0]
	for dir := range strings.SplitSeq(ts.Getenv("PATH"), ":") {
		if found, err := exec.LookPath(filepath.Join(dir, args[0])); err == nil {
			path = found
			break
		}
	}
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), env
	return cmd
}

// watched is a terminal whose bytes are kept.
type watched struct {
	over chan struct{}

	mu   sync.Mutex // guards what follows
	got  bytes.Buffer
	more chan struct{} // closed when something comes
}

func watchTerminal(p *pty) *watched {
	w := &watched{over: make(chan struct{}), more: make(chan struct{})}
	go func() {
		defer close(w.over)
		b := make([]byte, 4096)
		for {
			n, err := p.Read(b)
			if w.add(b[:n]) || err != nil {
				return
			}
		}
	}()
	return w
}

// add keeps what came, and reports whether that was the end.
func (w *watched) add(b []byte) (ended bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.got.Write(b)
	if text, marked := bytes.CutSuffix(w.got.Bytes(), []byte(endMark)); marked {
		w.got.Truncate(len(text))
		ended = true
	}
	close(w.more)
	w.more = make(chan struct{})
	return ended
}

func (w *watched) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.got.String()
}

// see waits for a text behind a place, and answers the place behind it.
func (w *watched) see(text string, from int) (int, error) {
	late := time.After(personPatience)
	for {
		w.mu.Lock()
		at, more := strings.Index(w.got.String()[from:], text), w.more
		w.mu.Unlock()
		if at >= 0 {
			return from + at + len(text), nil
		}
		select {
		case <-more:
		case <-w.over:
			if strings.Contains(w.text()[from:], text) {
				continue
			}
			return 0, fmt.Errorf("the command ended, and %q was not to be seen", text)
		case <-late:
			return 0, fmt.Errorf("%q is not to be seen", text)
		}
	}
}

// follow does what the script says.
func follow(ts *testscript.TestScript, p *pty, w *watched, script string) error {
	seen := 0
	for line := range strings.Lines(script) {
		verb, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		var err error
		switch verb {
		case "", "#":
		case "see":
			seen, err = w.see(rest, seen)
		case "type":
			_, err = p.WriteString(rest + "\n")
		case "keys":
			_, err = p.WriteString(rest)
		case "press":
			_, err = p.Write([]byte{strings.ToUpper(rest)[1] & 0x1f})
		case "columns":
			n, bad := strconv.Atoi(rest)
			err = errors.Join(bad, p.resize(n))
		case "held":
			err = awaitHeld(ts)
		case "release":
			modelRelease(ts, false, nil)
		default:
			err = fmt.Errorf("a person cannot %q", verb)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", strings.TrimSpace(line), err)
		}
	}
	return nil
}

var looks = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// rendered is what somebody reads on a wide terminal that was sent these bytes.
func rendered(text string) string {
	t := termtest.New(200)
	_, _ = t.Write([]byte(looks.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), "")))
	return t.String()
}
