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
	"sync/atomic"
	"time"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

const agentSession = "01SESSION"

// fakeHost is a Host with state: a real workspace, files in memory, and what was
// asked of it.
type fakeHost struct {
	unheard atomic.Bool
	*host.Underway

	ws   *editing.Workspace
	root string

	drafts chan string // what is told of drafts

	mu        sync.Mutex // guards the rest
	files     map[string]string
	seq       int64
	wake      chan struct{}
	runs      []host.Run
	earlier   []host.Run
	questions []host.Question
	tree      []tasks.Task
	docs      map[string]string
	log       []string
	panics    bool
	onJoin    func()         // may be nil
	asker     editing.Keeper // of all runs
	decided   int
	memory    []memory.MemoryFile
}

func newFakeHost() *fakeHost {
	h := &fakeHost{
		memory: []memory.MemoryFile{{Path: "overview.md", Size: 11, Hash: "h1"}},
		drafts: make(chan string),
		ws:     editing.New(0), root: "/ws", files: map[string]string{}, wake: make(chan struct{}), docs: map[string]string{
			"overview.md": "# Overview\n", "tasks.md": "1 fix it\n  1.1 look\n",
		},
	}
	h.Underway = host.NewUnderway(h)
	return h
}

func (h *fakeHost) note(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

func (h *fakeHost) noted() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string{}, h.log...)
}

func (h *fakeHost) bump(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
	h.seq++
	close(h.wake)
	h.wake = make(chan struct{})
}

func (h *fakeHost) path(name string) string { return filepath.Join(h.root, name) }

// file makes a closed file, or changes one.
func (h *fakeHost) file(name, content string) {
	h.mu.Lock()
	h.files[h.path(name)] = content
	h.mu.Unlock()
	h.ws.OpenDocument(h.path(name), name, text.New(content), 0, editing.Disk)
}

// stage has the agent replace old by new.
func (h *fakeHost) stage(name, old, now string) editing.Result {
	return h.stageOf(agentSession, name, old, now)
}

func (h *fakeHost) stageOf(owner, name, old, now string) editing.Result {
	return h.ws.Do(editing.Replace(editing.Replacement{
		Meta: editing.Meta{Owner: owner, Task: 1, Reason: "because"}, Path: h.path(name), Old: old, New: now,
	}), editing.NewDocument(h.path(name), name, text.New(h.onDisk(h.path(name)))))
}

func (h *fakeHost) AskFrom(context.Context, host.Asker, host.Prompt, host.Terms) (*host.Away, string, string, error) {
	return nil, "", "", errors.New("no runs from elsewhere")
}

func (h *fakeHost) Hide(texts []string) { h.note("hide %q", texts) }

func (h *fakeHost) Earlier(string) ([]host.Run, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.earlier, nil
}

func (h *fakeHost) Workspace() *editing.Workspace { return h.ws }

func (h *fakeHost) Resolve(path string) (string, string, error) {
	if h.panics {
		panic("resolve")
	}
	rel, ok := strings.CutPrefix(path, h.root+"/")
	if !ok {
		return "", "", errors.New("outside of the workspace")
	}
	return path, rel, nil
}

// lose removes a file from the disk.
func (h *fakeHost) lose(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.files, path)
}

func (h *fakeHost) onDisk(path string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.files[path]
}

func (h *fakeHost) ReadFile(abs string) (text.Text, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.files[abs]
	if !ok {
		return text.Text{}, fs.ErrNotExist
	}
	return text.New(s), nil
}

func (h *fakeHost) FilesChanged(_ context.Context, paths []string) {
	h.note("changed %v", paths)
}

func (h *fakeHost) Go(work func(context.Context)) { work(context.Background()) }

func (h *fakeHost) Asker(string) editing.Keeper { return h.asker }

func (h *fakeHost) TextMoved() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.decided++
}

