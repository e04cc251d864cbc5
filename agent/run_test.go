package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/memory"
)

const ok = `tool: {"status":"ok"}`

func TestRun(t *testing.T) {
	b := newBench(t, fakeReply{text: "I look.", calls: calls("read_a", `write {"path":"f","new_text":"x"}`).calls}, says("Ready."))
	b.tools.run["write"] = func(context.Context, memory.ToolCall) string {
		return `{"status":"editing","pending_changes":[{"change_id":"A"},{"change_id":"B","preview":"+x"}]}`
	}
	out := b.want(Done)
	if out.Text != "Ready." || out.Iterations != 2 || out.Meta.MessagesInHistory != 4 {
		t.Errorf("outcome %+v", out)
	}
	want := `run_started {fake}
step_started {1 0}
text_delta {Ilook.}
reply_finished {1 {0 0 0} }
tool_started {c1 read_a }
tool_finished {c1 read_a ok  []  {"status":"ok"}}
tool_started {c2 write f → “x”}
tool_finished {c2 write editing  [B] {"path":"f","new_text":"x"} {"status":"editing","pending_changes":[{"change_id":"A"},{"change_id":"B","preview":"+x"}]}}
step_started {2 0}
text_delta {Ready.}
reply_finished {2 {0 0 0} }
run_finished {done  2 {0 0 0} 0}`
	if got := b.shown(); got != want {
		t.Errorf("events\n%s\nwant\n%s", got, want)
	}
	if !slices.Equal(b.started(), []string{"c1", "c2"}) {
		t.Errorf("started %v", b.started())
	}
}

func TestLoopDecision(t *testing.T) {
	t.Run("the last word of a reply does not matter", func(t *testing.T) {
		first, last := calls("write"), says("Ready.")
		first.finish, last.finish = "stop", "tool_calls"
		newBench(t, first, last).want(Done, "user: go", "assistant:  {c1}", ok, "assistant: Ready.")
	})
	t.Run("without a prompt it goes on where the conversation stands", func(t *testing.T) {
		b := newBench(t, says("Ready."))
		b.cfg.Prompt = ""
		b.user("from before")
		b.want(Done, "user: from before", "assistant: Ready.")
	})
	t.Run("without events and inbox", func(t *testing.T) {
		b := newBench(t, calls("write"), says("Ready."))
		b.cfg.Events, b.cfg.Inbox = nil, nil
		if out, err := Run(b.ctx, b.cfg); err != nil || out.Reason != Done {
			t.Error(out, err)
		}
	})
}

func TestLimits(t *testing.T) {
	again := func() fakeReply {
		r := calls("write")
		r.usage = memory.Usage{Input: 30, Cached: 10, Output: 5}
		return r
	}
	t.Run("replies", func(t *testing.T) {
		b := newBench(t, again(), again(), again())
		b.cfg.MaxIterations = 2
		out := b.want(Limit, "user: go", "assistant:  {c1}", ok, "assistant:  {c2}", ok)
		if out.Iterations != 2 || !strings.Contains(out.Why, "agent.max_iterations") {
			t.Errorf("%+v", out)
		}
	})
	t.Run("100 by default", func(t *testing.T) {
		replies := make([]fakeReply, 101)
		for i := range replies {
			replies[i] = again()
		}
		if out := newBench(t, replies...).want(Limit); out.Iterations != 100 {
			t.Errorf("%+v", out)
		}
	})
	t.Run("tokens", func(t *testing.T) {
		b := newBench(t, again(), again(), again())
		b.cfg.MaxTokens = 70
		out := b.want(Budget, "user: go", "assistant:  {c1}", ok, "assistant:  {c2}", ok)
		if out.Usage != (memory.Usage{Input: 60, Cached: 20, Output: 10}) || !strings.Contains(out.Why, "agent.max_tokens") {
			t.Errorf("%+v", out)
		}
	})
	t.Run("money", func(t *testing.T) {
		b := newBench(t, again(), again(), again())
		b.price, b.cfg.MaxCost = memory.Price{Input: 1, Cached: new(float64), Output: 2}, 55e-6 // 30 µ a reply
		out := b.want(Budget, "user: go", "assistant:  {c1}", ok, "assistant:  {c2}", ok)
		if out.Cost < 59e-6 || out.Cost > 61e-6 || out.Why != "stopped at a cost of 0.0000600 of 0.0000550 (agent.max_cost); what is staged stays staged, prompt again to go on" {
			t.Errorf("%+v", out)
		}
		warned := 0
		for _, e := range b.events {
			if w, ok := e.(Warned); ok && strings.Contains(w.Text, "agent.max_cost") {
				warned++
			}
		}
		if warned != 0 {
			t.Errorf("%d warnings, but it went from 55 %% to 110 %%", warned)
		}
	})
	t.Run("money, with a warning", func(t *testing.T) {
		b := newBench(t, again(), again(), again(), says("Ready."))
		b.price, b.cfg.MaxCost = memory.Price{Input: 1, Cached: new(float64), Output: 2}, 100e-6
		if out := b.want(Done); out.Cost < 89e-6 || out.Cost > 91e-6 {
			t.Errorf("%+v", out)
		}
		warned := 0
		for _, e := range b.events {
			if w, ok := e.(Warned); ok && w.Text == "the run has cost 0.0000900 of 0.000100 (agent.max_cost); it stops there" {
				warned++
			}
		}
		if warned != 1 {
			t.Errorf("%d warnings of %v", warned, b.events)
		}
	})
	t.Run("a reply without calls at the limit is done", func(t *testing.T) {
		b := newBench(t, again(), says("Ready."))
		b.cfg.MaxIterations, b.cfg.MaxTokens = 2, 1000
		b.want(Done)
	})
}

