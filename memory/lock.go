package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const lockFile = "lock"

const (
	// lockGrace covers the moment in which a listing looks at a lock, and the
	// one between taking a lock and writing the pid into it.
	lockGrace = 100 * time.Millisecond
	lockRetry = 10 * time.Millisecond
)

// LockedError says that another process, or another Store of this one, has the
// session open.
type LockedError struct {
	ID  string
	PID int // 0: unknown
}

func (e *LockedError) Error() string {
	by := "another process"
	if e.PID != 0 {
		by = fmt.Sprintf("process %d", e.PID)
	}
	return fmt.Sprintf("session %s is open in %s: wait for it, or look at the session read-only", e.ID, by)
}

// acquire takes the lock of a session directory. The operating system frees it
// with the process, however that ends.
func acquire(ctx context.Context, dir string) (*flock.Flock, error) {
	path := filepath.Join(dir, lockFile)
	l := flock.New(path, flock.SetPermissions(fileMode))
	ok, err := l.TryLockContext(ctx, lockRetry)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return nil, fmt.Errorf("lock session %s: %w", filepath.Base(dir), err)
	}
	if !ok {
		return nil, &LockedError{ID: filepath.Base(dir), PID: lockHolder(path)}
	}
	if err := os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())+"\n"), fileMode); err != nil {
		return nil, errors.Join(fmt.Errorf("lock session %s: %w", filepath.Base(dir), err), l.Unlock())
	}
	return l, nil
}

// lockHolder reads who wrote into a lock file last.
func lockHolder(path string) int {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return 0
	}
	return pid
}

// lockedBy is the process that has a session open: 0 if none has, -1 if it did
// not say who it is. It does not make a lock file where there is none.
func lockedBy(dir string) int {
	path := filepath.Join(dir, lockFile)
	if _, err := os.Stat(path); err != nil {
		return 0
	}
	l := flock.New(path)
	ok, err := l.TryRLock()
	if ok {
		_ = l.Unlock() // frees with the descriptor; there is nothing to do about a failure
	}
	if ok || err != nil {
		return 0
	}
	if pid := lockHolder(path); pid != 0 {
		return pid
	}
	return -1
}
