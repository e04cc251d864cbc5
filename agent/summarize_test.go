package agent

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// summing is a model with a window that sums up, and keeps what it was asked.
type summing struct {
	window int
	asked  []memory.Request
	reply  model.Reply
}

func (*summing) Name() string                  { return "summing" }
func (*summing) Look(context.Context) []string { return nil }
func (m *summing) Window() int                 { return m.window }

func (m *summing) Stream(_ context.Context, req memory.Request, _ func(model.Delta)) (model.Reply, error) {
	m.asked = append(m.asked, req)
	return m.reply, nil
}

// Case 10, R25: what is longer than the window of the model that sums up is summed up in parts, each within it, and no line
// of it is left out.
func TestCase10R25SummariserSmallerThanTheText(t *testing.T) {
	var text strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&text, "\n## tool\nresult %05d: some words of a long history, 漢字 and aGVsbG8gd29ybGQh\n", i)
	}
	m := &summing{window: 8_000, reply: model.Reply{Message: memory.Message{Content: "short"}, Usage: memory.Usage{Input: 10, Output: 1}, Finish: model.FinishStop}}
	summary, spent, err := Summarizer(m)(t.Context(), text.String())
	if err != nil || len(m.asked) < 4 || strings.Count(summary, "short") != len(m.asked) || spent.Input != 10*len(m.asked) {
		t.Fatalf("%d requests, %q, %+v, %v", len(m.asked), summary, spent, err)
	}
	all := ""
	for i, req := range m.asked {
		n := 0
		for _, message := range req.Messages {
			n += 4 + memory.CountTokens(message.Content)
			if message.Role == memory.RoleUser {
				all += message.Content
			}
		}
		if n > m.window/2+500 {
			t.Errorf("request %d has %d tokens", i, n)
		}
		if gated, told := memory.Gate(req, memory.Rules{Sent: true, Strict: true}); len(told) > 0 || len(gated.Messages) != len(req.Messages) {
			t.Errorf("R15: request %d is repaired: %q", i, told)
		}
	}
	for i := range 1500 {
		if !strings.Contains(all, fmt.Sprintf("result %05d:", i)) {
			t.Fatalf("result %d is in no request", i)
		}
	}
}

// R25: what is no plain and whole answer is no summary.
func TestR25WhatIsNoSummary(t *testing.T) {
	say := func(text, finish string, calls ...memory.ToolCall) model.Reply {
		return model.Reply{Message: memory.Message{Content: text, ToolCalls: calls}, Finish: finish}
	}
	for name, reply := range map[string]model.Reply{
		"empty": say(" \n", model.FinishStop), "cut": say("The", model.FinishLength), "a call": say("", model.FinishCalls, memory.ToolCall{ID: "a", Name: "read"}),
		"a call and words": say("Let me see.", model.FinishStop, memory.ToolCall{ID: "a", Name: "read"}), "filtered": say("The", model.FinishFilter),
	} {
		if text, _, err := Summarizer(&summing{window: 8000, reply: reply})(t.Context(), "text"); err == nil || text != "" {
			t.Errorf("%s: %q %v", name, text, err)
		}
	}
}
