package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

// acting is a model that is a function.
type acting struct {
	name string
	act  func(ctx context.Context, req memory.Request, news func(model.Delta)) (model.Reply, error)
}

func (a acting) Name() string { return a.name }

func (a acting) Stream(ctx context.Context, req memory.Request, news func(model.Delta)) (model.Reply, error) {
	return a.act(ctx, req, news)
}

// saying answers every request with the same words and cost.
func saying(text string, u memory.Usage) acting {
	return acting{text, func(context.Context, memory.Request, func(model.Delta)) (model.Reply, error) {
		return model.Reply{Message: memory.Message{Content: text}, Usage: u, Finish: model.FinishStop}, nil
	}}
}

// run waits for a run to be as is asked.
func (p *place) run(d *Desk, id, what string, cond func(Run) bool) Run {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for seq := int64(0); ; {
		runs, now, err := d.WaitRuns(ctx, seq)
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
func (p *place) start(d *Desk, prompt Prompt) string {
	p.t.Helper()
	if prompt.Path == "" {
		prompt.Start, prompt.End = -1, -1
	}
	id, _, err := d.Ask(context.Background(), prompt)
	if err != nil {
		p.t.Fatal(err)
	}
	return id
}

// heard are the prompts in the conversation of the current session.
func (p *place) heard(d *Desk) []string {
	p.t.Helper()
	s, err := d.session("")
	if err != nil {
		p.t.Fatal(err)
	}
	req, _, err := s.Request()
	if err != nil {
		p.t.Fatal(err)
	}
	var said []string
	for _, m := range req.Messages[:len(req.Messages)-1] {
		if m.Role != memory.RoleSystem {
			said = append(said, m.Role+" "+m.Content)
		}
	}
	return said
}

func TestPromptsDuringARun(t *testing.T) {
	t.Run("are heard at the next step, and queued ones at the end", func(t *testing.T) {
		p := newPlace(t, nil)
		d := p.open()
		run := p.start(d, Prompt{Text: "do wait"})
		<-p.puppet.entered
		for _, more := range []Prompt{{Text: "in the end", Queue: true}, {Text: "soon"}} {
			if again := p.start(d, more); again != run {
				t.Errorf("%q started %s", more.Text, again)
			}
		}
		p.puppet.let <- struct{}{}
		if r := p.over(d, run); r.State != "done" || len(r.Left) > 0 {
			t.Errorf("%+v", r)
		}
		want := []string{"user do wait", "assistant waited", "user soon", "assistant done", "user in the end", "assistant done"}
		if got := p.heard(d); !slices.Equal(got, want) {
			t.Errorf("the conversation is %q, want %q", got, want)
		}
		if next := p.start(d, Prompt{Text: "do wait", Queue: true}); next == run {
			t.Error("a queued prompt went to a run that is over")
		}
		<-p.puppet.entered
	})
	t.Run("that nobody heard are left", func(t *testing.T) {
		p := newPlace(t, nil)
		d := p.open()
		run := p.start(d, Prompt{Text: "do wait"})
		<-p.puppet.entered
		p.start(d, Prompt{Text: "in the end", Queue: true})
		p.start(d, Prompt{Text: "soon"})
		if err := d.Cancel(context.Background(), run); err != nil {
			t.Fatal(err)
		}
		if r := p.over(d, run); r.State != "cancelled" || !slices.Equal(r.Left, []string{"soon", "in the end"}) {
			t.Errorf("%+v", r)
		}
		if got := p.heard(d); !slices.Equal(got, []string{"user do wait"}) {
			t.Errorf("the conversation is %q", got)
		}
	})
}

func TestRunIsFollowed(t *testing.T) {
	p := newPlace(t, nil)
	d := p.open()
	next := make(chan model.Delta)
	d.SetModel(acting{"shy", func(ctx context.Context, _ memory.Request, news func(model.Delta)) (model.Reply, error) {
		for more := true; more; {
			var delta model.Delta
			select {
			case delta, more = <-next:
				news(delta)
			case <-ctx.Done():
				return model.Reply{}, ctx.Err()
			}
		}
		return model.Reply{Message: memory.Message{Content: "half an ans"}, Finish: model.FinishLength, Usage: memory.Usage{Input: 200, Cached: 150, Output: 1}}, ctx.Err()
	}}, 0, 0)
	run := p.start(d, Prompt{Text: "x"})
	for _, row := range []struct {
		news model.Delta
		want Run
	}{
		{model.Delta{Waiting: "429, again in 4 s"}, Run{State: "waiting", Waiting: "429, again in 4 s"}},
		{model.Delta{Reasoning: "hm "}, Run{State: "thinking"}},
		{model.Delta{Text: "half "}, Run{State: "thinking", Text: "half "}},
		{model.Delta{Text: "an "}, Run{State: "thinking", Text: "half an "}},
	} {
		next <- row.news
		r := p.run(d, run, fmt.Sprintf("%+v", row.want), func(r Run) bool {
			return r.State == row.want.State && r.Waiting == row.want.Waiting && r.Text == row.want.Text
		})
		if r.Step != 1 {
			t.Errorf("%+v", r)
		}
	}
	if n := d.Cached(""); n != 0 {
		t.Errorf("%d %% cached before the first reply", n)
	}
	close(next)
	r := p.over(d, run)
	if r.State != "done" || r.Text != "half an ans" || !strings.Contains(r.Error, "cut off by the length limit") || r.Waiting != "" {
		t.Errorf("%+v", r)
	}
	if n := d.Cached(""); n != 75 {
		t.Errorf("%d %% cached", n)
	}
	if n := d.Cached("01NOSUCH"); n != 0 {
		t.Errorf("%d %% of nothing", n)
	}
}

// What was shown of a reply that broke off is gone when it is asked for again.
func TestCutReplyIsForgotten(t *testing.T) {
	p := newPlace(t, nil)
	d := p.open()
	tries, let := 0, make(chan struct{})
	d.SetModel(acting{"far", func(_ context.Context, _ memory.Request, news func(model.Delta)) (model.Reply, error) {
		if tries++; tries == 1 {
			news(model.Delta{Text: "half "})
			<-let
			return model.Reply{}, fmt.Errorf("gone: %w", model.ErrCut)
		}
		<-let
		return model.Reply{Message: memory.Message{Content: "whole"}}, nil
	}}, 0, 0)
	run := p.start(d, Prompt{Text: "x"})
	p.run(d, run, "the half", func(r Run) bool { return r.Text == "half " })
	let <- struct{}{}
	p.run(d, run, "nothing", func(r Run) bool { return r.Text == "" && r.State == "thinking" })
	let <- struct{}{}
	if r := p.over(d, run); r.Text != "whole" || r.State != "done" || r.Error != "" {
		t.Errorf("%+v", r)
	}
}

func TestLimitsAndModelsAreOfTheNextRun(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	d := p.open()
	run := p.start(d, Prompt{Text: "do wait"})
	<-p.puppet.entered
	d.SetModel(saying("other", memory.Usage{Input: 50, Output: 10}), 1, 60)
	p.start(d, Prompt{Text: "more"})
	p.puppet.let <- struct{}{}
	if r := p.over(d, run); r.Step != 2 || r.Text != "done" || r.Error != "" {
		t.Errorf("a run that went on: %+v", r)
	}
	if r := p.ask(d, "x"); r.Text != "other" || r.State != "done" {
		t.Errorf("the next run: %+v", r)
	}
	call := memory.ToolCall{ID: "c", Name: "memo_read", Arguments: `{"path":"a.txt"}`}
	d.SetModel(acting{"calls", func(context.Context, memory.Request, func(model.Delta)) (model.Reply, error) {
		return model.Reply{Message: memory.Message{ToolCalls: []memory.ToolCall{call}}, Usage: memory.Usage{Input: 50, Output: 10}}, nil
	}}, 0, 100)
	if r := p.ask(d, "x"); r.State != "done" || r.Step != 2 || !strings.Contains(r.Error, "agent.max_tokens") {
		t.Errorf("a limit of tokens: %+v", r)
	}
	d.SetModel(saying("x", memory.Usage{}), 0, 0)
}

func TestSetSession(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	d := p.open()
	p.ask(d, "a.txt: one → ONE")
	old := d.Current()
	d.SetSession(func(cfg *session.Config) {
		cfg.Review, cfg.System = "auto", "Be short."
		cfg.Workspace, cfg.Home, cfg.Table = "/elsewhere", "/nowhere", nil
	})
	s, err := d.session(old)
	if err != nil {
		t.Fatal(err)
	}
	if o := s.Commit(context.Background(), session.CommitArgs{Summary: "x"}); o.Status != session.StatusCommitted {
		t.Errorf("an open session does not commit by itself: %+v", o)
	}
	if _, err := d.NewSession(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	now, err := d.session("")
	if err != nil {
		t.Fatal(err)
	}
	req, _, err := now.Request()
	if err != nil || req.Messages[0].Content != "Be short." || now.Workspace() != p.root {
		t.Errorf("the new session in %s is told %q: %v", now.Workspace(), req.Messages[0].Content, err)
	}
	if r := p.ask(d, "a.txt: ONE → 1"); r.State != "done" || d.Workspace().Snapshot() == nil {
		t.Errorf("%+v", r)
	}
}