func TestDecisionsAreDelivered(t *testing.T) {
	b := newBench(t, calls("write"), calls("write"), says("Ready."))
	b.decisions = []string{"Z applied"}
	first := true
	b.tools.run["write"] = func(context.Context, memory.ToolCall) string {
		if first {
			b.decisions = append(b.decisions, "A applied", "B rejected: 'no'")
		}
		first = false
		return `{"status":"ok"}`
	}
	b.want(Done, "user: [galley] Z applied", "user: go", "assistant:  {c1}", ok,
		"user: [galley] A applied; B rejected: 'no'", "assistant:  {c2}", ok, "assistant: Ready.")
	if !strings.Contains(b.shown(), "decisions_delivered {[galley] A applied; B rejected: 'no'}") {
		t.Error(b.shown())
	}
}

func TestInbox(t *testing.T) {
	t.Run("a prompt while running", func(t *testing.T) {
		b := newBench(t, calls("write", "write"), says("Ready."))
		b.tools.run["write"] = func(_ context.Context, c memory.ToolCall) string {
			if c.ID == "c1" && !b.inbox.Push("and this") {
				t.Error("not taken")
			}
			return `{"status":"ok"}`
		}
		b.want(Done, "user: go", "assistant:  {c1} {c2}", ok, ok, "user: and this", "assistant: Ready.")
		if !strings.Contains(b.shown(), "prompt_delivered {and this}") {
			t.Error(b.shown())
		}
	})
	t.Run("while the last reply streams, and what is queued", func(t *testing.T) {
		last := says("Ready.")
		b := newBench(t, last, says("Still ready."), says("That was it."))
		b.model.replies[0].do = func() {
			b.inbox.Queue("in the end")
			b.inbox.Push("sooner")
		}
		b.want(Done, "user: go", "assistant: Ready.", "user: sooner", "assistant: Still ready.", "user: in the end", "assistant: That was it.")
	})
	t.Run("what is left after a limit", func(t *testing.T) {
		b := newBench(t, calls("write"))
		b.cfg.MaxIterations = 1
		b.inbox.Queue("later")
		b.model.replies[0].do = func() { b.inbox.Push("soon") }
		if out := b.want(Limit); !slices.Equal(out.Left, []string{"soon", "later"}) {
			t.Errorf("left %v", out.Left)
		}
	})
	t.Run("from many goroutines nothing is lost", func(t *testing.T) {
		const n = 50
		replies := make([]fakeReply, n+2)
		for i := range replies {
			replies[i] = says("Yes.")
		}
		b := newBench(t, replies...)
		refused := make(chan int, n)
		for i := range n {
			go func() {
				if b.inbox.Push(fmt.Sprint("p", i)) {
					refused <- 0
				} else {
					refused <- 1
				}
			}()
		}
		b.want(Done)
		heard := strings.Count(b.talk(), "user: p")
		for range n {
			heard += <-refused
		}
		if heard != n {
			t.Errorf("%d of %d prompts were heard or refused", heard, n)
		}
	})
}

func TestErrorsEndTheRun(t *testing.T) {
	boom := errors.New("disk full")
	for _, row := range []struct {
		method, want string
	}{
		{"Prompt", "journal the prompt: disk full"},
		{"Notices", "deliver the decisions: disk full"},
		{"Request", "build the request: disk full"},
		{"Reply", "journal the reply: disk full"},
		{"Answer", "journal the result of write: disk full"},
	} {
		t.Run(row.method, func(t *testing.T) {
			b := newBench(t, calls("write"), says("Ready."))
			b.fail[row.method] = boom
			out, err := b.run()
			if !errors.Is(err, boom) || err.Error() != row.want || out.Why != row.want {
				t.Errorf("error %v, outcome %+v", err, out)
			}
		})
	}
	t.Run("a prompt from the inbox", func(t *testing.T) {
		b := newBench(t, says("Ready."))
		b.model.replies[0].do = func() { b.inbox.Push("more"); b.fail["Prompt"] = boom }
		if _, err := b.run(); !errors.Is(err, boom) {
			t.Error(err)
		}
	})
	t.Run("the answer of a call that was not run", func(t *testing.T) {
		b := newBench(t, calls("write", "write"))
		b.tools.run["write"] = func(context.Context, memory.ToolCall) string { b.cancel(); return "{}" }
		n := 0
		b.on["Answer"] = func() {
			if n++; n == 2 {
				b.fail["Answer"] = boom
			}
		}
		if _, err := b.run(); !errors.Is(err, boom) || !strings.Contains(err.Error(), "was not run") {
			t.Error(err)
		}
	})
	t.Run("the model", func(t *testing.T) {
		b := newBench(t, fakeReply{text: "half a", err: boom})
		if _, err := b.run(); err == nil || err.Error() != "ask the model fake: disk full" || b.talk() != "user: go" {
			t.Error(err, b.talk())
		}
	})
	t.Run("a tool that panics", func(t *testing.T) {
		b := newBench(t, calls("write", "bad", "write"), says("Ready."))
		b.tools.run["bad"] = func(context.Context, memory.ToolCall) string { panic("oh no") }
		_, err := b.run()
		if err == nil || !strings.Contains(err.Error(), "the tool bad broke: oh no") {
			t.Error(err)
		}
		if want := "tool: " + broke + "\ntool: " + NotRun; !strings.HasSuffix(b.talk(), want) || len(b.waiting) > 0 {
			t.Errorf("conversation\n%s\nwant it to end with\n%s", b.talk(), want)
		}
	})
}
