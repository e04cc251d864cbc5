package openai

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/openai/openaitest"
	"github.com/galley-ls/galley/memory"
)

// Every quirk of the scripted server comes to what the server promises of it, streamed and not.
func TestFaults(t *testing.T) {
	for _, streamed := range []bool{true, false} {
		for _, f := range openaitest.Faults() {
			t.Run(fmt.Sprintf("%s/stream=%v", f.Name, streamed), func(t *testing.T) {
				t.Parallel()
				if f.Name == "too_long_stream" && !streamed {
					return // it says so within a stream only
				}
				checkFault(t, f, streamed)
			})
		}
	}
}

// talked is a conversation in which everything stands that a server may refuse.
func talked() memory.Request {
	call := memory.ToolCall{ID: "call_old-1", Name: "read", Arguments: `{"file":"b.txt"}`}
	req := ask()
	req.Messages = append(req.Messages,
		memory.Message{Role: "assistant", Reasoning: "Look first.", ToolCalls: []memory.ToolCall{call}},
		memory.Message{Role: "tool", ToolCallID: call.ID, Content: "text"},
		memory.Message{Role: "assistant", Content: "Seen."},
		memory.Message{Role: "user", Content: "Go on."},
		memory.Message{Role: "user", Content: "Now."},
		memory.Message{Role: "assistant", Reasoning: "Once more.", ToolCalls: []memory.ToolCall{{ID: "call_old-2", Name: "read", Arguments: `{"file":"c.txt"}`}}},
		memory.Message{Role: "tool", ToolCallID: "call_old-2", Content: "text"},
	)
	return req
}

// provoking is a profile that a fault objects to.
func provoking(name string) Profile {
	yes := true
	switch name {
	case "refuse_parallel_tool_calls", "refuse_unknown_field":
		return Profile{ParallelToolCalls: &yes}
	case "refuse_max_completion_tokens":
		return Profile{MaxTokensField: fieldMaxCompletion}
	case "refuse_null_content":
		return Profile{ToolOnlyContent: contentNull}
	case "refuse_omitted_content":
		return Profile{ToolOnlyContent: contentOmit}
	case "refuse_developer":
		return Profile{SystemRole: roleDeveloper}
	case "refuse_reasoning_field":
		return Profile{EchoReasoning: echoContent}
	}
	return Profile{}
}

