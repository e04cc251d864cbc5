package dial

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

const (
	// linger is how long a host outlives its last client: another may be about to come.
	linger = time.Second
	// firstClient is how long it waits for who started it.
	firstClient = 5 * time.Second
)

// Clients serves who connects to a host, each in a goroutine of its own, until the last
// one has left for a second, or ctx ends. It closes the listener first, so that nobody
// comes to a host that ends, and the connections that are left.
func Clients(ctx context.Context, l net.Listener, serve func(context.Context, net.Conn)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		mu    sync.Mutex // guards the rest
		there int
		idle  = time.AfterFunc(firstClient, cancel)
		work  sync.WaitGroup
	)
	defer work.Wait()
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		mu.Lock()
		there++
		idle.Stop()
		mu.Unlock()
		work.Go(func() {
			defer context.AfterFunc(ctx, func() { _ = c.Close() })()
			serve(ctx, c)
			_ = c.Close() // it may be closed already
			mu.Lock()
			defer mu.Unlock()
			if there--; there == 0 {
				idle.Reset(linger)
			}
		})
	}
}
