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

// inHost is a run that works in its host's process.
type inHost struct {
	*host.Inbox
	cfg agent.RunConfig
}

func newInHost(s *session.Session, cfg agent.RunConfig) inHost {
	inbox := &host.Inbox{}
	cfg.Session, cfg.Inbox = agent.Local{Session: s}, inbox
	return inHost{inbox, cfg}
}

func (w inHost) Run(ctx context.Context, tell func(host.Move)) (last host.Move, err error) {
	_, last, err = agent.Follow(ctx, w.cfg, tell)
	return last, err
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
			return newInHost(on, cfg)
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

// U47: a run shows its calls with file, letters, refusals, exit code and output, in the words of the terminal, and a later
// process tells the same of it.
func TestU47RunsShowTheirCalls(t *testing.T) {
	replies := []model.Reply{
		calling("I look.", memory.ToolCall{ID: "1", Name: "write", Arguments: `{"path":"a.txt","content":"one\n"}`}),
		calling("And run.",
			memory.ToolCall{ID: "2", Name: "memory_notebook_replace", Arguments: `{"path":"a.txt","old_text":"seven","new_text":"8"}`},
			memory.ToolCall{ID: "3", Name: "run_command", Arguments: `{"command":"echo heard; exit 3"}`},
			memory.ToolCall{ID: "4", Name: "no_such_tool", Arguments: `{`}),
		{Message: memory.Message{Content: "That is all."}, Finish: model.FinishStop},
	}
	n := 0
	m := acting{"m", func(context.Context, memory.Request, func(model.Delta)) (model.Reply, error) {
		n++
		return replies[n-1], nil
	}}
	words := func(c memory.ToolCall, answer string) string { return c.Name + " " + answer[:10] }
	home, workspace := t.TempDir(), t.TempDir()
	open := func() *host.Host {
		h, err := host.Open(context.Background(), host.Config{
			Session: session.Config{Home: home, Workspace: workspace, Specs: tools.Specs(tools.Options{Commands: true}), Commands: session.CommandsAllow},
			Start: func(on *session.Session, prompt string) host.Work {
				return newInHost(on, agent.RunConfig{Model: m, Prompt: prompt, Words: words})
			},
			Earlier: func(s *session.Session, said []memory.Message) []host.Run { return agent.Earlier(said, s.Mask, words) },
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = h.Close() })
		return h
	}
	s := &serving{t: t, Host: open()}
	id := s.start(host.Prompt{Text: "write a"})
	second := s.until(id, "all calls", func(r host.Run) bool { return r.Step == 2 && len(r.Calls) == 3 && r.Calls[2].Status != "" })
	first := s.until(id, "the first call", func(r host.Run) bool { return r.Step == 1 && len(r.Calls) == 1 && r.Calls[0].Status != "" })
	check := func(first, second []host.Call) {
		t.Helper()
		if c := first[0]; c.Path != "a.txt" || !slices.Equal(c.Letters, []string{"A"}) || c.Status != "editing" || !strings.HasPrefix(c.Line, "write {") {
			t.Errorf("%+v", c)
		}
		if c := second[0]; c.Status != "not_found" || c.Code != "no_match" || c.Hint == "" {
			t.Errorf("%+v", c)
		}
		if c := second[1]; c.Exit == nil || *c.Exit != 3 || c.Output != "heard\n" {
			t.Errorf("%+v", c)
		}
		if c := second[2]; c.Status != "refused" || c.Tool != "no_such_tool" {
			t.Errorf("%+v", c)
		}
	}
	check(first.Calls, second.Calls)
	s.over(id)
	if runs, err := s.Earlier(""); err != nil || len(runs) == 0 { // for whoever comes now
		t.Errorf("what is over is no earlier run: %+v %v", runs, err)
	}
	current := s.Current()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	runs, err := open().Earlier(current)
	if err != nil || len(runs) != 4 {
		t.Fatalf("%+v %v", runs, err)
	}
	if runs[0].Prompt != "write a" || runs[0].Step != 0 || runs[1].Text != "I look." || runs[3].Text != "That is all." || runs[3].Session != current {
		t.Errorf("%+v", runs)
	}
	check(runs[1].Calls, runs[2].Calls)
}

// Of a long conversation the last runs are told, each with an ID of its own, and no secret.
func TestU47EarlierRuns(t *testing.T) {
	said := []memory.Message{{Role: memory.RoleAssistant, Content: "before any prompt"}}
	for i := range 50 {
		said = append(said, memory.Message{Role: memory.RoleUser, Content: fmt.Sprintf("prompt %d sk-secret", i)}, memory.Message{Role: memory.RoleAssistant, Content: "yes"})
	}
	runs := agent.Earlier(said, func(s string) string { return strings.ReplaceAll(s, "sk-secret", "…") }, nil)
	if len(runs) != 40 || runs[0].Prompt != "prompt 30 …" || runs[39].Text != "yes" || runs[0].ID == runs[2].ID || runs[0].ID != runs[1].ID {
		t.Errorf("%d: %+v", len(runs), runs)
	}
	if runs := agent.Earlier(nil, strings.ToUpper, nil); len(runs) != 0 {
		t.Errorf("%+v", runs)
	}
}

func calling(text string, calls ...memory.ToolCall) model.Reply {
	return model.Reply{Message: memory.Message{Content: text, ToolCalls: calls}, Finish: model.FinishCalls}
}
