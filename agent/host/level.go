package host

import (
	"context"
	"sync"
)

// level is a lock on which to wait for what it guards to be as is wanted.
type level struct {
	sync.Mutex
	wake chan struct{}
}

// bump wakes whoever waits. It is called with the lock held, after a change.
func (l *level) bump() {
	if l.wake != nil {
		close(l.wake)
		l.wake = nil
	}
}

// next is closed with the next change. It is called with the lock held.
func (l *level) next() <-chan struct{} {
	if l.wake == nil {
		l.wake = make(chan struct{})
	}
	return l.wake
}

// until returns when there is what is wanted, which is asked with the lock held, or when ctx ends.
func (l *level) until(ctx context.Context, wanted func() bool) error {
	for {
		l.Lock()
		there, wake := wanted(), l.next()
		l.Unlock()
		if there {
			return nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
