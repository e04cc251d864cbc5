package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a wait lasts before it fails.
const patience = 20 * time.Second

// puppet is a model that stages what a prompt of the form "path: old → new" says; "wait" is held until let go.
type puppet struct {
	entered chan struct{} // one for each prompt that waits
	let     chan struct{}
}

func newPuppet() *puppet { return &puppet{make(chan struct{}, 9), make(chan struct{})} }

func (*puppet) Name() string { return "puppet" }

func (p *puppet) Stream(ctx context.Context, req memory.Request, news func(model.Delta)) (model.Reply, error) {
	prompt, at := "", -1
	for i, m := range req.Messages {
		told, ok := strings.CutPrefix(m.Content, "do ")
		if ok && m.Role == memory.RoleUser {
			prompt, at = told, i
		}
	}
	for _, m := range req.Messages[at+1:] {
		if m.Role == memory.RoleAssistant {
			news(model.Delta{Text: "done"})
			return model.Reply{Message: memory.Message{Content: "done"}, Finish: model.FinishStop}, nil
		}
	}
	if prompt == "wait" {
		p.entered <- struct{}{}
		select {
		case <-p.let:
		case <-ctx.Done():
			return model.Reply{}, ctx.Err()
		}
		return model.Reply{Message: memory.Message{Content: "waited"}, Finish: model.FinishStop}, nil
	}
	path, change, _ := strings.Cut(prompt, ": ")
	old, now, _ := strings.Cut(change, " → ")
	arguments, err := json.Marshal(session.ReplaceArgs{Path: path, OldText: old, NewText: now})
	if err != nil {
		return model.Reply{}, err
	}
	call := memory.ToolCall{ID: fmt.Sprintf("c%d", at), Name: "memory_notebook_replace", Arguments: string(arguments)}
	return model.Reply{Message: memory.Message{ToolCalls: []memory.ToolCall{call}}}, nil
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
	return session.Config{Home: p.home, Workspace: p.root, Specs: tools.Specs(tools.Options{})}
}

func (p *place) warned() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.warnings, "\n")
}

// open opens a desk that is closed with the test, if the test does not do so.
func (p *place) open() *Desk {
	p.t.Helper()
	d, err := Open(context.Background(), Config{Session: p.config(), Model: p.puppet, Warn: func(format string, args ...any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.warnings = append(p.warnings, fmt.Sprintf(format, args...))
	}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = d.Close() })
	return d
}

// staged makes a session that is not on any desk, with one change, and frees it.
func (p *place) staged(path, old, now string) string {
	p.t.Helper()
	s := p.session(session.Config{}, path, old, now)
	if err := s.Close(); err != nil {
		p.t.Fatal(err)
	}
	return s.ID()
}

// session makes a session beside the desk and keeps it open.
func (p *place) session(cfg session.Config, path, old, now string) *session.Session {
	p.t.Helper()
	base := p.config()
	base.Tool = cfg.Tool
	s, err := session.Open(base)
	if err != nil {
		p.t.Fatal(err)
	}
	if o := s.Replace(context.Background(), session.ReplaceArgs{Path: path, OldText: old, NewText: now}); o.Status != "editing" {
		p.t.Fatalf("%+v", o)
	}
	return s
}

// ask has the agent do something and waits until the run is over.
func (p *place) ask(d *Desk, prompt string) Run {
	p.t.Helper()
	id, _, err := d.Ask(context.Background(), Prompt{Text: "do " + prompt, Start: -1, End: -1})
	if err != nil {
		p.t.Fatal(err)
	}
	return p.over(d, id)
}

func (p *place) over(d *Desk, id string) Run {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for seq := int64(0); ; {
		runs, now, err := d.WaitRuns(ctx, seq)
		if err != nil {
			p.t.Fatalf("%s does not come to its end: %v", id, err)
		}
		for _, r := range runs {
			if r.ID == id && r.over() {
				return r
			}
		}
		seq = now
	}
}

// until waits for a snapshot that has what is asked.
func (p *place) until(d *Desk, what string, cond func(*editing.Snapshot) bool) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for seq := int64(-1); ; {
		snap, err := d.Workspace().Wait(ctx, seq)
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
