package disk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gofrs/flock"
)

const lockRetry = time.Millisecond

// lockPatience is how long a batch waits for the batches of others. Each takes milliseconds.
var lockPatience = 5 * time.Second

// inProcess is the lock within this process: on some systems the other one binds processes only.
var inProcess = make(chan struct{}, 1)

// acquire takes the lock of all galley processes. The operating system frees it with the process.
func acquire(ctx context.Context, path string) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	select {
	case inProcess <- struct{}{}:
	case <-ctx.Done():
		return nil, busy(ctx)
	}
	if path == "" {
		return func() { <-inProcess }, nil
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	ok, err := l.TryLockContext(ctx, lockRetry)
	if ok {
		return func() { _ = l.Close(); <-inProcess }, nil
	}
	<-inProcess
	if ctx.Err() != nil {
		return nil, busy(ctx)
	}
	return nil, fmt.Errorf("lock: %w", err)
}

func busy(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return refuse(CodeBusy, "write.lock", "it was cancelled while another galley process was writing files; nothing was written")
	}
	return refuse(CodeBusy, "write.lock", "another galley process has been writing files for %v; nothing was written: try again when it is done", lockPatience)
}
