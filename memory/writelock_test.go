package memory

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestWriteLock(t *testing.T) {
	home := filepath.Join(t.TempDir(), "not", "made")
	one, two := NewWriteLock(home), NewWriteLock(home)
	one.patience, two.patience = 50*time.Millisecond, 50*time.Millisecond
	unlock, err := one.Lock(t.Context())
	ok(t, err)
	for name, l := range map[string]*WriteLock{"the same": one, "another": two} {
		var locked *WriteLockedError
		if _, err := l.Lock(t.Context()); !errors.As(err, &locked) || locked.PID != os.Getpid() || !strings.Contains(err.Error(), writeLockFile) {
			t.Errorf("%s: %v", name, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := l.Lock(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, given up: %v", name, err)
		}
	}
	inner := false
	ok(t, one.Do(one.Held(t.Context()), func(ctx context.Context) error {
		return one.Do(ctx, func(context.Context) error { inner = true; return nil })
	}))
	if !inner {
		t.Error("not done")
	}
	unlock()
	unlock()
	ok(t, two.Do(t.Context(), func(context.Context) error { return nil }))
	if err := one.Do(t.Context(), func(context.Context) error { return errFull }); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

// TestWriteLockOfAnotherProcess: the error says which; the lock dies with it.
func TestWriteLockOfAnotherProcess(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	ok(t, s.Close())
	// The second process holds a session; its lock is of the same kind.
	cmd, _ := holder(t, p, s.ID())
	l := &WriteLock{path: filepath.Join(s.Dir(), lockFile), turn: make(chan struct{}, 1), patience: 50 * time.Millisecond}
	var locked *WriteLockedError
	if _, err := l.Lock(t.Context()); !errors.As(err, &locked) || locked.PID != cmd.Process.Pid {
		t.Errorf("got %v, want process %d", err, cmd.Process.Pid)
	}
	ok(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed: that is its error
	unlock, err := l.Lock(t.Context())
	ok(t, err)
	unlock()
}

// TestWriteLockExcludes: of many goroutines, by two locks, one is inside at a time.
func TestWriteLockExcludes(t *testing.T) {
	home := t.TempDir()
	locks := []*WriteLock{NewWriteLock(home), NewWriteLock(home)}
	var all sync.WaitGroup
	var inside sync.Mutex
	for i := range 8 {
		all.Go(func() {
			for range 25 {
				err := locks[i%2].Do(t.Context(), func(context.Context) error {
					if !inside.TryLock() {
						return errors.New("two are inside")
					}
					inside.Unlock()
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// TestAppendUnderTheLock: a decision is journaled while its lock is held.
func TestAppendUnderTheLock(t *testing.T) {
	p := newPlace(t)
	l := NewWriteLock(p.home)
	w, err := OpenWorkspace(t.Context(), p.home, p.workspace, l.Lock)
	ok(t, err)
	ok(t, l.Do(t.Context(), func(ctx context.Context) error {
		id, err := w.Begin(ctx, someIntent("s"))
		if err != nil {
			return err
		}
		return w.End(ctx, id, Outcome{State: "done"})
	}))
	l.patience = 20 * time.Millisecond
	ok(t, l.Do(t.Context(), func(context.Context) error {
		var locked *WriteLockedError
		if _, err := w.Begin(t.Context(), someIntent("s")); !errors.As(err, &locked) {
			t.Errorf("without the context: %v", err)
		}
		return nil
	}))
	same(t, "open", openIDs(t, w, ""), []string{})
}
