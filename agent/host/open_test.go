package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

// One process that has the workspace is waited for for some seconds, and many that follow each other until all are gone.
func TestLockWorkspace(t *testing.T) {
	for n := range 6 {
		for _, ends := range []bool{true, false} {
			t.Run(fmt.Sprint(n, ends), func(t *testing.T) {
				home, dir := t.TempDir(), t.TempDir()
				synctest.Test(t, func(t *testing.T) {
					left := n
					var held *memory.HostLock
					var next func()
					next = func() {
						l, err := memory.LockHost(t.Context(), home, dir, memory.Hosting{Command: "galley review"})
						if err != nil {
							t.Error(err)
							return
						}
						if held = l; left == 0 && !ends {
							return
						}
						time.AfterFunc(hostPatience*2/3+1, func() { // between two tries
							_ = held.Close()
							if left--; left >= 0 {
								next()
							}
						})
					}
					next()
					began := time.Now()
					h := &Host{Underway: &Underway{}, home: home, cfg: Config{Session: session.Config{Workspace: dir}}}
					err := h.lockWorkspace(t.Context())
					took := time.Since(began)
					synctest.Wait()
					if left > 0 {
						t.Errorf("%d were to come", left)
					}
					if !ends {
						_ = held.Close()
						if spent := took - time.Duration(n)*hostPatience*2/3; !errors.As(err, new(*memory.HostedError)) || spent > 5*hostPatience/2 {
							t.Errorf("%v, after %v", err, took)
						}
						return
					}
					if err != nil {
						t.Fatalf("%v, after %v", err, took)
					}
					if err := h.lock.Close(); err != nil {
						t.Error(err)
					}
				})
			})
		}
	}
}

// Which sessions a host takes up: those that wait for the user, the oldest first, and which one is current.
func TestOpen(t *testing.T) {
	const a, b = "one\n", "two\n"
	for _, c := range []struct {
		name    string
		before  func(p *place) (want []string, current string)
		warning string
	}{
		{"nothing", func(*place) ([]string, string) { return nil, "" }, ""},
		{"without changes", func(p *place) ([]string, string) {
			s, err := session.Open(p.config())
			if err != nil {
				p.t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				p.t.Fatal(err)
			}
			return nil, ""
		}, ""},
		{"one", func(p *place) ([]string, string) {
			id := p.staged("a.txt", "one", "ONE")
			return []string{id}, id
		}, ""},
		{"the tool session", func(p *place) ([]string, string) {
			cfg := p.config()
			id, err := memory.NameToolSession(p.t.Context(), cfg.Home, cfg.Workspace, memory.Meta{})
			if err != nil {
				p.t.Fatal(err)
			}
			s := p.session(id, "a.txt", "one", "ONE")
			if err := s.Close(); err != nil {
				p.t.Fatal(err)
			}
			newer := p.staged("b.txt", "two", "TWO")
			return []string{id, newer}, newer
		}, ""},
		{"locked", func(p *place) ([]string, string) {
			s := p.session("", "a.txt", "one", "ONE")
			p.t.Cleanup(func() { _ = s.Close() })
			return nil, ""
		}, "is open in process"},
		{"the same letter twice", func(p *place) ([]string, string) {
			older := p.staged("a.txt", "one", "ONE")
			newer := p.staged("b.txt", "two", "TWO")
			return []string{older, newer}, newer
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"a.txt": a, "b.txt": b})
			want, current := c.before(p)
			h := p.open()
			if got := ids(h); strings.Join(got, " ") != strings.Join(want, " ") || h.Current() != current {
				t.Errorf("open are %v with %q current, want %v and %q", got, h.Current(), want, current)
			}
			if w := p.warned(); (c.warning == "") != (w == "") || !strings.Contains(w, c.warning) {
				t.Errorf("warned %q, want %q", w, c.warning)
			}
		})
	}
}

// The older session keeps its letters. Person and agent hear what the others are called now.
func TestOpenRenames(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
	older := p.staged("a.txt", "one", "ONE")
	newer := p.staged("b.txt", "two", "TWO")
	for range 2 { // and once more, as the next start finds it
		h := p.open()
		for letter, owner := range map[string]string{"A": older, "B": newer} {
			if c, ok := h.Workspace().Snapshot().Change(letter); !ok || c.Owner != owner {
				t.Errorf("%s is %+v", letter, c)
			}
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	}
	h := p.open()
	if w := strings.Join(h.heard(0), "\n"); strings.Contains(w, "is B now") {
		t.Errorf("it is told again: %s", w)
	}
	s, err := h.session(newer)
	if err != nil {
		t.Fatal(err)
	}
	if heard, _, err := s.Notices(); err != nil || !strings.Contains(heard, "A in b.txt is B now") {
		t.Errorf("%v: the agent hears %q", err, heard)
	}
}

// A workspace has one host.
func TestOneHost(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	first := p.open()
	cfg := Config{Session: p.config(), Start: p.puppet.start}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var hosted *memory.HostedError
	if _, err := Open(ctx, cfg); !errors.As(err, &hosted) || hosted.PID != os.Getpid() {
		t.Errorf("the second hears %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
}

func ids(h *Host) []string {
	var out []string
	for _, s := range h.all() {
		out = append(out, s.ID())
	}
	return out
}

func TestOpenSession(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	first, err := h.NewSession(context.Background(), "the first")
	if err != nil {
		t.Fatal(err)
	}
	second, err := h.NewSession(context.Background(), "")
	if err != nil || h.Current() != second {
		t.Fatal(err, h.Current())
	}
	if err := h.OpenSession(context.Background(), first, false); err != nil || h.Current() != first {
		t.Error(err, h.Current())
	}
	if err := h.OpenSession(context.Background(), "01NOSUCH", false); err == nil || h.Current() != first {
		t.Errorf("a session that is not there: %v, current %s", err, h.Current())
	}
	locked := p.session("", "a.txt", "one", "ONE")
	defer func() { _ = locked.Close() }()
	if err := h.OpenSession(context.Background(), locked.ID(), false); err == nil {
		t.Error("a session that somebody holds was opened")
	}
	infos, err := h.Sessions(context.Background())
	if err != nil || len(infos) != 3 {
		t.Fatal(infos, err)
	}
	for _, in := range infos {
		pending, holder := 0, 0
		if in.ID == locked.ID() {
			pending, holder = 1, os.Getpid()
		}
		if in.Pending != pending || in.LockedBy != holder {
			t.Errorf("%s %q: pending %d, locked by %d", in.ID, in.Title, in.Pending, in.LockedBy)
		}
	}
}
