package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a wait lasts before it fails.
const patience = 20 * time.Second

// puppet makes the runs: each stages what a prompt of the form "do path: old → new" says; "do wait" is held until let
// go, and anything else is answered at once.
type puppet struct {
	entered chan struct{} // one for each prompt that waits
	let     chan struct{}
}

func newPuppet() *puppet { return &puppet{make(chan struct{}, 9), make(chan struct{})} }

func (p *puppet) start(s *session.Session, prompt string) Work {
	return &turns{puppet: p, s: s, prompts: []string{prompt}}
}

// turns are one run of a puppet.
type turns struct {
	*puppet
	s *session.Session

	mu      sync.Mutex // guards the rest
	prompts []string
	over    bool
}

func (w *turns) Queue(text string) bool { return w.Push(text) }

func (w *turns) Push(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over {
		w.prompts = append(w.prompts, text)
	}
	return !w.over
}

func (w *turns) next() (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over = len(w.prompts) == 0; w.over {
		return "", false
	}
	prompt := w.prompts[0]
	w.prompts = w.prompts[1:]
	return prompt, true
}

func (w *turns) Run(ctx context.Context, tell func(Move)) (Move, error) {
	says := func(text string) {
		tell(func(r *Run) bool {
			r.Goes(RunThinking, "")
			r.Step, r.Text = r.Step+1, text
			return true
		})
	}
	for prompt, more := w.next(); more; prompt, more = w.next() {
		if err := w.s.Prompt(prompt); err != nil {
			return nil, err
		}
		path, change, found := strings.Cut(strings.TrimPrefix(prompt, "do "), ": ")
		switch old, now, _ := strings.Cut(change, " → "); {
		case prompt == "do wait":
			w.entered <- struct{}{}
			select {
			case <-w.let:
			case <-ctx.Done():
				return func(r *Run) bool { r.State = RunCancelled; return false }, nil
			}
		case found:
			says("")
			tell(func(r *Run) bool { r.Goes(RunTool, "replace"); return true })
			if _, err := replace(w.s, path, old, now); err != nil {
				return nil, err
			}
		}
		says("done")
	}
	return func(r *Run) bool { r.State = RunDone; return false }, nil
}

// place is a workspace with a home beside it.
type place struct {
	t          testing.TB
	root, home string
	puppet     *puppet

	mu       sync.Mutex // guards warnings
	warnings []string
}

func newPlace(t testing.TB, files map[string]string) *place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, root: root, home: t.TempDir(), puppet: newPuppet()}
	for name, content := range files {
		p.write(name, content)
	}
	return p
}

// write replaces a file whole, so that no watcher reads half of it.
func (p *place) write(name, content string) {
	p.t.Helper()
	beside := filepath.Join(p.t.TempDir(), "new")
	if err := errors.Join(os.WriteFile(beside, []byte(content), 0o600), os.Rename(beside, p.path(name))); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) path(name string) string { return filepath.Join(p.root, name) }

func (p *place) config() session.Config {
	return session.Config{Home: p.home, Workspace: p.root}
}

func (p *place) warned() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.warnings, "\n")
}

// open opens a host that is closed with the test, if the test does not do so.
func (p *place) open() *Host {
	p.t.Helper()
	h, err := Open(context.Background(), Config{Session: p.config(), Start: p.puppet.start, Warn: func(format string, args ...any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.warnings = append(p.warnings, fmt.Sprintf(format, args...))
	}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = h.Close() })
	return h
}

// staged makes a session that is not on any host, with one change, and frees it.
func (p *place) staged(path, old, now string) string {
	p.t.Helper()
	s := p.session("", path, old, now)
	if err := s.Close(); err != nil {
		p.t.Fatal(err)
	}
	return s.ID()
}

// session makes a session beside the host and keeps it open.
func (p *place) session(id, path, old, now string) *session.Session {
	p.t.Helper()
	base := p.config()
	base.ID = id
	s, err := session.Open(base)
	if err != nil {
		p.t.Fatal(err)
	}
	if e, err := replace(s, path, old, now); err != nil || e.Status != editing.StatusEditing {
		p.t.Fatalf("%+v, %v", e, err)
	}
	return s
}

// replace stages a replacement, as the agent's tool does.
func replace(s *session.Session, path, old, now string) (session.Edited, error) {
	return s.Edit(session.By{}, path, "stage", "", func(p session.Place) editing.Op {
		return editing.Replace(editing.Replacement{Meta: p.Meta, Path: p.Path, Old: old, New: now, Hints: p.Hints})
	})
}

// ask has the agent do something and waits until the run is over.
func (p *place) ask(h *Host, prompt string) Run {
	p.t.Helper()
	id, _, err := h.Ask(context.Background(), Prompt{Text: "do " + prompt, Start: -1, End: -1})
	if err != nil {
		p.t.Fatal(err)
	}
	return p.over(h, id)
}

func (p *place) over(h *Host, id string) Run {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for seq := int64(0); ; {
		runs, now, err := h.WaitRuns(ctx, seq)
		if err != nil {
			p.t.Fatalf("%s does not come to its end: %v", id, err)
		}
		for _, r := range runs {
			if r.ID == id && r.State.Over() {
				return r
			}
		}
		seq = now
	}
}

// until waits for a snapshot that has what is asked.
func (p *place) until(h *Host, what string, cond func(*editing.Snapshot) bool) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for seq := int64(-1); ; {
		snap, err := h.Workspace().Wait(ctx, seq)
		if cond(snap) {
			return
		}
		if err != nil {
			p.t.Fatalf("%s: %v", what, err)
		}
		seq = snap.Seq
	}
}

func state(snap *editing.Snapshot, letter string) editing.ChangeState {
	c, ok := snap.Change(letter)
	if !ok {
		return "none"
	}
	return c.State
}
