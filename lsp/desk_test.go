package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

const agentSession = "01SESSION"

// fakeDesk is a Desk with state: a real workspace, files in memory, and what was
// asked of it.
type fakeDesk struct {
	ws   *editing.Workspace
	root string

	mu        sync.Mutex // guards the rest
	files     map[string]string
	seq       int64
	wake      chan struct{}
	runs      []Run
	questions []Question
	tree      []tasks.Task
	docs      map[string]string
	log       []string
	panics    bool
	decided   int
}

func newFakeDesk() *fakeDesk {
	return &fakeDesk{
		ws: editing.New(0), root: "/ws", files: map[string]string{}, wake: make(chan struct{}), docs: map[string]string{
			"overview.md": "# Overview\n", "tasks.md": "1 fix it\n  1.1 look\n",
		},
	}
}

func (d *fakeDesk) note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = append(d.log, fmt.Sprintf(format, args...))
}

func (d *fakeDesk) noted() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string{}, d.log...)
}

func (d *fakeDesk) bump(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
	d.seq++
	close(d.wake)
	d.wake = make(chan struct{})
}

func (d *fakeDesk) path(name string) string { return filepath.Join(d.root, name) }

// file makes a closed file, or changes one.
func (d *fakeDesk) file(name, content string) {
	d.mu.Lock()
	d.files[d.path(name)] = content
	d.mu.Unlock()
	d.ws.OpenDocument(d.path(name), name, text.New(content), 0, false)
}

// stage has the agent replace old by new.
func (d *fakeDesk) stage(name, old, now string) editing.Result {
	return d.ws.Do(editing.Replace(editing.Replacement{
		Meta: editing.Meta{Owner: agentSession, Task: 1, Reason: "because"}, Path: d.path(name), Old: old, New: now,
	}), editing.NewDocument(d.path(name), name, text.New(d.onDisk(d.path(name)))))
}

func (d *fakeDesk) Workspace() *editing.Workspace { return d.ws }

func (d *fakeDesk) Resolve(path string) (string, string, error) {
	if d.panics {
		panic("resolve")
	}
	rel, ok := strings.CutPrefix(path, d.root+"/")
	if !ok {
		return "", "", errors.New("outside of the workspace")
	}
	return path, rel, nil
}

// lose removes a file from the disk.
func (d *fakeDesk) lose(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.files, path)
}

func (d *fakeDesk) onDisk(path string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.files[path]
}

func (d *fakeDesk) ReadFile(abs string) (text.Text, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.files[abs]
	if !ok {
		return text.Text{}, fs.ErrNotExist
	}
	return text.New(s), nil
}

func (d *fakeDesk) FilesChanged(_ context.Context, paths []string) {
	d.note("changed %v", paths)
}

func (d *fakeDesk) TextDecided(context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.decided++
}

// do plans, writes closed files, and accepts.
func (d *fakeDesk) do(op editing.Op) (editing.Result, error) {
	for {
		p := d.ws.Plan(op)
		if !d.ws.Accept(p) {
			continue
		}
		d.mu.Lock()
		for _, t := range p.Targets {
			d.files[t.Path] = t.After.String()
			d.log = append(d.log, "wrote "+t.Name)
		}
		d.mu.Unlock()
		return p.Result, nil
	}
}

func (d *fakeDesk) Apply(_ context.Context, cs []editing.Choice) (editing.Result, error) {
	return d.do(editing.Apply(cs))
}

func (d *fakeDesk) Reject(_ context.Context, cs []editing.Choice, reason string) (editing.Result, error) {
	return d.do(editing.Reject(cs, reason))
}

func (d *fakeDesk) Unreject(_ context.Context, cs []editing.Choice) (editing.Result, error) {
	return d.do(editing.Unreject(cs))
}

func (d *fakeDesk) ResolveConflict(_ context.Context, c editing.Choice, take string) (editing.Result, error) {
	switch take {
	case TakeMine:
		return d.do(editing.Reject([]editing.Choice{c}, "mine"))
	case TakeAgent:
		return d.do(editing.TakeAgents([]editing.Choice{c}))
	}
	return d.do(editing.AskAgain(c))
}

func (d *fakeDesk) Expire(_ context.Context, letters []string) (editing.Result, error) {
	d.note("expired %v", letters)
	return d.do(editing.Expire(letters))
}

