package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const writeLockFile = "write.lock"

const (
	// writePatience bounds how long the write lock is waited for: whoever has it
	// only compares and exchanges files.
	writePatience = 10 * time.Second
	writeRetry    = time.Millisecond
)

// Locker takes a lock, or says why it cannot be had. unlock may be called twice.
type Locker func(ctx context.Context) (unlock func(), err error)

// WriteLock is the one lock under which galley processes write users' files and the
// journals of workspaces. A process makes one for all its goroutines; two of them
// exclude each other as well.
type WriteLock struct {
	path     string
	turn     chan struct{} // held by the goroutine that has the lock, or asks the system for it
	patience time.Duration
}

// WriteLockedError says that the write lock could not be had.
type WriteLockedError struct {
	PID  int // who has it, 0: unknown
	Path string
}

func (e *WriteLockedError) Error() string {
	return fmt.Sprintf("%s has been writing files for too long (it holds %s): nothing was changed; try again, or end that process", holderName(e.PID), e.Path)
}

// NewWriteLock is the lock of all processes with this home.
func NewWriteLock(home string) *WriteLock {
	return &WriteLock{path: filepath.Join(home, writeLockFile), turn: make(chan struct{}, 1), patience: writePatience}
}

// Path is the file that is locked, for whoever takes the lock by other means.
func (l *WriteLock) Path() string { return l.path }

type heldKey struct{ path string }

// Held marks a context for calls that are made while the lock is held: in them
// Lock and Do find it taken already.
func (l *WriteLock) Held(ctx context.Context) context.Context {
	return context.WithValue(ctx, heldKey{l.path}, true)
}

// Lock is a Locker. It waits at most 10 s; if another had the lock all the time the
// error is a *WriteLockedError.
func (l *WriteLock) Lock(ctx context.Context) (unlock func(), err error) {
	if ctx.Value(heldKey{l.path}) != nil {
		return func() {}, nil
	}
	if err := os.MkdirAll(filepath.Dir(l.path), dirMode); err != nil {
		return nil, fmt.Errorf("make the write lock: %w", err)
	}
	wait, cancel := context.WithTimeout(ctx, l.patience)
	defer cancel()
	select {
	case l.turn <- struct{}{}:
	case <-wait.Done():
		return nil, l.refused(ctx)
	}
	f, ok, err := takeLock(wait, l.path, writeRetry)
	if err != nil || !ok {
		<-l.turn
		if err != nil {
			return nil, fmt.Errorf("take the write lock: %w", err)
		}
		return nil, l.refused(ctx)
	}
	return sync.OnceFunc(func() {
		_ = f.Unlock() // frees with the descriptor
		<-l.turn
	}), nil
}

// refused tells a caller who gave up from one who waited in vain.
func (l *WriteLock) refused(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Errorf("wait for the write lock: %w", context.Cause(ctx))
	}
	return &WriteLockedError{lockHolder(l.path), l.path}
}

// Do does something under the lock; with the context that it gets, calls find the
// lock taken.
func (l *WriteLock) Do(ctx context.Context, do func(context.Context) error) error {
	unlock, err := l.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return do(l.Held(ctx))
}
