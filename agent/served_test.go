package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/memory"
)

// acting is a model that is a function.
type acting struct {
	name string
	act  func(ctx context.Context, req memory.Request, show func(model.Delta)) (model.Reply, error)
}

func (a acting) Name() string { return a.name }

func (a acting) Stream(ctx context.Context, req memory.Request, show func(model.Delta)) (model.Reply, error) {
	return a.act(ctx, req, show)
}

// saying answers every request with the same words and cost.
func saying(text string, u memory.Usage) acting {
	return acting{text, func(context.Context, memory.Request, func(model.Delta)) (model.Reply, error) {
		return model.Reply{Message: memory.Message{Content: text}, Usage: u, Finish: model.FinishStop}, nil
	}}
}

// waiting is a model that waits at its first reply until it is let go.
func waiting() (m acting, entered, let chan struct{}) {
	entered, let = make(chan struct{}), make(chan struct{})
	var once sync.Once
	return acting{"waiting", func(ctx context.Context, _ memory.Request, _ func(model.Delta)) (model.Reply, error) {
		text := "done"
		once.Do(func() {
			text = "waited"
			entered <- struct{}{}
			select {
			case <-let:
			case <-ctx.Done():
			}
		})
		return model.Reply{Message: memory.Message{Content: text}, Finish: model.FinishStop}, ctx.Err()
	}}, entered, let
}

// serving is a host with one session, whose runs have the configuration of now.
type serving struct {
	*host.Host
	t *testing.T

	mu  sync.Mutex // guards cfg
	cfg agent.RunConfig
}