// do plans, writes closed files, and accepts.
func (h *fakeHost) do(op editing.Op) (editing.Result, error) {
	for {
		p := h.ws.Plan(op)
		if !h.ws.Accept(p) {
			continue
		}
		h.mu.Lock()
		for _, t := range p.Targets {
			h.files[t.Path] = t.After.String()
			h.log = append(h.log, "wrote "+t.Name)
		}
		h.mu.Unlock()
		return p.Result, nil
	}
}

func (h *fakeHost) Join(c host.Client) editing.Keeper {
	if h.onJoin != nil {
		h.onJoin()
	}
	return h.Underway.Join(c)
}

func (h *fakeHost) Apply(ctx context.Context, by editing.Keeper, cs []editing.Choice) (editing.Result, error) {
	return h.Begin(ctx, host.Applying(by, "Apply", cs), func() (editing.Result, error) { return h.do(editing.Apply(cs)) })
}

func (h *fakeHost) Reject(_ context.Context, _ editing.Keeper, cs []editing.Choice, reason string) (editing.Result, error) {
	return h.do(editing.Reject(cs, reason))
}

func (h *fakeHost) Unreject(_ context.Context, _ editing.Keeper, cs []editing.Choice) (editing.Result, error) {
	return h.do(editing.Unreject(cs))
}

func (h *fakeHost) ResolveConflict(ctx context.Context, by editing.Keeper, c editing.Choice, take string) (editing.Result, error) {
	one := []editing.Choice{c}
	switch take {
	case host.TakeMine:
		return h.do(editing.Reject(one, "mine"))
	case host.TakeAgent:
		return h.Begin(ctx, host.Applying(by, "Take the agent's", one), func() (editing.Result, error) { return h.do(editing.TakeAgents(one)) })
	}
	return h.do(editing.AskAgain(c))
}

func (h *fakeHost) Expire(_ context.Context, letters []string) (editing.Result, error) {
	h.note("expired %v", letters)
	return h.do(editing.Expire(letters))
}

func (h *fakeHost) Commit(ctx context.Context, by editing.Keeper, session string, edit int, summary string, seen []editing.Choice) (editing.Result, error) {
	op := editing.Commit(session, edit, summary, nil)
	if seen != nil {
		op = editing.CommitSeen(session, edit, summary, seen)
	}
	return h.Begin(ctx, host.Committing(by, session, edit), func() (editing.Result, error) { return h.do(op) })
}

func (h *fakeHost) FinishCommit(_ context.Context, session string, edit int) (editing.Result, error) {
	h.note("finished %d", edit)
	return h.do(editing.FinishCommit(session, edit))
}

func (h *fakeHost) AbortCommit(_ context.Context, session string, edit int) (editing.Result, error) {
	h.note("aborted %d", edit)
	return h.do(editing.AbortCommit(session, edit))
}

func (h *fakeHost) Revert(ctx context.Context, by editing.Keeper, session string, edit int, reason string, includeApplied bool) (editing.Result, error) {
	snap := h.ws.Snapshot()
	if ses, ok := snap.Session(session, edit); ok && includeApplied {
		if w := host.Reverting(by, snap, ses, reason); len(w.Edits(snap)) > 0 {
			return h.Begin(ctx, w, func() (editing.Result, error) { return editing.Result{Status: host.StatusReverting}, nil })
		}
	}
	return h.RevertApplied(ctx, by, session, edit, reason)
}

func (h *fakeHost) RevertApplied(_ context.Context, _ editing.Keeper, session string, edit int, reason string) (editing.Result, error) {
	return h.do(editing.Revert(session, edit, reason, nil))
}

func (h *fakeHost) Amend(_ context.Context, a editing.Amendment) (editing.Result, error) {
	return h.do(editing.Amend(a))
}

func (h *fakeHost) Split(_ context.Context, c editing.Choice, part func(*editing.Document, *editing.Change) editing.Part) (editing.Result, error) {
	return h.do(editing.Split(c, part))
}