func checkFault(t *testing.T, f openaitest.Fault, streamed bool) {
	plain := f.Sample()
	server, err := openaitest.Start(openaitest.Script{
		Replies: []openaitest.Reply{plain}, Key: testKey, Models: []string{"scripted"},
		Forgive: []string{"content is missing", "there is no role", "has a field reasoning_content", "<nil>"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	temperature := 0.5
	learnt := provoking(f.Name)
	if !streamed {
		learnt.Stream = &streamed
	}
	m, err := New(Config{
		BaseURL: server.URL(), Model: "scripted", Key: testKey, KeyName: "TEST_KEY", Temperature: &temperature, MaxOutput: 500,
		Learnt: learnt, Clock: &instant{}, Random: func() float64 { return 0.5 },
	})
	if err != nil {
		t.Fatal(err)
	}
	req := talked()
	heard := &told{}
	timers := &byHand{begun: make(chan struct{})}
	m.after = timers.start
	if strings.HasPrefix(f.Name, "idle") {
		go timers.fireWhenHeld(t.Context(), server, f.Begun && streamed)
	}
	var once sync.Once
	reply, err := m.Stream(t.Context(), req, func(d model.Delta) {
		heard.hear(d)
		once.Do(func() { close(timers.begun) })
	})
	cut := f.Begun && streamed && f.Kind == openaitest.Retried
	if cut {
		if !errors.Is(err, model.ErrCut) {
			t.Fatalf("got %v, want an error that says it was cut\n%s", err, server.Dump())
		}
		if heard.waiting != "" {
			t.Errorf("told %q: a reply that has begun is not asked for again", heard.waiting)
		}
		reply, err = m.Stream(t.Context(), req, heard.hear)
	}
	if err != nil && strings.Contains(err.Error(), testKey) {
		t.Errorf("the key stands in %q", err)
	}
	switch {
	case f.Kind == openaitest.Failing && f.Limit >= 0 && err != nil:
		checkFailing(t, f, err)
	case f.Kind == openaitest.Failing:
		t.Fatalf("got %s, want an error\n%s", pretty(reply), server.Dump())
	case err != nil:
		t.Fatalf("got %v, want a reply\n%s", err, server.Dump())
	default:
		checkRight(t, f, plain, reply, heard, streamed)
	}
	for _, p := range server.Problems() {
		t.Errorf("problem: %s", p)
	}
}

// byHand are timers that fire when the server has fallen silent, instead of after a time.
type byHand struct {
	begun chan struct{} // closed when words have come
	mu    sync.Mutex    // guards last
	last  *handTimer
}

type handTimer struct {
	all  *byHand
	fire func()
}

func (b *byHand) start(_ time.Duration, f func()) timer {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last = &handTimer{all: b, fire: f}
	return b.last
}

func (h *handTimer) Reset(time.Duration) bool { return true }

func (h *handTimer) Stop() bool {
	h.all.mu.Lock()
	defer h.all.mu.Unlock()
	if h.all.last == h {
		h.all.last = nil
	}
	return true
}

// fireWhenHeld ends with the first timer that it fires, or with the test.
func (b *byHand) fireWhenHeld(ctx context.Context, server *openaitest.Server, words bool) {
	if server.Await(ctx, "silence", func(s openaitest.State) bool { return s.Held > 0 }) != nil {
		return
	}
	if words {
		<-b.begun
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.last != nil {
		b.last.fire()
	}
}

func checkFailing(t *testing.T, f openaitest.Fault, err error) {
	var e *Error
	var long *model.TooLongError
	t.Logf("%v", err)
	switch {
	case errors.As(err, &e) && string(e.Kind) != f.Error, errors.As(err, &long) && f.Error != "too_long":
		t.Errorf("got the error %v, want one of the kind %s", err, f.Error)
	case errors.As(err, &long):
		if f.Limit != long.Limit && f.Name != "too_long_groq" || !strings.HasPrefix(f.Name, "too_long") {
			t.Errorf("got the limit %d, want %d: %v", long.Limit, f.Limit, err)
		}
	case !errors.As(err, &e) || e.What == "" || e.Next == "" || f.Limit > 0:
		t.Errorf("got %#v, want an error that says what to do next", err)
	}
}

func checkRight(t *testing.T, f openaitest.Fault, plain openaitest.Reply, reply model.Reply, heard *told, streamed bool) {
	m := reply.Message
	if m.Content != plain.Text || m.Reasoning != plain.Reasoning {
		t.Errorf("got content %q and reasoning %q, want %q and %q", m.Content, m.Reasoning, plain.Text, plain.Reasoning)
	}
	if heard.text != plain.Text && strings.TrimSpace(heard.text) != plain.Text && f.Name != "think_no_opener" && !f.Begun {
		t.Errorf("told %q, want %q", heard.text, plain.Text)
	}
	if len(m.ToolCalls) != len(plain.Calls) {
		t.Fatalf("got calls %s, want %d", pretty(m.ToolCalls), len(plain.Calls))
	}
	ids := map[string]bool{}
	for i, c := range m.ToolCalls {
		want := plain.Calls[i]
		if args := string(compact([]byte(c.Arguments))); c.Name != want.Name || args != string(argumentsOf(want)) {
			t.Errorf("call %d: got %s, want %s %s", i, pretty(c), want.Name, argumentsOf(want))
		}
		if c.ID == "" || ids[c.ID] {
			t.Errorf("call %d: the id %q is none, or stands twice", i, c.ID)
		}
		ids[c.ID] = true
	}
	if want := usageOf(f, plain, streamed); reply.Usage != want {
		t.Errorf("got the usage %+v, want %+v", reply.Usage, want)
	}
	if f.End != "" && reply.Finish != f.End {
		t.Errorf("got finish %q, want %q", reply.Finish, f.End)
	}
}

// usageOf is what a client can know of the tokens of a reply.
func usageOf(f openaitest.Fault, r openaitest.Reply, streamed bool) memory.Usage {
	u := memory.Usage{Input: r.Usage.Input, Cached: r.Usage.Cached, Output: r.Usage.Output}
	switch {
	case f.Tokens == "none", f.Tokens == "none in a stream" && streamed:
		return memory.Usage{}
	case f.Tokens == "not the cached":
		u.Cached = 0
	}
	return u
}

func argumentsOf(c openaitest.Call) []byte {
	if len(c.Arguments) == 0 {
		return []byte("{}")
	}
	return c.Arguments
}
