package desk

import (
	"context"
	"errors"
	"testing"

	"github.com/galley-ls/galley/editing"
)

func TestAskStartsAndJoins(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	d := p.open()
	run, session, err := d.Ask(context.Background(), Prompt{Text: "do wait", Start: -1})
	if err != nil || session == "" || d.Current() != session {
		t.Fatal(run, session, err)
	}
	<-p.puppet.entered
	again, same, err := d.Ask(context.Background(), Prompt{Text: "do a.txt: one → ONE", Start: -1})
	if err != nil || again != run || same != session {
		t.Fatalf("a prompt during a run: %s of %s, %v", again, same, err)
	}
	if _, err := d.NewSession(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	other, elsewhere, err := d.Ask(context.Background(), Prompt{Text: "do a.txt: two → three", Start: -1})
	if err != nil || other == run || elsewhere == session {
		t.Fatalf("a prompt to another session: %s of %s, %v", other, elsewhere, err)
	}
	p.puppet.let <- struct{}{}
	if r := p.over(d, run); r.State != "done" || r.Text != "done" || r.Step != 3 {
		t.Errorf("%+v", r)
	}
	if r := p.over(d, other); r.State != "done" {
		t.Errorf("%+v", r)
	}
	if s := state(d.Workspace().Snapshot(), "A"); s != editing.Staged {
		t.Errorf("A is %s", s)
	}
	if r := p.ask(d, "a.txt: four → five"); r.ID == run || r.ID == other {
		t.Errorf("a prompt after the runs went to %s", r.ID)
	}
	if _, _, err := d.Ask(context.Background(), Prompt{Text: "x", Session: "01NOSUCH"}); err == nil {
		t.Error("a session that is not open took a prompt")
	}
}

func TestCancel(t *testing.T) {
	p := newPlace(t, nil)
	d := p.open()
	if err := d.Cancel(context.Background(), ""); err == nil {
		t.Error("nothing was cancelled")
	}
	first, _, _ := d.Ask(context.Background(), Prompt{Text: "do wait"})
	<-p.puppet.entered
	if _, err := d.NewSession(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	second, _, _ := d.Ask(context.Background(), Prompt{Text: "do wait"})
	<-p.puppet.entered
	if err := d.Cancel(context.Background(), ""); err == nil {
		t.Error("one of two runs was cancelled without a name")
	}
	if err := d.Cancel(context.Background(), first); err != nil {
		t.Error(err)
	}
	if r := p.over(d, first); r.State != "cancelled" {
		t.Errorf("%+v", r)
	}
	if err := d.Cancel(context.Background(), ""); err != nil { // the only one now
		t.Error(err)
	}
	if r := p.over(d, second); r.State != "cancelled" {
		t.Errorf("%+v", r)
	}
	if err := d.Cancel(context.Background(), first); err == nil {
		t.Error("a run that is over was cancelled")
	}
}

// Whoever asks late hears the same as whoever asks in time: waiting is for a level, not for an event.
func TestWaitsAreByLevel(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	d := p.open()
	r := p.ask(d, "a.txt: one → ONE")
	runs, seq, err := d.WaitRuns(context.Background(), 0)
	if last := runs[len(runs)-1]; err != nil || last.ID != r.ID || last.State != "done" {
		t.Errorf("%+v %d %v", runs, seq, err)
	}
	now, err := d.Wait(context.Background(), 0)
	if err != nil || now != seq {
		t.Errorf("the views are at %d, the runs at %d: %v", now, seq, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := d.WaitRuns(ctx, seq); !errors.Is(err, context.Canceled) {
		t.Error("a run moved by itself:", err)
	}
	if _, err := d.Wait(ctx, now); !errors.Is(err, context.Canceled) {
		t.Error("a view moved by itself:", err)
	}
	if err := d.OpenSession(context.Background(), d.Current(), false); err != nil {
		t.Fatal(err)
	}
	if after, err := d.Wait(context.Background(), now); err != nil || after <= now {
		t.Errorf("at %d after %d: %v", after, now, err)
	}
}

// Close ends runs that hang; goleak looks for what is left. What is staged is there at the next start.
func TestCloseAndOpenAgain(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	d := p.open()
	p.ask(d, "a.txt: one → ONE")
	id := d.Current()
	run, _, _ := d.Ask(context.Background(), Prompt{Text: "do wait"})
	<-p.puppet.entered
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if r := p.over(d, run); r.State != "cancelled" {
		t.Errorf("%+v", r)
	}
	d = p.open()
	if d.Current() != id || state(d.Workspace().Snapshot(), "A") != editing.Staged {
		t.Errorf("%s is current, A is %s", d.Current(), state(d.Workspace().Snapshot(), "A"))
	}
	if w := p.warned(); w != "" {
		t.Error(w)
	}
}
