package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// TestUndoWorld makes random decisions and undos over closed files and one that an editor
// has open, whose own undo is used, too; in some worlds somebody types. Once all is taken
// back the files are as at the start wherever nobody typed, and no byte that was typed is
// lost, at any time.
func TestUndoWorld(t *testing.T) {
	worlds := 12
	switch {
	case os.Getenv("GALLEY_LONG") != "":
		worlds = 2000
	case testing.Short():
		worlds = 4
	}
	for n := range worlds {
		newUndoWorld(t, uint64(n)).run()
	}
}

var worldFiles = map[string]string{
	"a.txt": "a0\na1\na2\na3\na4\na5\na6\na7\n", "b.txt": "b0\r\nb1\r\nb2\r\nb3\r\n", "sub/c.txt": "c0\nc1\nc2\nc3\nc4\nc5",
}

// openInWorld is the file that an editor has open.
const openInWorld = "sub/c.txt"

type undoWorld struct {
	*place
	h      *Host
	r      *rand.Rand
	seed   uint64
	log    []string
	n      int                 // counts what is staged and typed
	typed  map[string][]string // file → what was typed
	stack  []text.Text         // of the editor's undos: what it showed before
	typing bool
}

func newUndoWorld(t *testing.T, seed uint64) *undoWorld {
	p := newPlace(t, nil)
	for name, content := range worldFiles {
		if err := errors.Join(os.MkdirAll(filepath.Dir(p.path(name)), 0o700), os.WriteFile(p.path(name), []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	w := &undoWorld{place: p, r: rand.New(rand.NewPCG(7, seed)), seed: seed, typed: map[string][]string{}}
	w.typing = w.r.IntN(2) == 0
	return w
}

func (w *undoWorld) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("world %d: %s; the letters are %s; the files %q; it went so:\n%s", w.seed, fmt.Sprintf(format, args...), letters(w.h), w.texts(), strings.Join(w.log, "\n"))
}

func (w *undoWorld) say(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf(format, args...))
}

// texts are what the files hold; of the open one, what the editor shows.
func (w *undoWorld) texts() map[string]string {
	out := map[string]string{}
	_ = filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(w.root, path)
			out[filepath.ToSlash(rel)] = w.disk(rel)
		}
		return err
	})
	out[openInWorld] = w.shown().Base.String()
	return out
}

func (w *undoWorld) shown() *editing.Document {
	d, _ := w.h.Workspace().Snapshot().Document(w.path(openInWorld))
	return d
}

// becomes makes the editor show another text.
func (w *undoWorld) becomes(now text.Text) {
	d := w.shown()
	w.stack = append(w.stack, d.Base)
	w.update(d, now)
}

func (w *undoWorld) update(d *editing.Document, now text.Text) {
	es := text.Became(d.Base.String(), now.String())
	slices.Reverse(es)
	if _, err := w.h.Workspace().Update(d.Path, d.Version+1, es); err != nil {
		w.fail("the editor's text: %v", err)
	}
}

// keep is the editor's part in decisions, until ctx ends.
func (w *undoWorld) keep(ctx context.Context) {
	for {
		all, moved := w.h.Decisions(1)
		for _, d := range all {
			snap := w.h.Workspace().Snapshot()
			for _, e := range d.Edits(snap) {
				doc, _ := snap.Document(e.Path)
				w.becomes(doc.Base.MustApply(e.Edits))
			}
			w.h.Answered(1, d.ID)
			if _, err := w.h.Decided(ctx, 1, d.ID, Ending{Waited: time.Second}); err != nil {
				w.fail("a decision could not be ended: %v", err)
			}
		}
		if len(all) > 0 {
			continue
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return
		}
	}
}

// rests waits until no decision is under way.
func (w *undoWorld) rests() {
	_ = w.h.Underway.mu.until(context.Background(), func() bool { return len(w.h.Underway.list) == 0 })
}

func (w *undoWorld) run() {
	w.h = w.open()
	w.h.Workspace().OpenDocument(w.path(openInWorld), openInWorld, text.New(worldFiles[openInWorld]), 1, 1)
	if _, err := w.h.NewSession(context.Background(), ""); err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	w.h.Join(Client{Edits: true, Exact: true})
	go func() { defer close(done); w.keep(ctx) }()
	for range 8 + w.r.IntN(20) {
		w.step()
		w.rests()
		w.check()
		if last := w.log[max(0, len(w.log)-1):]; len(last) == 1 && !strings.HasPrefix(last[0], "apply") && !strings.HasPrefix(last[0], "commit") {
			w.stack = nil // what else its own undo would bring is the user's doing
		}
	}
	w.undoAll()
	cancel()
	<-done
	w.end()
	if err := w.h.Close(); err != nil {
		w.t.Fatal(err)
	}
}

