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
	// lockGrace covers the moment between taking a lock and writing the pid into it.
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
	return fmt.Sprintf("session %s is open in %s: wait for it, or look at the session read-only", e.ID, holderName(e.PID))
}

// takeLock locks a file and writes into it who has it. It is not ok if another
// has it when ctx is done; a free one is taken however late that is. The operating
// system frees it with the process, however that ends.
func takeLock(ctx context.Context, path string, retry time.Duration) (l *flock.Flock, ok bool, err error) {
	l = flock.New(path, flock.SetPermissions(fileMode))
	for late := 0; ; {
		if ok, err = l.TryLock(); ok || err != nil {
			break
		}
		if ctx.Err() != nil {
			if late++; late > lateTries || isHeld(path) {
				return nil, false, nil
			}
		}
		<-time.After(retry)
	}
	if err != nil {
		return nil, false, err
	}
	_ = os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())+"\n"), fileMode) // only to be told to who waits
	return l, true, nil
}

// lateTries bounds how long those are waited for who only look at a lock.
const lateTries = 500

// isHeld reports whether somebody has a lock, and does not only look at it.
func isHeld(path string) bool {
	l := flock.New(path)
	ok, err := l.TryRLock()
	if ok {
		_ = l.Unlock() // frees with the descriptor; there is nothing to do about a failure
	}
	return !ok && err == nil
}

// locked does something that no other process does meanwhile.
func locked(ctx context.Context, path string, do func() error) error {
	l, ok, err := takeLock(ctx, path, lockRetry)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%s holds %s: %w", holderName(lockHolder(path)), path, context.Cause(ctx))
	}
	return errors.Join(do(), l.Unlock())
}

// Rewrite replaces a small file, whole or not at all, while no other process does. Where made answers nothing, it stays.
func Rewrite(ctx context.Context, path string, made func() ([]byte, error)) error {
	return locked(ctx, path+".lock", func() error {
		data, err := made()
		if err != nil || data == nil {
			return err
		}
		return replaceFile(path, data)
	})
}

func holderName(pid int) string {
	if pid > 0 {
		return fmt.Sprintf("process %d", pid)
	}
	return "another process"
}

// acquire takes the lock of a session directory.
func acquire(ctx context.Context, dir string) (*flock.Flock, error) {
	path := filepath.Join(dir, lockFile)
	l, ok, err := takeLock(ctx, path, lockRetry)
	if err != nil {
		return nil, fmt.Errorf("lock session %s: %w", filepath.Base(dir), err)
	}
	if !ok {
		return nil, &LockedError{ID: filepath.Base(dir), PID: lockHolder(path)}
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
	if !isHeld(path) {
		return 0
	}
	if pid := lockHolder(path); pid != 0 {
		return pid
	}
	return -1
}
