package dial

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// memoryListener hands over connections that live in memory.
type memoryListener struct {
	conns chan net.Conn
	over  chan struct{}
}

func (l *memoryListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.over:
		return nil, net.ErrClosed
	}
}

func (l *memoryListener) Close() error {
	close(l.over)
	return nil
}

func (l *memoryListener) Addr() net.Addr { return nil }

func (l *memoryListener) come() net.Conn {
	a, b := net.Pipe()
	l.conns <- b
	return a
}

// hosted runs a host whose clients stay until they close their end.
func hosted(ctx context.Context) (*memoryListener, chan struct{}) {
	l, ended := &memoryListener{make(chan net.Conn), make(chan struct{})}, make(chan struct{})
	go func() {
		_ = Clients(ctx, l, func(_ context.Context, c net.Conn) { _, _ = c.Read(make([]byte, 1)) })
		close(ended)
	}()
	return l, ended
}

func TestHostEndsAfterItsLastClient(t *testing.T) {
	after := func(what string, ended chan struct{}, d time.Duration) {
		t.Helper()
		begun := time.Now()
		<-ended
		if got := time.Since(begun); got != d {
			t.Errorf("%s: it ended after %v, want %v", what, got, d)
		}
	}
	pass := func(d time.Duration) { <-time.After(d) } // to a later moment of the bubble, whose time is its own
	synctest.Test(t, func(t *testing.T) {
		_, nobody := hosted(t.Context())
		after("nobody comes", nobody, firstClient)

		l, ended := hosted(t.Context())
		a, b := l.come(), l.come()
		pass(time.Hour)
		_ = a.Close()
		pass(time.Hour)
		_ = b.Close()
		pass(linger / 2)
		c := l.come() // just in time
		pass(time.Hour)
		_ = c.Close()
		after("the last has left", ended, linger)

		ctx, cancel := context.WithCancel(t.Context())
		l, ended = hosted(ctx)
		d := l.come()
		cancel()
		after("it is told to end", ended, 0)
		if _, err := d.Read(make([]byte, 1)); err == nil {
			t.Error("its client is not told")
		}
	})
}

// A socket that cannot be listened on ends the host.
func TestClientsOfABrokenListener(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if err := Clients(t.Context(), l, func(context.Context, net.Conn) {}); err != nil {
		t.Errorf("a closed listener is an end in order: %v", err)
	}
}