// step is one thing that somebody does.
func (w *undoWorld) step() {
	ctx := context.Background()
	snap := w.h.Workspace().Snapshot()
	one := func(states ...editing.ChangeState) []editing.Choice {
		var some []string
		for _, c := range snap.Changes() {
			if slices.Contains(states, c.State) {
				some = append(some, c.Letter)
			}
		}
		if len(some) == 0 {
			return nil
		}
		return editing.Letters(some[w.r.IntN(len(some))])
	}
	edit := 0
	for _, e := range snap.Sessions("") {
		if e.State.Open() {
			edit = e.N
		}
	}
	switch k := w.r.IntN(20); {
	case k < 6:
		w.stages()
	case k < 9:
		if cs := one(editing.Staged); cs != nil {
			w.did("apply "+cs[0].Letter, func() (editing.Result, error) { return w.h.Apply(ctx, 0, cs) })
		}
	case k < 11:
		if cs := one(editing.Staged, editing.Conflict); cs != nil {
			w.did("reject "+cs[0].Letter, func() (editing.Result, error) { return w.h.Reject(ctx, editing.Disk, cs, "no") })
		}
	case k == 11:
		if cs := one(editing.Conflict); cs != nil {
			w.did("keep mine "+cs[0].Letter, func() (editing.Result, error) { return w.h.ResolveConflict(ctx, 0, cs[0], TakeMine) })
		}
	case k < 14 && edit > 0:
		w.did("commit", func() (editing.Result, error) { return w.h.Commit(ctx, 0, w.h.Current(), edit, "s", nil) })
	case k == 14 && edit > 0:
		w.did("revert", func() (editing.Result, error) { return w.h.Revert(ctx, 0, w.h.Current(), edit, "no", false) })
	case k < 18:
		w.did("undo", func() (editing.Result, error) { u, err := w.h.Undo(ctx, 0, ""); return u.Result, err })
	case k == 18 && len(w.stack) > 0:
		w.say("the editor's own undo")
		was := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		w.update(w.shown(), was)
		w.h.TextDecided(ctx)
	case k == 19 && w.typing:
		w.types()
	}
}

func (w *undoWorld) did(what string, do func() (editing.Result, error)) editing.Result {
	r, err := do()
	w.say("%s: %s %s %v %s", what, r.Status, r.Code, r.Touched, r.Hint)
	if err != nil {
		w.fail("%s: %v", what, err)
	}
	return r
}

// stages has the agent propose something.
func (w *undoWorld) stages() {
	s, err := w.h.session("")
	if err != nil {
		w.t.Fatal(err)
	}
	w.n++
	name := slices.Sorted(maps.Keys(worldFiles))[w.r.IntN(len(worldFiles))]
	var e session.Edited
	switch k := w.r.IntN(8); {
	case k == 0:
		name = fmt.Sprintf("new/n%d.txt", w.n)
		e, err = s.Edit(session.By{}, name, "write", "", func(p session.Place) editing.Op {
			return editing.Write(editing.Writing{Meta: p.Meta, Path: p.Path, Name: p.Name, Content: fmt.Sprintf("made %d\n", w.n)})
		})
	case k == 1 && len(w.typed["b.txt"]) == 0: // else the person throws away what they typed
		name = "b.txt"
		e, err = s.Edit(session.By{}, name, "delete_file", "", func(p session.Place) editing.Op {
			return editing.DeleteFile(editing.Deletion{Meta: p.Meta, Path: p.Path})
		})
	default:
		var lines []string
		if d, err := s.Look(name, true); err == nil {
			lines = strings.Fields(d.Proposed(s.ID()).String())
		}
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "typed") })
		if len(lines) == 0 {
			return
		}
		old := lines[w.r.IntN(len(lines))]
		now := fmt.Sprintf("v%d.", w.n)
		switch w.r.IntN(3) {
		case 0:
			now = old + "\n" + now
		case 1:
			now += "\n" + fmt.Sprintf("and%d.", w.n)
		}
		e, err = replace(s, name, old, now)
	}
	w.say("stage in %s: %s %s %v", name, e.Status, e.Code, e.Touched)
	if refusal := (*session.Refusal)(nil); err != nil && !errors.As(err, &refusal) {
		w.say("%v", err)
	}
}

// types has somebody write a line of their own into a file.
func (w *undoWorld) types() {
	name := slices.Sorted(maps.Keys(worldFiles))[w.r.IntN(len(worldFiles))]
	was, ok := w.texts()[name]
	if !ok {
		return
	}
	w.n++
	line := fmt.Sprintf("typed%d.", w.n)
	at := 0
	for range w.r.IntN(strings.Count(was, "\n") + 1) {
		at += strings.IndexByte(was[at:], '\n') + 1
	}
	now := was[:at] + line + "\n" + was[at:]
	w.say("type %s into %s", line, name)
	w.typed[name] = append(w.typed[name], line)
	if name == openInWorld {
		w.stack = nil // its own undo would take it out again
		w.update(w.shown(), text.New(now))
		w.h.TextDecided(context.Background())
		return
	}
	w.write(name, now)
	w.h.FilesChanged(context.Background(), []string{w.path(name)})
}

// check looks for what was typed.
func (w *undoWorld) check() {
	w.t.Helper()
	now := w.texts()
	for name, lines := range w.typed {
		for _, l := range lines {
			if strings.Count(now[name], l+"\n") != 1 {
				w.fail("%s in %s is lost", l, name)
			}
		}
	}
}

// undoAll takes back what stands, the latest first, until nothing moves any more.
func (w *undoWorld) undoAll() {
	for moved := true; moved; {
		moved = false
		all, err := w.h.History()
		if err != nil {
			w.fail("%v", err)
		}
		for _, d := range all {
			if !d.Stands {
				continue
			}
			r := w.did("undo "+session.Called(d.Decision), func() (editing.Result, error) {
				u, err := w.h.Undo(context.Background(), 0, d.ID)
				return u.Result, err
			})
			w.rests()
			w.check()
			moved = moved || r.OK()
		}
	}
}

// end compares with the start.
func (w *undoWorld) end() {
	now := w.texts()
	for name := range w.typed {
		delete(now, name)
	}
	want := maps.Clone(worldFiles)
	maps.DeleteFunc(want, func(name, _ string) bool { return len(w.typed[name]) > 0 })
	if !maps.Equal(now, want) {
		w.fail("nobody typed, and the files are %q", now)
	}
}
