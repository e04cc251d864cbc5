package memory

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// moved is a folder with a session and its decisions, and where it was moved to.
func moved(t *testing.T) (from, to place, session string) {
	t.Helper()
	home, root := t.TempDir(), t.TempDir()
	from, to = place{home, filepath.Join(root, "old")}, place{home, filepath.Join(root, "new")}
	ok(t, os.Mkdir(from.workspace, 0o755))
	s := from.create(t)
	ok(t, s.Close())
	ok(t, os.Rename(from.workspace, to.workspace))
	return from, to, s.ID()
}

// journal is that of a workspace, at a time.
func (p place) journal(t *testing.T, at time.Time) *Workspace {
	t.Helper()
	w, err := OpenWorkspace(t.Context(), p.home, p.workspace, NewWriteLock(p.home).Lock)
	ok(t, err)
	w.now = func() time.Time { return at }
	return w
}

func TestAdopt(t *testing.T) {
	from, to, id := moved(t)
	noon := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
	old := from.journal(t, noon)
	blob, err := old.KeepBlob([]byte("was"))
	ok(t, err)
	_, err = old.Decided(t.Context(), Decision{ID: "first", What: "apply", Session: id})
	ok(t, err)
	_, err = old.Decided(t.Context(), Decision{ID: "other", What: "apply", Session: "elsewhere"})
	ok(t, err)
	_, err = old.Begin(t.Context(), Intent{ID: "over", Session: id, Op: "apply", Files: []IntentFile{{Path: "b.txt", Op: FileReplace, After: hashOf("x")}}})
	ok(t, err)
	ok(t, old.End(t.Context(), "over", Outcome{State: "done"}))
	_, err = old.Begin(t.Context(), Intent{ID: "open", Session: id, Op: "apply", Files: []IntentFile{{Path: "a.txt", Op: FileReplace, Blob: blob, After: hashOf("x")}}})
	ok(t, err)
	own := to.journal(t, noon.Add(time.Minute))
	_, err = own.Decided(t.Context(), Decision{ID: "later", What: "apply", Session: "mine"})
	ok(t, err)
	mine := to.create(t)
	ok(t, mine.Close())

	ids, err := Adopt(t.Context(), to.home, from.workspace, to.workspace)
	if err != nil || !slices.Equal(ids, []string{id}) {
		t.Fatalf("adopted %v, %v", ids, err)
	}
	if listed := to.listed(t); len(listed) != 2 || !slices.Contains(listed, id) {
		t.Errorf("listed %v", listed)
	}
	s, err := Open(to.home, to.workspace, id)
	ok(t, err)
	ok(t, s.Close())
	ok(t, own.Read()) // as a host does that was there before
	for _, w := range []*Workspace{own, to.journal(t, noon)} {
		var names []string
		for _, d := range w.Decisions() {
			names = append(names, d.ID)
		}
		if !slices.Equal(names, []string{"first", "later"}) {
			t.Errorf("the decisions are %v", names)
		}
		open, err := w.Open("")
		if err != nil || len(open) != 1 || open[0].ID != "open" || !open[0].Time.Equal(noon) {
			t.Errorf("the intents are %+v, %v", open, err)
		}
		if b, err := w.Blob(blob); err != nil || string(b) != "was" {
			t.Errorf("the blob is %q, %v", b, err)
		}
		if warnings := w.Warnings(); len(warnings) > 0 {
			t.Error(warnings)
		}
	}
	ok(t, own.End(t.Context(), "open", Outcome{State: "done"}))
	if _, err := Adopt(t.Context(), to.home, from.workspace, to.workspace); !errors.Is(err, ErrNothingThere) {
		t.Errorf("again: %v", err)
	}
}

// What is left halfway is taken over the next time, also by the name of a link that stands in its place.
func TestAdoptGoesOn(t *testing.T) {
	from, to, id := moved(t)
	dir, err := sessionDir(from.home, from.workspace, id)
	ok(t, err)
	m, err := readMeta(dir)
	ok(t, err)
	m.Workspace = canonical(to.workspace)
	ok(t, writeMeta(dir, m))
	ok(t, os.Symlink(to.workspace, from.workspace))
	if ids, err := Adopt(t.Context(), to.home, from.workspace, to.workspace); err != nil || len(ids) != 1 {
		t.Errorf("adopted %v, %v", ids, err)
	}
	if listed := to.listed(t); !slices.Equal(listed, []string{id}) {
		t.Errorf("listed %v", listed)
	}
}

func TestAdoptIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(t *testing.T, from, to place, id string) (undo func() error)
		want    error
	}{
		"the folder is there": {func(t *testing.T, from, _ place, _ string) func() error {
			ok(t, os.Mkdir(from.workspace, 0o755))
			return func() error { return os.Remove(from.workspace) }
		}, ErrStillThere},
		"a session is open": {func(t *testing.T, from, _ place, id string) func() error {
			s, err := Open(from.home, from.workspace, id)
			ok(t, err)
			return s.Close
		}, new(LockedError)},
		"it has a host": {func(t *testing.T, from, _ place, _ string) func() error {
			l, err := LockHost(t.Context(), from.home, from.workspace, Hosting{Command: "galley serve"})
			ok(t, err)
			return l.Close
		}, new(HostedError)},
	} {
		t.Run(name, func(t *testing.T) {
			from, to, id := moved(t)
			undo := c.prepare(t, from, to, id)
			ids, err := Adopt(t.Context(), to.home, from.workspace, to.workspace)
			is := errors.Is(err, c.want)
			switch c.want.(type) {
			case *LockedError:
				is = errors.As(err, new(*LockedError))
			case *HostedError:
				is = errors.As(err, new(*HostedError))
			}
			if !is || len(ids) > 0 || len(to.listed(t)) > 0 {
				t.Errorf("adopted %v, %v", ids, err)
			}
			ok(t, undo())
			if ids, err := Adopt(t.Context(), to.home, from.workspace, to.workspace); err != nil || len(ids) != 1 {
				t.Errorf("then: %v, %v", ids, err)
			}
		})
	}
}
