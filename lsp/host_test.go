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

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

const agentSession = "01SESSION"

// fakeHost is a Host with state: a real workspace, files in memory, and what was
// asked of it.
type fakeHost struct {
	ws   *editing.Workspace
	root string

	mu        sync.Mutex // guards the rest
	files     map[string]string
	seq       int64
	wake      chan struct{}
	runs      []host.Run
	questions []host.Question
	tree      []tasks.Task
	docs      map[string]string
	log       []string
	panics    bool
	decided   int
}

func newFakeHost() *fakeHost {
	return &fakeHost{
		ws: editing.New(0), root: "/ws", files: map[string]string{}, wake: make(chan struct{}), docs: map[string]string{
			"overview.md": "# Overview\n", "tasks.md": "1 fix it\n  1.1 look\n",
		},
	}
}

func (d *fakeHost) note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = append(d.log, fmt.Sprintf(format, args...))
}

func (d *fakeHost) noted() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string{}, d.log...)
}

func (d *fakeHost) bump(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
	d.seq++
	close(d.wake)
	d.wake = make(chan struct{})
}

func (d *fakeHost) path(name string) string { return filepath.Join(d.root, name) }

// file makes a closed file, or changes one.
func (d *fakeHost) file(name, content string) {
	d.mu.Lock()
	d.files[d.path(name)] = content
	d.mu.Unlock()
	d.ws.OpenDocument(d.path(name), name, text.New(content), 0, false)
}

// stage has the agent replace old by new.
func (d *fakeHost) stage(name, old, now string) editing.Result {
	return d.ws.Do(editing.Replace(editing.Replacement{
		Meta: editing.Meta{Owner: agentSession, Task: 1, Reason: "because"}, Path: d.path(name), Old: old, New: now,
	}), editing.NewDocument(d.path(name), name, text.New(d.onDisk(d.path(name)))))
}

func (d *fakeHost) Workspace() *editing.Workspace { return d.ws }

func (d *fakeHost) Resolve(path string) (string, string, error) {
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
func (d *fakeHost) lose(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.files, path)
}

func (d *fakeHost) onDisk(path string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.files[path]
}

func (d *fakeHost) ReadFile(abs string) (text.Text, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.files[abs]
	if !ok {
		return text.Text{}, fs.ErrNotExist
	}
	return text.New(s), nil
}

func (d *fakeHost) FilesChanged(_ context.Context, paths []string) {
	d.note("changed %v", paths)
}

func (d *fakeHost) TextDecided(context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.decided++
}

// do plans, writes closed files, and accepts.
func (d *fakeHost) do(op editing.Op) (editing.Result, error) {
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

func (d *fakeHost) Apply(_ context.Context, cs []editing.Choice) (editing.Result, error) {
	return d.do(editing.Apply(cs))
}

func (d *fakeHost) Reject(_ context.Context, cs []editing.Choice, reason string) (editing.Result, error) {
	return d.do(editing.Reject(cs, reason))
}

func (d *fakeHost) Unreject(_ context.Context, cs []editing.Choice) (editing.Result, error) {
	return d.do(editing.Unreject(cs))
}

func (d *fakeHost) ResolveConflict(_ context.Context, c editing.Choice, take string) (editing.Result, error) {
	switch take {
	case host.TakeMine:
		return d.do(editing.Reject([]editing.Choice{c}, "mine"))
	case host.TakeAgent:
		return d.do(editing.TakeAgents([]editing.Choice{c}))
	}
	return d.do(editing.AskAgain(c))
}

func (d *fakeHost) Expire(_ context.Context, letters []string) (editing.Result, error) {
	d.note("expired %v", letters)
	return d.do(editing.Expire(letters))
}

func (d *fakeHost) Commit(_ context.Context, session string, edit int, summary string, seen []editing.Choice) (editing.Result, error) {
	if seen != nil {
		return d.do(editing.CommitSeen(session, edit, summary, seen))
	}
	return d.do(editing.Commit(session, edit, summary, nil))
}

func (d *fakeHost) FinishCommit(_ context.Context, session string, edit int) (editing.Result, error) {
	d.note("finished %d", edit)
	return d.do(editing.FinishCommit(session, edit))
}

func (d *fakeHost) AbortCommit(_ context.Context, session string, edit int) (editing.Result, error) {
	d.note("aborted %d", edit)
	return d.do(editing.AbortCommit(session, edit))
}

func (d *fakeHost) Revert(_ context.Context, session string, edit int, reason string, _ bool) (editing.Result, error) {
	return d.do(editing.Revert(session, edit, reason, nil))
}

func (d *fakeHost) Comment(_ context.Context, letter, remark string) error {
	d.note("comment %s %s", letter, remark)
	return nil
}

func (d *fakeHost) Ask(_ context.Context, p host.Prompt) (string, string, error) {
	how := "ask"
	if p.Queue {
		how = "queue"
	}
	d.note("%s %s %s %d-%d", how, p.Text, filepath.Base(p.Path), p.Start, p.End)
	return "run-1", agentSession, nil
}

func (d *fakeHost) Cancel(_ context.Context, run string) error {
	d.note("cancel %s", run)
	return nil
}

func (d *fakeHost) Answer(_ context.Context, id string, yes bool, why string) error {
	d.note("%s", strings.TrimSpace(fmt.Sprintf("answer %s %v %s", id, yes, why)))
	d.bump(func() {
		d.questions = slices.DeleteFunc(slices.Clone(d.questions), func(q host.Question) bool { return q.ID == id })
	})
	return nil
}

func (d *fakeHost) WaitQuestions(ctx context.Context, seq int64) ([]host.Question, int64, error) {
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

func (d *fakeHost) WaitRuns(ctx context.Context, seq int64) ([]host.Run, int64, error) {
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

func (d *fakeHost) Wait(ctx context.Context, seq int64) (int64, error) {
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

func (d *fakeHost) Current() string { return agentSession }

func (d *fakeHost) Sessions(context.Context) ([]host.Info, error) {
	return []host.Info{{Info: memory.Info{ID: agentSession, Title: "one"}, Pending: 2}}, nil
}

func (d *fakeHost) NewSession(_ context.Context, title string) (string, error) {
	d.note("new %s", title)
	return "01NEW", nil
}

func (d *fakeHost) OpenSession(_ context.Context, id string, _ bool) error {
	if id == "01LOCKED" {
		return errors.New("process 42 holds the session")
	}
	d.note("open %s", id)
	return nil
}

func (d *fakeHost) TaskTree(string) ([]tasks.Task, string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tree, "tree", nil
}

func (d *fakeHost) Context(string) (memory.ContextMeta, error) {
	return memory.ContextMeta{TokensUsed: 10, TokensMax: 100, TokensPercent: 10}, nil
}

func (d *fakeHost) Cached(string) int { return 40 }

func (d *fakeHost) Document(_ context.Context, _, name string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.docs[name]
	if !ok {
		return "", errors.New("there is no such document")
	}
	return s, nil
}

func (d *fakeHost) Place(_ context.Context, session, name, content string) (string, error) {
	d.note("placed %s", name)
	return "/home/.ai/" + session + "/" + name, nil
}

func (d *fakeHost) Export(_ context.Context, _, what, to string) (string, string, error) {
	if to != "" {
		return "", to, nil
	}
	return what, "", nil
}

var _ Host = (*fakeHost)(nil)
