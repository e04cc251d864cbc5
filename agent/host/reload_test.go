package host

import (
	"context"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

func TestSetSession(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	p.ask(h, "a.txt: one → ONE")
	old := h.Current()
	h.SetSession(func(cfg *session.Config) {
		cfg.Review, cfg.System = "auto", "Be short."
		cfg.Workspace, cfg.Home, cfg.Table = "/elsewhere", "/nowhere", nil
	})
	s, err := h.session(old)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Settings().Review; got != editing.Auto {
		t.Errorf("an open session does not commit by itself, but has the policy %s", got)
	}
	if _, err := h.NewSession(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	now, err := h.session("")
	if err != nil {
		t.Fatal(err)
	}
	req, _, err := now.Request()
	if err != nil || req.Messages[0].Content != "Be short." || now.Workspace() != p.root {
		t.Errorf("the new session in %s is told %q: %v", now.Workspace(), req.Messages[0].Content, err)
	}
	if r := p.ask(h, "a.txt: ONE → 1"); r.State != "done" || h.Workspace().Snapshot() == nil {
		t.Errorf("%+v", r)
	}
}
