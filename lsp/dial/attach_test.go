package dial

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/memory"
)

// hosts is a folder with hosts that live in this process.
type hosts struct {
	t         *testing.T
	home, dir string

	mu      sync.Mutex // guards the rest
	started int        // that became the host
	stop    func()
}

func newHosts(t *testing.T, home string) *hosts {
	t.Helper()
	h := &hosts{t: t, home: home, dir: t.TempDir(), stop: func() {}}
	t.Cleanup(func() { h.end() })
	return h
}

func (h *hosts) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stop()
	h.stop = func() {}
}

// start is what a process does that is to be the host.
func (h *hosts) start(context.Context) error {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	lock, err := memory.LockHost(now, h.home, h.dir, memory.Hosting{Command: "galley host"})
	var other *memory.HostedError
	if errors.As(err, &other) {
		return nil // somebody was quicker
	}
	if err != nil {
		return err
	}
	l, err := Listen(lock)
	if err != nil {
		return errors.Join(err, lock.Close())
	}
	var echoing sync.WaitGroup
	echoing.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			echoing.Go(func() {
				defer c.Close()
				b := make([]byte, 1)
				if _, err := c.Read(b); err == nil {
					_, _ = c.Write(b)
				}
			})
		}
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	h.started++
	h.stop = func() {
		_ = l.Close()
		echoing.Wait()
		_ = lock.Close()
	}
	return nil
}

func (h *hosts) workspace() Workspace { return Workspace{Home: h.home, Path: h.dir, Start: h.start} }

// speaks fails the test unless a host is at the other end.
func speaks(t *testing.T, c net.Conn, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	b := []byte("x")
	if _, err := c.Write(b); err != nil {
		t.Error(err)
	}
	if _, err := c.Read(b); err != nil {
		t.Error(err)
	}
}

// However many come at once, one of them starts the host, and all reach it.
func TestDialRaces(t *testing.T) {
	h := newHosts(t, t.TempDir())
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			c, err := h.workspace().Dial(t.Context())
			speaks(t, c, err)
		})
	}
	all.Wait()
	if h.started != 1 {
		t.Errorf("%d became the host", h.started)
	}
	h.end()
	c, err := h.workspace().Dial(t.Context()) // and the next one, after it has ended
	speaks(t, c, err)
	if _, err := (Workspace{Home: h.home, Path: t.TempDir()}).Dial(t.Context()); !errors.Is(err, ErrNoHost) {
		t.Errorf("where none is to be started: %v", err)
	}
}

// A socket that a killed host left is of no use to anybody, and is removed.
func TestDialAfterAKill(t *testing.T) {
	h := newHosts(t, t.TempDir())
	c, err := h.workspace().Dial(t.Context())
	speaks(t, c, err)
	was, _ := memory.HostOf(h.home, h.dir)
	h.end()
	left, err := net.Listen("unix", was.Address)
	if err != nil {
		t.Fatal(err)
	}
	left.(*net.UnixListener).SetUnlinkOnClose(false)
	_ = left.Close()
	c, err = h.workspace().Dial(t.Context())
	speaks(t, c, err)
	if _, err := os.Lstat(was.Address); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old socket: %v", err)
	}
	if now, _ := memory.HostOf(h.home, h.dir); now.Epoch <= was.Epoch || now.Address == was.Address {
		t.Errorf("%+v after %+v", now, was)
	}
}

// Where the path of a socket would be too long, it lies elsewhere.
func TestDialFarAway(t *testing.T) {
	home := filepath.Join(t.TempDir(), strings.Repeat("a long name ", 12), strings.Repeat("b", 60))
	h := newHosts(t, home)
	c, err := h.workspace().Dial(t.Context())
	speaks(t, c, err)
	was, _ := memory.HostOf(h.home, h.dir)
	h.end()
	if _, err := os.Lstat(filepath.Dir(was.Address)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder is left: %v", err)
	}
}

// Who has the workspace is tried for 3 s, and a host that starts on a slow disk for 30, which is told.
func TestDialPatience(t *testing.T) {
	for _, c := range []struct {
		command string
		waits   time.Duration
	}{
		{"galley tool", attachPatience},
		{HostCommand, startPatience},
	} {
		t.Run(c.command, func(t *testing.T) {
			home, dir := t.TempDir(), t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				lock, err := memory.LockHost(t.Context(), home, dir, memory.Hosting{Command: c.command})
				if err != nil {
					t.Fatal(err)
				}
				defer lock.Close()
				began, told := time.Now(), ""
				w := Workspace{Home: home, Path: dir, Slow: func(why string) { told = why }}
				_, err = w.Dial(t.Context())
				if !errors.As(err, new(*memory.HostedError)) {
					t.Error(err)
				}
				if took := time.Since(began); took < c.waits || took > c.waits+time.Second {
					t.Errorf("it was tried for %v, want %v", took, c.waits)
				}
				if !strings.Contains(told, dir) {
					t.Errorf("told: %q", told)
				}
			})
		})
	}
}

// Processes that are there for a moment, one after the other, hold nobody up for good.
func TestDialBehindMany(t *testing.T) {
	h := newHosts(t, t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		left := 6
		var next func()
		next = func() {
			lock, err := memory.LockHost(t.Context(), h.home, h.dir, memory.Hosting{Command: "galley review"})
			if err != nil {
				t.Error(err)
				return
			}
			time.AfterFunc(attachPatience*2/3+1, func() { // between two tries
				_ = lock.Close()
				if left--; left > 0 {
					next()
				}
			})
		}
		next()
		_, err := (Workspace{Home: h.home, Path: h.dir}).Dial(t.Context())
		synctest.Wait()
		if !errors.Is(err, ErrNoHost) || left > 0 {
			t.Errorf("%v, and %d were to come", err, left)
		}
	})
}

func TestDialRefuses(t *testing.T) {
	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	h := newHosts(t, t.TempDir())
	lock, err := memory.LockHost(t.Context(), h.home, h.dir, memory.Hosting{Command: "galley tool"})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	var hosted *memory.HostedError
	if _, err := h.workspace().Dial(soon); !errors.As(err, &hosted) || hosted.PID != os.Getpid() || !strings.Contains(err.Error(), "galley tool (process") {
		t.Errorf("of a process that does not listen: %v", err)
	}
	l, err := Listen(lock)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Chmod(lock.Dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := h.workspace().Dial(t.Context()); !errors.Is(err, errForeign) {
		t.Errorf("in a folder that all can enter: %v", err)
	}
	if err := errors.Join(os.Chmod(lock.Dir(), 0o700), lock.Listens(l.Addr().String(), lsp.Protocol+1)); err != nil {
		t.Fatal(err)
	}
	if _, err := h.workspace().Dial(t.Context()); !errors.As(err, &hosted) || !strings.HasSuffix(err.Error(), "galley host stop --force ends it, with the runs that go on there") {
		t.Errorf("of another protocol: %v", err)
	}
}
