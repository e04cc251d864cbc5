package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/openai/openaitest"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

// longWalk is a script with a bit of everything.
func longWalk() []openaitest.Reply {
	return []openaitest.Reply{
		{Reasoning: "Let me see.", Text: "I look at it.", Calls: []openaitest.Call{look(), look()}},
		{Calls: []openaitest.Call{edit(1), edit(2)}, Fault: "http_503"},
		{Text: "Two more.", Calls: []openaitest.Call{edit(3), look(), edit(4)}, Fault: "cut_middle"},
		{Text: "All is well."},
	}
}

// resume has the model do what is left, in the same session, and checks that nothing is missing in the end. What is
// staged at the moment is staged in the end.
func (l *lab) resume(all []openaitest.Reply) {
	l.t.Helper()
	var left openaitest.Reply
	staged := l.proposed()
	for line := range labLines {
		name := fmt.Sprintf("LINE %02d", line)
		if strings.Contains(edited(all), name) && !strings.Contains(staged, name) {
			left.Calls = append(left.Calls, edit(line))
		}
	}
	replies := []openaitest.Reply{left, {Text: "Now all is done."}}
	if left.Calls == nil {
		replies = replies[1:]
	}
	l.serve(openaitest.Script{Replies: replies})
	out, err := l.run(context.Background(), "go on")
	if err != nil || out.Reason != agent.Done || out.Text != "Now all is done." {
		l.t.Fatalf("the session does not go on: %v, %+v\n%s", err, out, l.told())
	}
	if got, want := l.proposed(), edited(all); got != want {
		l.t.Fatalf("staged is\n%swant\n%s%s", got, want, l.told())
	}
	l.hangUp()
}

// cancelled checks how a run ended that was cancelled.
func (l *lab) cancelled(out agent.Outcome, err error) {
	l.t.Helper()
	if err != nil || out.Reason != agent.Cancelled || !strings.Contains(out.Why, "what is staged stays staged") {
		l.t.Fatalf("a cancelled run ended with %v, %+v\n%s", err, out, l.told())
	}
}

// A cancel at every event of a run.
func TestCancelAtEveryEvent(t *testing.T) { ways(t, cancelAtEveryEvent) }

func cancelAtEveryEvent(t *testing.T, far bool) {
	l := newLab(t, openaitest.Script{Replies: longWalk()})
	l.far = far
	if out, err := l.run(context.Background(), "edit f.txt"); err != nil || out.Reason != agent.Done {
		t.Fatalf("%+v %v\n%s", out, err, l.told())
	}
	l.hangUp()
	last := 0 // from here on the answer may be there already
	for n, e := range l.events {
		if _, ok := e.(agent.StepStarted); ok {
			last = n
		}
	}
	for n, e := range l.events[:len(l.events)-1] {
		t.Run(fmt.Sprintf("%d %s", n, e.Kind()), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, openaitest.Script{Replies: longWalk()})
			l.far = far
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			seen := 0
			l.during = func(agent.Event) {
				if seen++; seen == n+1 {
					cancel()
				}
			}
			out, err := l.run(ctx, "edit f.txt")
			if n <= last || out.Reason != agent.Done {
				l.cancelled(out, err)
			}
			l.during = nil
			l.resume(longWalk())
		})
	}
}

// interrupting calls off while it waits before another try.
type interrupting struct {
	stopwatch
	cancel context.CancelFunc
}

func (i interrupting) Sleep(ctx context.Context, _ time.Duration) error {
	i.cancel()
	return ctx.Err()
}

// The moments that no event marks.
func TestCancelBetweenEvents(t *testing.T) { ways(t, cancelBetweenEvents) }

func cancelBetweenEvents(t *testing.T, far bool) {
	acts := openaitest.Reply{Text: "I edit.", Calls: []openaitest.Call{edit(1), edit(2)}}
	for _, row := range []struct {
		name  string
		reply func(r *openaitest.Reply)
		on    func(l *lab, cancel context.CancelFunc)
	}{
		{"before anything", nil, func(_ *lab, cancel context.CancelFunc) { cancel() }},
		{"before the first byte", func(r *openaitest.Reply) { r.Hold = true }, (*lab).cancelWhenHeld},
		{"in the middle of the stream", func(r *openaitest.Reply) { r.HoldAt = openaitest.HoldMiddle }, (*lab).cancelWhenHeld},
		{"while it waits for another try", func(r *openaitest.Reply) { r.Fault = "http_429_retry_after" }, func(l *lab, cancel context.CancelFunc) {
			l.clock = interrupting{cancel: cancel}
			l.serve(l.script)
		}},
		{"in a tool, before it acts", nil, func(l *lab, cancel context.CancelFunc) {
			l.around = func(t agent.Session) agent.Session { return around{t, cancel, func() {}} }
		}},
		{"in a tool, when it has acted", nil, func(l *lab, cancel context.CancelFunc) {
			l.around = func(t agent.Session) agent.Session { return around{t, func() {}, cancel} }
		}},
		{"at the question about a command", func(r *openaitest.Reply) {
			command := openaitest.Call{Name: "run_command", Arguments: []byte(`{"command":"echo ran > ran.txt"}`)}
			r.Calls = []openaitest.Call{edit(1), command, edit(2)}
		}, func(l *lab, cancel context.CancelFunc) {
			l.confirm = func(ctx context.Context, _ session.Command) (bool, error) {
				cancel()
				<-ctx.Done()
				return true, nil // too late
			}
			l.t.Cleanup(func() {
				if _, err := os.Stat(filepath.Join(l.dir, "ran.txt")); err == nil {
					l.t.Error("the command has run")
				}
			})
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			all := []openaitest.Reply{acts, {Text: "All is well."}}
			if row.reply != nil {
				row.reply(&all[0])
			}
			l := newLab(t, openaitest.Script{Replies: all})
			l.far = far
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			row.on(l, cancel)
			l.cancelled(l.run(ctx, "edit f.txt"))
			l.clock, l.around = stopwatch{}, nil
			l.resume(all)
		})
	}
}

// cancelWhenHeld cancels as soon as the server holds an answer back.
func (l *lab) cancelWhenHeld(cancel context.CancelFunc) {
	held := make(chan error, 1)
	server := l.server
	go func() {
		held <- server.Await(l.t.Context(), "the answer is held", func(s openaitest.State) bool { return s.Held == 1 })
		cancel()
	}()
	l.t.Cleanup(func() { must(l.t, <-held) })
}

// around does something before and after each call.
type around struct {
	agent.Session
	before, after func()
}

func (a around) Call(ctx context.Context, c memory.ToolCall) (agent.Answer, error) {
	a.before()
	defer a.after()
	return a.Session.Call(ctx, c)
}