func (d *fakeDesk) Commit(_ context.Context, session string, edit int, summary string, seen []editing.Choice) (editing.Result, error) {
	if seen != nil {
		return d.do(editing.CommitSeen(session, edit, summary, seen))
	}
	return d.do(editing.Commit(session, edit, summary, nil))
}

func (d *fakeDesk) FinishCommit(_ context.Context, session string, edit int) (editing.Result, error) {
	d.note("finished %d", edit)
	return d.do(editing.FinishCommit(session, edit))
}

func (d *fakeDesk) AbortCommit(_ context.Context, session string, edit int) (editing.Result, error) {
	d.note("aborted %d", edit)
	return d.do(editing.AbortCommit(session, edit))
}

func (d *fakeDesk) Revert(_ context.Context, session string, edit int, reason string, _ bool) (editing.Result, error) {
	return d.do(editing.Revert(session, edit, reason, nil))
}

func (d *fakeDesk) Comment(_ context.Context, letter, remark string) error {
	d.note("comment %s %s", letter, remark)
	return nil
}

func (d *fakeDesk) Ask(_ context.Context, p Prompt) (string, string, error) {
	how := "ask"
	if p.Queue {
		how = "queue"
	}
	d.note("%s %s %s %d-%d", how, p.Text, filepath.Base(p.Path), p.Start, p.End)
	return "run-1", agentSession, nil
}

func (d *fakeDesk) Cancel(_ context.Context, run string) error {
	d.note("cancel %s", run)
	return nil
}

func (d *fakeDesk) Answer(_ context.Context, id string, yes bool, why string) error {
	d.note("%s", strings.TrimSpace(fmt.Sprintf("answer %s %v %s", id, yes, why)))
	d.bump(func() {
		d.questions = slices.DeleteFunc(slices.Clone(d.questions), func(q Question) bool { return q.ID == id })
	})
	return nil
}

func (d *fakeDesk) WaitQuestions(ctx context.Context, seq int64) ([]Question, int64, error) {
	for {
		d.mu.Lock()
		now, wake, open := d.seq, d.wake, d.questions
		d.mu.Unlock()
		if now > seq {
			return open, now, nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, seq, ctx.Err()
		}
	}
}

func (d *fakeDesk) WaitRuns(ctx context.Context, seq int64) ([]Run, int64, error) {
	for {
		d.mu.Lock()
		now, wake, runs := d.seq, d.wake, d.runs
		d.mu.Unlock()
		if now > seq && len(runs) > 0 {
			return runs, now, nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, seq, ctx.Err()
		}
	}
}

func (d *fakeDesk) Wait(ctx context.Context, seq int64) (int64, error) {
	for {
		d.mu.Lock()
		now, wake := d.seq, d.wake
		d.mu.Unlock()
		if now > seq {
			return now, nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return seq, ctx.Err()
		}
	}
}

func (d *fakeDesk) Current() string { return agentSession }

func (d *fakeDesk) Sessions(context.Context) ([]SessionInfo, error) {
	return []SessionInfo{{ID: agentSession, Title: "one", Pending: 2}}, nil
}

func (d *fakeDesk) NewSession(_ context.Context, title string) (string, error) {
	d.note("new %s", title)
	return "01NEW", nil
}

func (d *fakeDesk) OpenSession(_ context.Context, id string, _ bool) error {
	if id == "01LOCKED" {
		return errors.New("process 42 holds the session")
	}
	d.note("open %s", id)
	return nil
}

func (d *fakeDesk) TaskTree(string) ([]tasks.Task, string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tree, "tree", nil
}

func (d *fakeDesk) Context(string) (memory.ContextMeta, error) {
	return memory.ContextMeta{TokensUsed: 10, TokensMax: 100, TokensPercent: 10}, nil
}

func (d *fakeDesk) Cached(string) int { return 40 }

func (d *fakeDesk) Document(_ context.Context, _, name string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.docs[name]
	if !ok {
		return "", errors.New("there is no such document")
	}
	return s, nil
}

func (d *fakeDesk) Place(_ context.Context, session, name, content string) (string, error) {
	d.note("placed %s", name)
	return "/home/.ai/" + session + "/" + name, nil
}

func (d *fakeDesk) Export(_ context.Context, _, what, to string) (string, string, error) {
	if to != "" {
		return "", to, nil
	}
	return what, "", nil
}

var _ Desk = (*fakeDesk)(nil)
