package memory

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
)

// holdEnv makes this test binary a second process: one that opens the session
// named there and holds it until its standard input ends.
const holdEnv = "GALLEY_TEST_HOLD"

func TestMain(m *testing.M) {
	if what := os.Getenv(holdEnv); what != "" {
		hold(strings.Split(what, "\n"))
	}
	if what := os.Getenv(childEnv); what != "" {
		child(strings.Split(what, "\n"))
	}
	os.Exit(m.Run())
}

func hold(args []string) {
	s, err := Open(args[0], args[1], args[2])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("held")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := s.Close(); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// holder is a second process with the session open.
func holder(t *testing.T, p place, id string) (cmd *exec.Cmd, letGo func()) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdEnv+"="+strings.Join([]string{p.home, p.workspace, id}, "\n"))
	in, err := cmd.StdinPipe()
	ok(t, err)
	out, err := cmd.StdoutPipe()
	ok(t, err)
	ok(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "held\n" {
		t.Fatalf("the second process says %q, %v", line, err)
	}
	return cmd, func() { in.Close() }
}

func TestLockInASecondProcess(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	play(t, s, "U:mine")
	ok(t, s.Close())
	cmd, letGo := holder(t, p, s.ID())

	var locked *LockedError
	if _, err := Open(p.home, p.workspace, s.ID()); !errors.As(err, &locked) || locked.PID != cmd.Process.Pid {
		t.Fatalf("got %v, want to be told of process %d", err, cmd.Process.Pid)
	}
	list, err := List(p.home, p.workspace)
	if err != nil || len(list) != 1 || list[0].LockedBy != cmd.Process.Pid {
		t.Errorf("listed as %+v, %v", list, err)
	}
	attached, err := OpenReadOnly(p.home, p.workspace, s.ID())
	ok(t, err)
	if got := written(attached.Messages()); got != "U:mine" {
		t.Errorf("attached read-only: %s", got)
	}
	if err := attached.AddUser("x"); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a reader wrote: %v", err)
	}

	opened := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		waited, err := OpenWait(ctx, p.home, p.workspace, s.ID())
		if err == nil {
			err = waited.Close()
		}
		opened <- err
	}()
	letGo()
	if err := <-opened; err != nil {
		t.Errorf("whoever waits gets it: %v", err)
	}
	ok(t, cmd.Wait())
}

// TestLockDiesWithItsProcess: after kill -9 the session opens at once.
func TestLockDiesWithItsProcess(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	ok(t, s.Close())
	cmd, _ := holder(t, p, s.ID())
	ok(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed: that is its error
	again, err := Open(p.home, p.workspace, s.ID())
	ok(t, err)
	ok(t, again.Close())
}

func TestLockInTheSameProcess(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	var locked *LockedError
	if _, err := Open(p.home, p.workspace, s.ID()); !errors.As(err, &locked) || locked.PID != os.Getpid() {
		t.Fatalf("got %v", err)
	}
	ok(t, s.Close())
	ok(t, s.Close())
	if err := s.AddUser("x"); !errors.Is(err, errClosed) {
		t.Errorf("after Close: %v", err)
	}
	if list, _ := List(p.home, p.workspace); list[0].LockedBy != 0 {
		t.Errorf("listed as locked by %d", list[0].LockedBy)
	}
	ok(t, os.WriteFile(filepath.Join(s.Dir(), lockFile), []byte("who knows"), 0o600))
	if by := lockHolder(filepath.Join(s.Dir(), lockFile)); by != 0 {
		t.Errorf("a pid from nonsense: %d", by)
	}
}

func TestToolSession(t *testing.T) {
	p := newPlace(t)
	if id, err := ToolSession(p.home, p.workspace); id != "" || err != nil {
		t.Fatalf("got %q, %v", id, err)
	}
	one, two := p.create(t).ID(), p.create(t).ID()
	claim := func(saw, id, want string) {
		t.Helper()
		got, err := claimToolSession(t.Context(), p.home, p.workspace, saw, id)
		if err != nil || got != want {
			t.Fatalf("claim of %s: %s, %v, want %s", id, got, err, want)
		}
		if now, _ := ToolSession(p.home, p.workspace); now != want {
			t.Fatalf("it is now %s", now)
		}
	}
	claim("", one, one)
	claim("", two, one) // both were first; the second goes on in the first one's
	claim(one, two, two)
	if _, err := claimToolSession(t.Context(), p.home, p.workspace, two, "../x"); !errors.Is(err, ErrNoSession) {
		t.Errorf("got %v", err)
	}
}

// Where it cannot be noted as the one of tool calls, the session that was just made is free again.
func TestToolSessionThatCannotBeNoted(t *testing.T) {
	p := newPlace(t)
	dir, err := WorkspaceDir(t.Context(), p.home, p.workspace)
	ok(t, err)
	ok(t, os.MkdirAll(filepath.Join(dir, toolSessionFile+".lock"), dirMode)) // no file to lock
	if id, err := NameToolSession(t.Context(), p.home, p.workspace, Meta{}); err == nil {
		t.Fatalf("%s is named", id)
	}
	list, err := List(p.home, p.workspace)
	ok(t, err)
	for _, in := range list {
		if in.LockedBy != 0 {
			t.Errorf("%s is still held", in.ID)
		}
	}
	if len(list) != 1 {
		t.Errorf("%d sessions", len(list))
	}
}

// On a busy machine the time for a lock may be over before it is first asked for.
func TestFreeLockIsTakenHoweverLate(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l, taken, err := takeLock(ctx, filepath.Join(t.TempDir(), lockFile), lockRetry)
	if err != nil || !taken {
		t.Fatalf("a free lock is not taken: %v", err)
	}
	ok(t, l.Unlock())
}

// Who only looks whether a session is open keeps nobody from opening it, however long that takes.
func TestLockThatIsLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		looks := flock.New(filepath.Join(dir, lockFile))
		if shared, err := looks.TryRLock(); err != nil || !shared {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		opened := make(chan error, 1)
		go func() {
			l, err := acquire(ctx, dir)
			if err == nil {
				err = l.Unlock()
			}
			opened <- err
		}()
		synctest.Wait()
		select {
		case err := <-opened:
			t.Fatalf("not waited for: %v", err)
		default:
		}
		ok(t, looks.Unlock())
		ok(t, <-opened)
	})
}
