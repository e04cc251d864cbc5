package run

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/cmd/galley/internal/term/termtest"
	"github.com/galley-ls/galley/memory"
)

// screensOf are the two streams of a command on a terminal.
func screensOf(t *termtest.Terminal) term.Console {
	s := term.Screen{W: t, Width: t.Columns(), Moves: true, Size: t.Size}
	return term.Console{InIsTerm: true, Out: s, Err: s}
}

// newTestRenderer tells on a console about a model that is called m.
func newTestRenderer(c term.Console) *Storyteller {
	t := NewStoryteller(c)
	t.model = "m"
	return t
}

// did is a call that is over, as it is kept.
func (t *Storyteller) did(id, tool, args, result string) agent.ToolFinished {
	return agent.ToolFinished{ID: id, Name: tool, Arguments: args, Answer: result}
}

// What a person sees at the moments of a run: always the last line, and at the end nothing but what was told.
func TestRunOnATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := termtest.New(60)
		renderer := newTestRenderer(screensOf(tt))
		for _, moment := range []struct {
			event agent.Event
			after time.Duration
			want  string
		}{
			{agent.StepStarted{Iteration: 1}, 0, ""},
			{nil, 4100 * time.Millisecond, "⠋ m thinking 4 s"},
			{agent.ReasoningDelta{Text: "the file"}, 2100 * time.Millisecond, "⠋ m thinking 6 s · reasoning"},
			{agent.ModelWaiting{Why: "429 from here, again in 4 s (2 of 5)"}, 800 * time.Millisecond, "⠧ m waiting 7 s · 429 from here, again in 4 s (2 of 5)"},
			{agent.TextDelta{Text: "I read "}, 0, "I read"},
			{agent.TextDelta{Text: "it.\n\n"}, 0, "I read it."},
			{nil, 3 * time.Second, "I read it. ⠏ 10 s"},
			{agent.ReplyFinished{Iteration: 1}, 0, "I read it."},
			{agent.ToolStarted{ID: "1", Name: "read", Args: "a.yaml"}, 1100 * time.Millisecond, "⠋ read a.yaml 1 s"},
			{agent.ToolStarted{ID: "2", Name: "read", Args: "b.yaml"}, 1100 * time.Millisecond, "⠋ read a.yaml 2 s"},
			{renderer.did("1", "read", "", `{"status":"ok","path":"a.yaml"}`), 100 * time.Millisecond, "⠋ read b.yaml 1 s"},
			{renderer.did("2", "read", "", `{"status":"ok","path":"b.yaml"}`), 0, "· read b.yaml"},
			{agent.StepStarted{Iteration: 2}, 1100 * time.Millisecond, "⠋ m thinking 1 s"},
			{agent.ReplyCut{Why: "the server went away in the middle", Again: true}, 0, "  went away in the middle"},
			{agent.TextDelta{Text: "Ready."}, 0, "Ready."},
			{agent.Warned{Text: "the reply is too long"}, 0, "! the reply is too long"},
			{agent.Finished{Reason: agent.Done}, time.Minute, "! the reply is too long"},
		} {
			if moment.event != nil {
				renderer.Event(moment.event)
			}
			termtest.Pass(moment.after)
			if got := lastLine(tt); got != moment.want {
				t.Errorf("after %T: got %q, want %q", moment.event, got, moment.want)
			}
		}
		want := "I read it.\n· read a.yaml\n· read b.yaml\n– the reply broke off and is asked for again: the server\n  went away in the middle\nReady.\n! the reply is too long\n"
		if got := tt.String(); got != want {
			t.Errorf("in the end it is %q, want %q", got, want)
		}
	})
}

// lastLine is the last line of a terminal that is not empty.
func lastLine(t *termtest.Terminal) string {
	text := strings.TrimRight(t.String(), "\n ")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// Without a terminal there are plain lines: each wait is one, and nothing is drawn.
func TestRunWithoutATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out, errs strings.Builder
		renderer := newTestRenderer(term.Console{Out: term.Screen{W: &out}, Err: term.Screen{W: &errs}})
		for _, e := range []agent.Event{
			agent.StepStarted{Iteration: 1},
			agent.ReasoningDelta{Text: "hm"},
			agent.ModelWaiting{Why: "429 from here,\nagain in 4 s (1 of 5)"},
			agent.ModelWaiting{Why: "429 from here, again in 8 s (2 of 5)"},
			agent.TextDelta{Text: "Ready"},
			agent.Finished{Reason: agent.Done},
		} {
			renderer.Event(e)
			termtest.Pass(time.Minute)
		}
		if want := "· waiting: 429 from here, again in 4 s (1 of 5)\n· waiting: 429 from here, again in 8 s (2 of 5)\n"; errs.String() != want {
			t.Errorf("stderr is %q, want %q", errs.String(), want)
		}
		if out.String() != "Ready\n" {
			t.Errorf("stdout is %q", out.String())
		}
	})
}

