package host

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
)

// run waits for a run to be as is asked.
func (p *place) run(h *Host, id, what string, cond func(Run) bool) Run {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for seq := int64(0); ; {
		runs, now, err := h.WaitRuns(ctx, seq)
		if err != nil {
			p.t.Fatalf("%s of %s: %v", what, id, err)
		}
		for _, r := range runs {
			if r.ID == id && cond(r) {
				return r
			}
		}
		seq = now
	}
}

// start asks and does not wait.
func (p *place) start(h *Host, prompt Prompt) string {
	p.t.Helper()
	if prompt.Path == "" {
		prompt.Start, prompt.End = -1, -1
	}
	id, _, err := h.Ask(context.Background(), prompt)
	if err != nil {
		p.t.Fatal(err)
	}
	return id
}

// A host that makes no runs itself says who does.
func TestAskWhereNoRunIsMade(t *testing.T) {
	p := newPlace(t, nil)
	h, err := Open(t.Context(), Config{Session: p.config()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if _, _, err := h.Ask(t.Context(), Prompt{Text: "x", Start: -1, End: -1}); err == nil || !strings.Contains(err.Error(), "galley/run/open") {
		t.Errorf("got %v", err)
	}
}

func TestAskStartsAndJoins(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	run, session, err := h.Ask(context.Background(), Prompt{Text: "do wait", Start: -1})
	if err != nil || session == "" || h.Current() != session {
		t.Fatal(run, session, err)
	}
	<-p.puppet.entered
	again, same, err := h.Ask(context.Background(), Prompt{Text: "do a.txt: one → ONE", Start: -1})
	if err != nil || again != run || same != session {
		t.Fatalf("a prompt during a run: %s of %s, %v", again, same, err)
	}
	if _, err := h.NewSession(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	other, elsewhere, err := h.Ask(context.Background(), Prompt{Text: "do a.txt: two → three", Start: -1})
	if err != nil || other == run || elsewhere == session {
		t.Fatalf("a prompt to another session: %s of %s, %v", other, elsewhere, err)
	}
	p.puppet.let <- struct{}{}
	if r := p.over(h, run); r.State != "done" || r.Text != "done" || r.Step != 3 {
		t.Errorf("%+v", r)
	}
	if r := p.over(h, other); r.State != "done" {
		t.Errorf("%+v", r)
	}
	if s := state(h.Workspace().Snapshot(), "A"); s != editing.Staged {
		t.Errorf("A is %s", s)
	}
	if r := p.ask(h, "a.txt: four → five"); r.ID == run || r.ID == other {
		t.Errorf("a prompt after the runs went to %s", r.ID)
	}
	if _, _, err := h.Ask(context.Background(), Prompt{Text: "x", Session: "01NOSUCH"}); err == nil {
		t.Error("a session that is not open took a prompt")
	}
}

func TestCancel(t *testing.T) {
	p := newPlace(t, nil)
	h := p.open()
	if err := h.Cancel(context.Background(), ""); err == nil {
		t.Error("nothing was cancelled")
	}
	first, _, _ := h.Ask(context.Background(), Prompt{Text: "do wait"})
	<-p.puppet.entered
	if _, err := h.NewSession(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	second, _, _ := h.Ask(context.Background(), Prompt{Text: "do wait"})
	<-p.puppet.entered
	if err := h.Cancel(context.Background(), ""); err == nil {
		t.Error("one of two runs was cancelled without a name")
	}
	if err := h.Cancel(context.Background(), first); err != nil {
		t.Error(err)
	}
	if r := p.over(h, first); r.State != "cancelled" {
		t.Errorf("%+v", r)
	}
	if err := h.Cancel(context.Background(), ""); err != nil { // the only one now
		t.Error(err)
	}
	if r := p.over(h, second); r.State != "cancelled" {
		t.Errorf("%+v", r)
	}
	if err := h.Cancel(context.Background(), first); err == nil {
		t.Error("a run that is over was cancelled")
	}
}

// Whoever asks late hears the same as whoever asks in time: waiting is for a level, not for an event.
func TestWaitsAreByLevel(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	r := p.ask(h, "a.txt: one → ONE")
	runs, seq, err := h.WaitRuns(context.Background(), 0)
	if last := runs[len(runs)-1]; err != nil || last.ID != r.ID || last.State != "done" {
		t.Errorf("%+v %d %v", runs, seq, err)
	}
	now, err := h.Wait(context.Background(), 0)
	if err != nil || now < seq { // a watcher may have looked since
		t.Errorf("the views are at %d, the runs at %d: %v", now, seq, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := h.WaitRuns(ctx, seq); !errors.Is(err, context.Canceled) {
		t.Error("a run moved by itself:", err)
	}
	if _, err := h.Wait(ctx, now+1<<20); !errors.Is(err, context.Canceled) {
		t.Error("a view moved by itself:", err)
	}
	if err := h.OpenSession(context.Background(), h.Current(), false); err != nil {
		t.Fatal(err)
	}
	if after, err := h.Wait(context.Background(), now); err != nil || after <= now {
		t.Errorf("at %d after %d: %v", after, now, err)
	}
}

// Close ends runs that hang; goleak looks for what is left. What is staged is there at the next start.
func TestCloseAndOpenAgain(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	p.ask(h, "a.txt: one → ONE")
	id := h.Current()
	run, _, _ := h.Ask(context.Background(), Prompt{Text: "do wait"})
	<-p.puppet.entered
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if r := p.over(h, run); r.State != "cancelled" {
		t.Errorf("%+v", r)
	}
	h = p.open()
	if h.Current() != id || state(h.Workspace().Snapshot(), "A") != editing.Staged {
		t.Errorf("%s is current, A is %s", h.Current(), state(h.Workspace().Snapshot(), "A"))
	}
	if w := p.warned(); w != "" {
		t.Error(w)
	}
}
