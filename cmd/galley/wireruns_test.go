package main

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/lsp/lsptest"
	"github.com/galley-ls/galley/memory"
)

// slow is a model that says why nothing comes, and then waits to be let go.
type slow struct{ let chan struct{} }

func (slow) Name() string { return "slow" }

func (m slow) Stream(ctx context.Context, req memory.Request, news func(model.Delta)) (model.Reply, error) {
	news(model.Delta{Waiting: "429 from localhost, again in 4 s"})
	select {
	case <-m.let:
	case <-ctx.Done():
		return model.Reply{}, ctx.Err()
	}
	heard := ""
	for _, m := range req.Messages[:len(req.Messages)-1] {
		if m.Role == memory.RoleUser {
			heard = m.Content
		}
	}
	return model.Reply{Message: memory.Message{Content: "heard " + heard}, Usage: memory.Usage{Input: 10, Cached: 4}}, nil
}

// shownRun is the last galley/run of a run.
type shownRun struct{ State, Text, Error string }

func (w *wire) awaitRun(t *testing.T, id, what string, cond func(shownRun) bool) {
	t.Helper()
	w.Await(t, id+" "+what, func(s *lsptest.Screen) bool {
		var r shownRun
		return json.Unmarshal(s.Runs[id], &r) == nil && cond(r)
	})
}

// prompt asks and answers the run's name.
func (w *wire) prompt(t *testing.T, text string, queue bool) string {
	t.Helper()
	w.runs = true
	var run struct{ Run string }
	if err := json.Unmarshal(w.command(t, "galley.ask", map[string]any{"prompt": text, "queue": queue}), &run); err != nil {
		t.Fatal(err)
	}
	return run.Run
}

func TestWirePromptsDuringARun(t *testing.T) {
	m := slow{make(chan struct{})}
	w := newWire(t, lsptest.VSCode().With("experimental.galley.notifications", true), wireOptions{model: m})
	defer w.close(t)
	run := w.prompt(t, "first", false)
	w.awaitRun(t, run, "waits", func(r shownRun) bool {
		return r.State == "waiting" && r.Text == "429 from localhost, again in 4 s"
	})
	w.Await(t, "the progress says so", func(s *lsptest.Screen) bool {
		return s.Progress["galley-run-"+run].Message == "step 1: waiting: 429 from localhost, again in 4 s"
	})
	if w.prompt(t, "last", true) != run || w.prompt(t, "second", false) != run {
		t.Error("a prompt started another run")
	}
	for range 3 { // prompts
		m.let <- struct{}{}
	}
	w.awaitRun(t, run, "is done", func(r shownRun) bool { return r.State == "done" && r.Text == "heard last" })
	w.Await(t, "what the server had cached", func(s *lsptest.Screen) bool {
		var c struct{ CachedPercent int }
		return s.Note("galley/context", &c) && c.CachedPercent == 40
	})

	run = w.prompt(t, "again", false)
	w.awaitRun(t, run, "waits", func(r shownRun) bool { return r.State == "waiting" })
	w.prompt(t, "not heard", true)
	w.command(t, "galley.cancel")
	w.awaitRun(t, run, "is cancelled", func(r shownRun) bool { return r.State == "cancelled" })
	w.Await(t, "the prompt is told back", func(s *lsptest.Screen) bool { return s.Message("before the agent heard “not heard”; ask again") })
}