func serve(t *testing.T, m model.Model) *serving {
	t.Helper()
	s := &serving{t: t, cfg: agent.RunConfig{Model: m}}
	h, err := host.Open(context.Background(), host.Config{
		Session: session.Config{Home: t.TempDir(), Workspace: t.TempDir(), Specs: tools.Specs(tools.Options{})},
		Start: func(on *session.Session, prompt string) host.Work {
			s.mu.Lock()
			defer s.mu.Unlock()
			cfg := s.cfg
			cfg.Prompt = prompt
			return agent.Serve(on, cfg)
		},
		Warn: func(format string, args ...any) { t.Errorf("the host warns: "+format, args...) },
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Host = h
	t.Cleanup(func() { _ = h.Close() })
	return s
}

// configure is for the next run.
func (s *serving) configure(cfg agent.RunConfig) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cfg = cfg
}

// start asks and does not wait.
func (s *serving) start(prompt host.Prompt) string {
	s.t.Helper()
	prompt.Start, prompt.End = -1, -1
	id, _, err := s.Ask(context.Background(), prompt)
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

// until waits for a run to be as is asked.
func (s *serving) until(id, what string, cond func(host.Run) bool) host.Run {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	for seq := int64(0); ; {
		runs, now, err := s.WaitRuns(ctx, seq)
		if err != nil {
			s.t.Fatalf("%s of %s: %v", what, id, err)
		}
		for _, r := range runs {
			if r.ID == id && cond(r) {
				return r
			}
		}
		seq = now
	}
}

func (s *serving) over(id string) host.Run {
	s.t.Helper()
	return s.until(id, "the end", func(r host.Run) bool { return r.State.Over() })
}

// heard are the prompts and replies of the current session.
func (s *serving) heard() []string {
	s.t.Helper()
	page, err := s.Document(context.Background(), "", "prompt.md")
	if err != nil {
		s.t.Fatal(err)
	}
	var said []string
	for _, line := range strings.Split(page, "\n") {
		if slices.Contains([]string{"first", "soon", "in the end", "waited", "done"}, line) {
			said = append(said, line)
		}
	}
	return said
}

func TestPromptsDuringARun(t *testing.T) {
	t.Run("are heard at the next step, and queued ones at the end", func(t *testing.T) {
		m, entered, let := waiting()
		s := serve(t, m)
		run := s.start(host.Prompt{Text: "first"})
		<-entered
		for _, more := range []host.Prompt{{Text: "in the end", Queue: true}, {Text: "soon"}} {
			if again := s.start(more); again != run {
				t.Errorf("%q started %s", more.Text, again)
			}
		}
		let <- struct{}{}
		if r := s.over(run); r.State != host.RunDone || len(r.Left) > 0 || r.Text != "done" || r.Step != 3 {
			t.Errorf("%+v", r)
		}
		want := []string{"first", "waited", "soon", "done", "in the end", "done"}
		if got := s.heard(); !slices.Equal(got, want) {
			t.Errorf("the conversation is %q, want %q", got, want)
		}
		next := s.start(host.Prompt{Text: "x", Queue: true})
		if next == run {
			t.Error("a queued prompt went to a run that is over")
		}
		s.over(next)
	})
	t.Run("that nobody heard are left", func(t *testing.T) {
		m, entered, _ := waiting()
		s := serve(t, m)
		run := s.start(host.Prompt{Text: "first"})
		<-entered
		s.start(host.Prompt{Text: "in the end", Queue: true})
		s.start(host.Prompt{Text: "soon"})
		if err := s.Cancel(context.Background(), run); err != nil {
			t.Fatal(err)
		}
		if r := s.over(run); r.State != host.RunCancelled || !slices.Equal(r.Left, []string{"soon", "in the end"}) {
			t.Errorf("%+v", r)
		}
		if got := s.heard(); !slices.Equal(got, []string{"first"}) {
			t.Errorf("the conversation is %q", got)
		}
	})
}

func TestRunIsFollowed(t *testing.T) {
	next := make(chan model.Delta)
	s := serve(t, acting{"shy", func(ctx context.Context, _ memory.Request, show func(model.Delta)) (model.Reply, error) {
		for more := true; more; {
			var delta model.Delta
			select {
			case delta, more = <-next:
				show(delta)
			case <-ctx.Done():
				return model.Reply{}, ctx.Err()
			}
		}
		return model.Reply{Message: memory.Message{Content: "half an ans"}, Finish: model.FinishLength, Usage: memory.Usage{Input: 200, Cached: 150, Output: 1}}, ctx.Err()
	}})
	run := s.start(host.Prompt{Text: "x"})
	for _, row := range []struct {
		show model.Delta
		want host.Run
	}{
		{model.Delta{Waiting: "429, again in 4 s"}, host.Run{State: host.RunWaiting, Waiting: "429, again in 4 s"}},
		{model.Delta{Reasoning: "hm "}, host.Run{State: host.RunThinking}},
		{model.Delta{Text: "half "}, host.Run{State: host.RunThinking, Text: "half "}},
		{model.Delta{Text: "an "}, host.Run{State: host.RunThinking, Text: "half an "}},
	} {
		next <- row.show
		r := s.until(run, fmt.Sprintf("%+v", row.want), func(r host.Run) bool {
			return r.State == row.want.State && r.Waiting == row.want.Waiting && r.Text == row.want.Text
		})
		if r.Step != 1 {
			t.Errorf("%+v", r)
		}
	}
	if n := s.Cached(""); n != 0 {
		t.Errorf("%d %% cached before the first reply", n)
	}
	close(next)
	r := s.over(run)
	if r.State != host.RunDone || r.Text != "half an ans" || !strings.Contains(r.Error, "cut off by the length limit") || r.Waiting != "" {
		t.Errorf("%+v", r)
	}
	if n := s.Cached(""); n != 75 {
		t.Errorf("%d %% cached", n)
	}
	if n := s.Cached("01NOSUCH"); n != 0 {
		t.Errorf("%d %% of nothing", n)
	}
}

// What was shown of a reply that broke off is gone when it is asked for again.
func TestCutReplyIsForgotten(t *testing.T) {
	tries, let := 0, make(chan struct{})
	s := serve(t, acting{"far", func(_ context.Context, _ memory.Request, show func(model.Delta)) (model.Reply, error) {
		if tries++; tries == 1 {
			show(model.Delta{Text: "half "})
			<-let
			return model.Reply{}, fmt.Errorf("gone: %w", model.ErrCut)
		}
		<-let
		return model.Reply{Message: memory.Message{Content: "whole"}}, nil
	}})
	run := s.start(host.Prompt{Text: "x"})
	s.until(run, "the half", func(r host.Run) bool { return r.Text == "half " })
	let <- struct{}{}
	s.until(run, "nothing", func(r host.Run) bool { return r.Text == "" && r.State == host.RunThinking })
	let <- struct{}{}
	if r := s.over(run); r.Text != "whole" || r.State != host.RunDone || r.Error != "" {
		t.Errorf("%+v", r)
	}
}

func TestLimitsAndModelsAreOfTheNextRun(t *testing.T) {
	m, entered, let := waiting()
	s := serve(t, m)
	run := s.start(host.Prompt{Text: "x"})
	<-entered
	s.configure(agent.RunConfig{Model: saying("other", memory.Usage{Input: 50, Output: 10}), MaxIterations: 1, MaxTokens: 60})
	s.start(host.Prompt{Text: "more"})
	let <- struct{}{}
	if r := s.over(run); r.Step != 2 || r.Text != "done" || r.Error != "" {
		t.Errorf("a run that went on: %+v", r)
	}
	if r := s.over(s.start(host.Prompt{Text: "x"})); r.Text != "other" || r.State != host.RunDone {
		t.Errorf("the next run: %+v", r)
	}
	call := memory.ToolCall{ID: "c", Name: "memo_read", Arguments: `{"path":"a.txt"}`}
	s.configure(agent.RunConfig{MaxTokens: 100, Model: acting{"calls", func(context.Context, memory.Request, func(model.Delta)) (model.Reply, error) {
		return model.Reply{Message: memory.Message{ToolCalls: []memory.ToolCall{call}}, Usage: memory.Usage{Input: 50, Output: 10}}, nil
	}}})
	if r := s.over(s.start(host.Prompt{Text: "x"})); r.State != host.RunDone || r.Step != 2 || !strings.Contains(r.Error, "agent.max_tokens") {
		t.Errorf("a limit of tokens: %+v", r)
	}
}

// A model that is not there fails the run, and what was said before it did is kept.
func TestFailedRunSaysWhy(t *testing.T) {
	s := serve(t, acting{"gone", func(_ context.Context, _ memory.Request, show func(model.Delta)) (model.Reply, error) {
		show(model.Delta{Text: "half "})
		return model.Reply{}, fmt.Errorf("no such model")
	}})
	if r := s.over(s.start(host.Prompt{Text: "x"})); r.State != host.RunFailed || !strings.Contains(r.Error, "no such model") || r.Text != "half " {
		t.Errorf("%+v", r)
	}
}