func (h *fakeHost) Draft(_ context.Context, c editing.Choice) (string, editing.Result, error) {
	h.note("draft %s %d", c.Letter, c.Revision)
	return "/home/.ai/" + c.Letter + "-1/a.txt", h.ws.Plan(editing.Amend(editing.Amendment{Choice: c, Text: "ONE\n", Lines: true})).Result, nil
}

// WaitDrafts tells what the test says.
func (h *fakeHost) WaitDrafts(ctx context.Context) (say []string, err error) {
	select {
	case s := <-h.drafts:
		return []string{s}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Undo takes all of #1 back that was applied or rejected.
func (h *fakeHost) Undo(ctx context.Context, by editing.Keeper, which string) (host.Undone, error) {
	u := host.Undone{Of: memory.Decision{ID: "01DECISION", What: "apply", Letters: []memory.DecidedLetter{{Letter: "A"}}}, Files: []string{"a.txt"}}
	if which != "" && which != u.Of.ID {
		u.Result = editing.Result{Status: editing.StatusRefused, Code: "unknown_decision", Hint: "there is none"}
		return u, nil
	}
	var taken []editing.Taken
	for _, c := range h.Undoes("") {
		taken = append(taken, editing.Taken{Order: c.Order, To: c.State})
	}
	var err error
	under := host.Undoing(u.Of)
	under.By = by
	u.Result, err = h.Begin(ctx, under, func() (editing.Result, error) { return h.do(editing.TakeBack(agentSession, 1, taken)) })
	return u, err
}

func (h *fakeHost) Question(editing.Keeper, string) string { return "Take back: A applied?" }

func (h *fakeHost) Undoes(string) []*editing.Change {
	return slices.DeleteFunc(h.ws.Snapshot().Changes(), func(c *editing.Change) bool { return c.State != editing.Applied && c.State != editing.Rejected })
}

func (h *fakeHost) History() ([]host.Standing, error) { return nil, nil }

func (h *fakeHost) Latest() (memory.Decision, bool) {
	cs := h.Undoes("")
	if len(cs) == 0 {
		return memory.Decision{}, false
	}
	return memory.Decision{
		ID: "01DECISION", What: "apply", By: memory.Client{Kind: memory.ClientEditor, Name: "fake"}, Time: time.Unix(0, 0).UTC(),
		Letters: []memory.DecidedLetter{{Letter: cs[0].Letter}},
	}, true
}

func (h *fakeHost) Comment(_ context.Context, letter, remark string) error {
	h.note("comment %s %s", letter, remark)
	h.unheard.Store(true)
	return nil
}

func (h *fakeHost) Unheard(string) bool { return h.unheard.Load() }

func (h *fakeHost) Ask(_ context.Context, p host.Prompt) (string, string, error) {
	how := "ask"
	if p.Queue {
		how = "queue"
	}
	h.note("%s %s %s %d-%d", how, p.Text, filepath.Base(p.Path), p.Start, p.End)
	return "run-1", agentSession, nil
}

func (h *fakeHost) Cancel(_ context.Context, run string) error {
	h.note("cancel %s", run)
	return nil
}

func (h *fakeHost) Answer(_ context.Context, id string, yes bool, why string) error {
	h.note("%s", strings.TrimSpace(fmt.Sprintf("answer %s %v %s", id, yes, why)))
	h.bump(func() {
		h.questions = slices.DeleteFunc(slices.Clone(h.questions), func(q host.Question) bool { return q.ID == id })
	})
	return nil
}

func (h *fakeHost) WaitQuestions(ctx context.Context, _ editing.Keeper, seq int64) ([]host.Question, int64, error) {
	for {
		h.mu.Lock()
		now, wake, open := h.seq, h.wake, h.questions
		h.mu.Unlock()
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

func (h *fakeHost) WaitRuns(ctx context.Context, seq int64) ([]host.Run, int64, error) {
	for {
		h.mu.Lock()
		now, wake, runs := h.seq, h.wake, h.runs
		h.mu.Unlock()
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

func (h *fakeHost) Wait(ctx context.Context, seq int64) (int64, error) {
	for {
		h.mu.Lock()
		now, wake := h.seq, h.wake
		h.mu.Unlock()
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

func (h *fakeHost) Current() string { return agentSession }

func (h *fakeHost) Sessions(context.Context) ([]host.Info, error) {
	return []host.Info{{Info: memory.Info{ID: agentSession, Title: "one"}, Pending: 2}}, nil
}

func (h *fakeHost) Title(id string) string {
	if id == agentSession {
		return "one"
	}
	return ""
}

func (h *fakeHost) NewSession(_ context.Context, title string) (string, error) {
	h.note("new %s", title)
	return "01NEW", nil
}

func (h *fakeHost) OpenSession(_ context.Context, id string, _ bool) error {
	if id == "01LOCKED" {
		return errors.New("process 42 holds the session")
	}
	h.note("open %s", id)
	return nil
}

func (h *fakeHost) RenameSession(_ context.Context, id, title string) error {
	h.note("rename %s %s", id, title)
	return nil
}

func (h *fakeHost) DeleteSession(_ context.Context, id string, _ bool) (string, error) {
	h.note("delete %s", id)
	return "/trash/" + id, nil
}

func (h *fakeHost) Rewind(_ context.Context, id string, to int64) (memory.Rewound, error) {
	h.note("rewind %s %d", id, to)
	return memory.Rewound{To: to, Messages: 2, Reopened: 1}, nil
}

func (h *fakeHost) Restore(_ context.Context, _ string, ids ...int64) (host.Restored, error) {
	if slices.Contains(ids, 404) {
		return host.Restored{}, errors.New("there is no compaction 404 that can be taken back")
	}
	return host.Restored{IDs: append([]int64{12}, ids...), Messages: 9, Before: 200, After: 300}, nil
}

func (h *fakeHost) Compact(_ context.Context, id string, how host.Compaction) (host.Compacted, error) {
	h.note("compact %s %s %d", id, how.Target, how.Keep)
	return host.Compacted{Compacted: memory.Compacted{Results: 3, Saved: 100}, Before: 300, After: 200}, nil
}

func (h *fakeHost) Serves(string) bool { return true }

func (h *fakeHost) MemoryFiles(string) ([]memory.MemoryFile, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.memory), nil
}

func (h *fakeHost) MemoryPath(session, name string) (string, error) {
	return "/home/.ai/" + session + "/working-memory/" + name, nil
}

func (h *fakeHost) TaskTree(string) ([]tasks.Task, string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tree, "tree", nil
}

func (h *fakeHost) Context(string) (memory.ContextMeta, error) {
	return memory.ContextMeta{TokensUsed: 10, TokensMax: 100, TokensPercent: 10}, nil
}

func (h *fakeHost) Cached(string) int { return 40 }

func (h *fakeHost) Document(_ context.Context, _, name string) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.docs[name]
	if !ok {
		return "", errors.New("there is no such document")
	}
	return s, nil
}

func (h *fakeHost) Place(_ context.Context, session, name, content string) (string, error) {
	h.note("placed %s", name)
	return "/home/.ai/" + session + "/" + name, nil
}

func (h *fakeHost) Export(_ context.Context, _, what string, _ int, to string) (string, string, error) {
	if to != "" {
		return "", to, nil
	}
	return what, "", nil
}

var _ Host = (*fakeHost)(nil)

func (h *fakeHost) Letters(context.Context, string) (view.Letters, error) {
	return view.LettersOf(h.ws.Snapshot(), agentSession), nil
}

func (h *fakeHost) Judge(_ context.Context, _ editing.Keeper, _ string, v host.Verdict) (any, error) {
	return h.do(v.Decision().Plan(agentSession))
}

func (h *fakeHost) Going() []string { return nil }

func (h *fakeHost) DraftOf(_, letter string) (path, was string, err error) {
	return "/drafts/" + letter, "", nil
}
