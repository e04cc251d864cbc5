package host

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
)

// Which sessions a host takes up: those that wait for the user, are free, and are no single tool calls; newest first.
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
			s := p.session(session.Config{Tool: true}, "a.txt", "one", "ONE")
			if err := s.Close(); err != nil {
				p.t.Fatal(err)
			}
			id := p.staged("b.txt", "two", "TWO")
			return []string{id}, id
		}, ""},
		{"locked", func(p *place) ([]string, string) {
			s := p.session(session.Config{}, "a.txt", "one", "ONE")
			p.t.Cleanup(func() { _ = s.Close() })
			return nil, ""
		}, ""},
		{"a clash", func(p *place) ([]string, string) {
			older := p.staged("a.txt", "one", "ONE")
			newer := p.staged("b.txt", "two", "TWO")
			p.t.Cleanup(func() {
				if w := p.warned(); !strings.Contains(w, older) || !strings.Contains(w, newer) {
					p.t.Errorf("the warning does not name both %s and %s: %s", older, newer, w)
				}
			})
			return []string{newer}, newer
		}, "undecided changes A"},
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
	locked := p.session(session.Config{}, "a.txt", "one", "ONE")
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