func TestReasoningIsShownWhereItIsWanted(t *testing.T) {
	var out, errs strings.Builder
	renderer := newTestRenderer(term.Console{Out: term.Screen{W: &out}, Err: term.Screen{W: &errs}})
	renderer.reasoning = true
	for _, e := range []agent.Event{
		agent.ReasoningDelta{Text: "\nthe "},
		agent.ReasoningDelta{Text: "file\nis short\n"},
		agent.TextDelta{Text: "Yes."},
		agent.ReasoningDelta{Text: "hm"},
		agent.Finished{},
	} {
		renderer.Event(e)
	}
	if errs.String() != "… the file\nis short\n… hm\n" || out.String() != "Yes.\n" {
		t.Errorf("stderr is %q, stdout is %q", errs.String(), out.String())
	}
}

func TestInterruptIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := termtest.New(70)
		renderer := newTestRenderer(screensOf(tt))
		renderer.Event(agent.StepStarted{})
		renderer.Event(agent.TextDelta{Text: "half a wo"})
		renderer.stopping()
		termtest.Pass(1100 * time.Millisecond)
		if got, want := tt.String(), "half a wo\n! stopping at the next safe point; again to leave at once\n⠋ stopping 1 s"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		renderer.Event(agent.Finished{})
		renderer.Pause()
		renderer.stopping() // a question has the terminal
		if got, want := tt.String(), "half a wo\n! stopping at the next safe point; again to leave at once\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestCosts(t *testing.T) {
	for _, test := range []struct {
		out  agent.Finished
		took time.Duration
		want string
	}{
		{agent.Finished{Iterations: 1}, 340 * time.Millisecond, "1 step · 0.3 s"},
		{agent.Finished{Iterations: 3, Usage: memory.Usage{Input: 1234567, Cached: 3900, Output: 310}}, 125 * time.Second, "3 steps · 2 min 5 s · 1,234,567 tokens in (3,900 cached), 310 out"},
		{agent.Finished{Iterations: 1, Usage: memory.Usage{Input: 7, Output: 1}, Cost: 0.01234}, time.Second, "1 step · 1 s · 7 tokens in, 1 out · it cost 0.0123"},
		{agent.Finished{Usage: memory.Usage{Output: 1}}, 2 * time.Hour, "0 steps · 2 h · 0 tokens in, 1 out"},
	} {
		if got := costs(test.out, test.took); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// Whatever happens when, a terminal shows in the end what it shows when nothing takes any time, and so nothing is drawn.
func TestNothingIsLeftOnATerminal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		events := rapid.SliceOf(rapid.Custom(drawEvent)).Draw(rt, "events")
		width := rapid.IntRange(1, 60).Draw(rt, "width")
		synctest.Test(t, func(*testing.T) {
			slow, fast := termtest.New(width), termtest.New(width)
			late, soon := newTestRenderer(screensOf(slow)), newTestRenderer(screensOf(fast))
			for _, e := range events {
				late.Event(e.event)
				soon.Event(e.event)
				soon.spin.Hide()
				termtest.Pass(e.after)
			}
			late.Pause()
			soon.Pause()
			if slow.String() != fast.String() {
				rt.Errorf("%q\nis left, want\n%q", slow.String(), fast.String())
			}
		})
	})
}

// lateEvent is an event, and how long nothing happens behind it.
type lateEvent struct {
	event agent.Event
	after time.Duration
}

func drawEvent(t *rapid.T) lateEvent {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab日 \n\t")), 0, 30, -1).Draw(t, "text")
	id := fmt.Sprint(rapid.IntRange(1, 3).Draw(t, "id"))
	event := rapid.SampledFrom([]agent.Event{
		agent.StepStarted{},
		agent.TextDelta{Text: text},
		agent.TextDelta{Text: text},
		agent.ReasoningDelta{Text: text},
		agent.ModelWaiting{Why: text},
		agent.ReplyCut{Why: text},
		agent.ToolStarted{ID: id, Name: "read", Args: text},
		agent.ToolFinished{ID: id, Name: "read"},
		agent.Warned{Text: text},
		agent.DecisionsDelivered{Text: text},
		agent.Finished{},
	}).Draw(t, "event")
	return lateEvent{event, time.Duration(rapid.IntRange(0, 5000).Draw(t, "after")) * time.Millisecond}
}
