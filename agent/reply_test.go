package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

func cut(text string) fakeReply {
	return fakeReply{text: text, err: fmt.Errorf("localhost:8080 closed the connection: %w", model.ErrCut), usage: memory.Usage{Input: 10}}
}

func TestReplyThatIsCutOff(t *testing.T) {
	t.Run("the same request again, nothing of it is kept", func(t *testing.T) {
		b := newBench(t, cut("half a"), cut("half"), says("Ready."))
		out := b.want(Done, "user: go", "assistant: Ready.")
		want := `run_started {fake}
step_started {1 0}
text_delta {halfa}
reply_cut {ask the model fake: localhost:8080 closed the connection: the reply was cut off true}
step_started {1 0}
text_delta {half}
reply_cut {ask the model fake: localhost:8080 closed the connection: the reply was cut off true}
step_started {1 0}
text_delta {Ready.}
reply_finished {1 {0 0 0} }
run_finished {done  1 {20 0 0} 0}`
		if got := b.shown(); got != want || out.Iterations != 1 || out.Text != "Ready." {
			t.Errorf("%+v, events\n%s\nwant\n%s", out, got, want)
		}
		if fmt.Sprint(b.model.heard) != "[1 1 1]" {
			t.Errorf("the requests had %v messages", b.model.heard)
		}
	})
	t.Run("three times in a row", func(t *testing.T) {
		b := newBench(t, cut("a"), cut("b"), cut("c"), says("Never said."))
		_, err := b.run()
		if !errors.Is(err, model.ErrCut) || !strings.Contains(err.Error(), "3 times in a row") || b.talk() != "user: go" {
			t.Error(err, b.talk())
		}
		if !strings.Contains(b.shown(), "cut off false}\nrun_finished") {
			t.Error(b.shown())
		}
	})
	t.Run("in a row only", func(t *testing.T) {
		b := newBench(t, cut("a"), cut("b"), calls("write"), cut("c"), cut("d"), says("Ready."))
		b.want(Done, "user: go", "assistant:  {c1}", ok, "assistant: Ready.")
	})
	t.Run("cancelled while it breaks", func(t *testing.T) {
		b := newBench(t, cut("a"), says("Never said."))
		b.model.replies[0].do = b.cancel
		b.want(Cancelled, "user: go")
	})
	t.Run("any other error is not asked again", func(t *testing.T) {
		b := newBench(t, fakeReply{err: errors.New("401")}, says("Never said."))
		if _, err := b.run(); err == nil || err.Error() != "ask the model fake: 401" || len(b.model.heard) != 1 {
			t.Error(err, b.model.heard)
		}
	})
}

func TestEmptyReply(t *testing.T) {
	nothing := func(finish string) fakeReply {
		return fakeReply{text: " ", finish: finish, usage: memory.Usage{Input: 5, Output: 1}}
	}
	t.Run("is asked for again", func(t *testing.T) {
		b := newBench(t, calls("write"), nothing("stop"), nothing(""), says("Ready."))
		out := b.want(Done, "user: go", "assistant:  {c1}", ok, "assistant: Ready.")
		if out.Usage.Input != 10 || out.Iterations != 2 {
			t.Errorf("%+v", out)
		}
	})
	for _, row := range []struct {
		name    string
		replies []fakeReply
		asked   int
		want    string
	}{
		{"three times", []fakeReply{nothing("stop"), nothing("stop"), nothing("stop"), says("Never.")}, 3, `the model fake answered nothing at all (finish "stop") (3 times in a row)`},
		{"thoughts alone", []fakeReply{{show: []model.Delta{{Reasoning: "hm"}}, finish: "length"}, says("Never.")}, 1, "before it answered anything; raise model.max_output_tokens"},
		{"filtered", []fakeReply{nothing("content_filter"), says("Never.")}, 1, "the content filter of the model fake stopped its reply; say it in other words"},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t, row.replies...)
			if _, err := b.run(); err == nil || !strings.Contains(err.Error(), row.want) || len(b.model.heard) != row.asked || b.talk() != "user: go" {
				t.Error(err, b.model.heard, b.talk())
			}
		})
	}
}

func TestUnfinishedReply(t *testing.T) {
	long := fakeReply{text: "This is the", finish: "length"}
	t.Run("an answer that is too long is kept, and told", func(t *testing.T) {
		b := newBench(t, long)
		if out := b.want(Done, "user: go", "assistant: This is the"); out.Text != "This is the" {
			t.Errorf("%+v", out)
		}
		if !strings.Contains(b.shown(), "warning {the answer was cut off by the length limit; raise model.max_output_tokens") {
			t.Error(b.shown())
		}
	})
	t.Run("with more to say", func(t *testing.T) {
		b := newBench(t, long, says("Ready."))
		b.inbox.Queue("go on")
		b.want(Done, "user: go", "assistant: This is the", "user: go on", "assistant: Ready.")
	})
	t.Run("a filtered answer ends the run", func(t *testing.T) {
		b := newBench(t, fakeReply{text: "This is the", finish: "content_filter"})
		b.inbox.Queue("later")
		out, err := b.run()
		if err == nil || !strings.Contains(err.Error(), "content filter") || b.talk() != "user: go\nassistant: This is the" {
			t.Error(err, b.talk())
		}
		if fmt.Sprint(out.Left) != "[later]" {
			t.Errorf("left %q", out.Left)
		}
	})
	for _, torn := range []bool{false, true} {
		t.Run(fmt.Sprintf("U34 a filter among the calls is told, torn: %v", torn), func(t *testing.T) {
			r := calls("find", "write")
			r.finish = "content_filter"
			b := newBench(t, r, calls("write"), says("Ready."))
			if torn {
				b.tools.run["write"] = fails
			}
			b.want(Done)
			if told := strings.Count(b.talk(), "The content filter of your server stopped"); told != 1 || !strings.Contains(b.messages[3].Content, "stopped your reply here") {
				t.Errorf("told %d times in\n%s", told, b.talk())
			}
			if !strings.Contains(b.shown(), "warning {the content filter of the model fake stopped its reply among its calls") {
				t.Error(b.shown())
			}
		})
	}
	t.Run("the last call may be torn", func(t *testing.T) {
		r := calls("find", `find {"a":`)
		r.finish = "length"
		b := newBench(t, r, calls("find"), says("Ready."))
		b.tools.run["find"] = fails
		b.want(Done)
		if told := strings.Count(b.talk(), "cut off by its length limit"); told != 1 || !strings.Contains(b.messages[3].Content, `"notice":"Your reply was cut`) {
			t.Errorf("told %d times in\n%s", told, b.talk())
		}
	})
	t.Run("a torn call that did its work is not judged", func(t *testing.T) {
		r := calls("write")
		r.finish = "length"
		newBench(t, r, says("Ready.")).want(Done, "user: go", "assistant:  {c1}", ok, "assistant: Ready.")
	})
}

func TestCallsWrittenAsText(t *testing.T) {
	text := func() fakeReply { return fakeReply{text: `<tool_call>{"name":"write"}`, finish: model.FinishTextCall} }
	const wrote, told = `assistant: <tool_call>{"name":"write"}`, "user: notice: " + notACall
	t.Run("the model is told", func(t *testing.T) {
		b := newBench(t, text(), calls("write"), text(), text(), says("Ready."))
		b.want(Done, "user: go", wrote, told, "assistant:  {c1}", ok, wrote, told, wrote, told, "assistant: Ready.")
		if !strings.Contains(b.shown(), "wrote a tool call as text; it is told to use the tool interface (2 of 2)") {
			t.Error(b.shown())
		}
	})
	t.Run("two times in a row", func(t *testing.T) {
		b := newBench(t, text(), text(), text(), says("Never."))
		if _, err := b.run(); err == nil || !strings.Contains(err.Error(), "as text (3 times in a row); set text_tool_calls: promote") {
			t.Error(err)
		}
		if strings.Count(b.talk(), notACall) != 2 {
			t.Error(b.talk())
		}
	})
	t.Run("a limit comes first", func(t *testing.T) {
		b := newBench(t, text(), says("Never."))
		b.cfg.MaxIterations = 1
		b.want(Limit)
	})
	t.Run("the notice cannot be journaled", func(t *testing.T) {
		b := newBench(t, text())
		b.fail["Notice"] = errors.New("disk full")
		if _, err := b.run(); err == nil || err.Error() != "journal a notice to the model: disk full" {
			t.Error(err)
		}
	})
}

func TestTooLongRequest(t *testing.T) {
	b := newBench(t, fakeReply{err: fmt.Errorf("400: %w", &model.TooLongError{Limit: 8192, Why: "the request is too long; set model.context_window to 8192"})})
	b.meta.Categories = memory.Categories{System: 10, Tools: 20, History: 900, Meta: 5, Reserve: 1000}
	_, err := b.run()
	var long *model.TooLongError
	if !errors.As(err, &long) || long.Limit != 8192 {
		t.Fatal(err)
	}
	const want = "ask the model fake: 400: the request is too long; set model.context_window to 8192; " +
		"the largest part of the request is the history: 900 of 935 tokens; then the descriptions of the tools: 20"
	if err.Error() != want {
		t.Errorf("got %s\nwant %s", err, want)
	}
}

// No request over a known window is sent.
func TestU32RequestOverAKnownWindow(t *testing.T) {
	const next = "so it was not sent; give it a larger window at its server (llama.cpp: --ctx-size, Ollama: OLLAMA_CONTEXT_LENGTH), " +
		"and set model.context_window to that, or begin a new session; the largest part of the request is the history: 3000 of 4097 tokens; then the system prompt: 1097"
	for name, row := range map[string]struct {
		used, most, reserve int
		known               bool
		want                string // "": it is sent
	}{
		"over it":       {4097, 4096, 0, true, "ask the model fake: a request of 4097 tokens does not fit into its context window of 4096, " + next},
		"with a reply":  {5097, 4096, 1000, true, "ask the model fake: a request of 5097 tokens, 1000 of them kept for the reply (model.max_output_tokens), does not fit into its context window of 4096, " + next},
		"just fits":     {4096, 4096, 1000, true, ""},
		"a guess":       {128_001, 128_000, 0, false, ""},
		"nothing known": {},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, says("Ready."))
			b.meta = memory.ContextMeta{TokensUsed: row.used, TokensMax: row.most, MaxKnown: row.known}
			b.meta.Categories = memory.Categories{System: 1097, History: 3000, Reserve: row.reserve}
			_, err := b.run()
			var long *model.TooLongError
			switch {
			case row.want == "" && (err != nil || len(b.model.heard) != 1):
				t.Errorf("%v, requests of %d messages", err, b.model.heard)
			case row.want != "" && (!errors.As(err, &long) || long.Limit != row.most || err.Error() != row.want || len(b.model.heard) > 0):
				t.Errorf("requests of %d messages, and\n%v, want\n%s", b.model.heard, err, row.want)
			}
		})
	}
}

// Where room can be made for a request that was too long, it is asked once more, and the person is told.
func TestRoomForATooLongRequest(t *testing.T) {
	tooLong := fakeReply{err: &model.TooLongError{Limit: 8192, Why: "too long"}}
	b := newBench(t, tooLong, fakeReply{text: "There.", finish: model.FinishStop})
	b.room = 1
	if out, err := b.run(); err != nil || out.Text != "There." {
		t.Error(out, err)
	}
	if got := warnings(b.events); len(got) != 1 || !strings.Contains(got[0], "made room for 8192") {
		t.Errorf("told %q", got)
	}
	b = newBench(t, tooLong, tooLong, fakeReply{text: "never"})
	b.room = 5
	if _, err := b.run(); err == nil || len(b.model.heard) != 2 {
		t.Errorf("asked %d times, %v", len(b.model.heard), err)
	}
}

func warnings(events []Event) (said []string) {
	for _, e := range events {
		if w, ok := e.(Warned); ok {
			said = append(said, w.Text)
		}
	}
	return said
}

func TestModelThatBreaks(t *testing.T) {
	b := newBench(t, fakeReply{text: "half", do: func() { panic("index out of range") }})
	if _, err := b.run(); err == nil || !strings.Contains(err.Error(), "this is a bug in galley: index out of range") || b.talk() != "user: go" {
		t.Error(err, b.talk())
	}
}

// What a model thinks, and that it waits, is told, and is no part of the answer.
func TestThoughtsAreNoAnswer(t *testing.T) {
	b := newBench(t, fakeReply{text: "Ready.", show: []model.Delta{{Waiting: "429"}, {Reasoning: "hm"}, {Text: "Ready."}}})
	out := b.want(Done, "user: go", "assistant: Ready.")
	if !strings.Contains(b.shown(), "model_waiting {429}\nreasoning_delta {hm}\ntext_delta {Ready.}") || out.Text != "Ready." {
		t.Errorf("%+v\n%s", out, b.shown())
	}
}

// Scripts read these: no name may change.
func TestEventNames(t *testing.T) {
	u := memory.Usage{Input: 3, Cached: 2, Output: 1}
	for _, row := range []struct {
		event Event
		want  string
	}{
		{Started{"m"}, `run_started {"model":"m"}`},
		{StepStarted{1, 35}, `step_started {"iteration":1,"context_percent":35}`},
		{TextDelta{"t"}, `text_delta {"text":"t"}`},
		{ReasoningDelta{"t"}, `reasoning_delta {"text":"t"}`},
		{ModelWaiting{"w"}, `model_waiting {"why":"w"}`},
		{ReplyCut{"w", true}, `reply_cut {"why":"w","again":true}`},
		{ReplyFinished{1, u, "stop"}, `reply_finished {"iteration":1,"usage":{"input":3,"cached":2,"output":1},"finish":"stop"}`},
		{Warned{"t"}, `warning {"text":"t"}`},
		{ToolStarted{"i", "n", "a"}, `tool_started {"id":"i","name":"n","args":"a"}`},
		{ToolFinished{"i", "n", "s", "c", []string{"A"}, "{}", "{}"}, `tool_finished {"id":"i","name":"n","status":"s","code":"c","letters":["A"]}`},
		{PromptDelivered{"t"}, `prompt_delivered {"text":"t"}`},
		{DecisionsDelivered{"t"}, `decisions_delivered {"text":"t"}`},
		{Finished{Limit, "w", 1, u, 0.5}, `run_finished {"reason":"limit","why":"w","iterations":1,"usage":{"input":3,"cached":2,"output":1},"cost":0.5}`},
		{Finished{Limit, "w", 1, u, 0}, `run_finished {"reason":"limit","why":"w","iterations":1,"usage":{"input":3,"cached":2,"output":1}}`},
	} {
		fields, err := json.Marshal(row.event)
		if err != nil {
			t.Fatal(err)
		}
		if got := row.event.Kind() + " " + string(fields); got != row.want {
			t.Errorf("got %s\nwant %s", got, row.want)
		}
	}
}

// A prompt that could not be journaled is not lost, nor are those behind it.
func TestPromptsThatCannotBeJournaledAreLeft(t *testing.T) {
	b := newBench(t, calls("write"), says("Never."))
	b.tools.run["write"] = func(context.Context, memory.ToolCall) string {
		b.inbox.Push("one")
		b.inbox.Push("two")
		b.inbox.Queue("three")
		b.fail["Prompt"] = errors.New("disk full")
		return `{"status":"ok"}`
	}
	if out, err := b.run(); err == nil || fmt.Sprint(out.Left) != "[one two three]" {
		t.Errorf("%+v %v", out, err)
	}
}

func TestU81CallsOfAReplyAreBounded(t *testing.T) {
	for _, n := range []int{model.CallsMost, model.CallsMost + 1, 10_000} {
		b := newBench(t, calls(slices.Repeat([]string{"find"}, n)...), says("Ready."))
		b.want(Done)
		made := min(n, model.CallsMost)
		if got := len(b.messages) - 3; got != made || len(b.messages[1].ToolCalls) != made {
			t.Errorf("of %d calls %d were answered, and %d are in the conversation", n, got, len(b.messages[1].ToolCalls))
		}
		told := strings.Contains(b.messages[made+1].Content, "Those behind this one were not made")
		warned := strings.Contains(b.shown(), "made more than 100 calls in one reply; the first 100 are made")
		if over := n > made; told != over || warned != over {
			t.Errorf("%d calls: the model was told: %v, the person: %v", n, told, warned)
		}
	}
}

func TestU81BytesOfAReplyAreBounded(t *testing.T) {
	huge := func() fakeReply { return fakeReply{text: strings.Repeat("x", model.ReplyMost+1)} }
	wide := calls("write", `write {"text":"`+strings.Repeat("x", model.ReplyMost)+`"}`)
	t.Run("told, and asked again", func(t *testing.T) {
		b := newBench(t, huge(), wide, says("Ready."))
		b.want(Done, "user: go", "user: notice: "+tooMuch, "user: notice: "+tooMuch, "assistant: Ready.")
		if n := strings.Count(b.shown(), "the reply is longer than 4 MB; it is told so ("); n != 2 {
			t.Errorf("the person is told %d times", n)
		}
	})
	t.Run("three times in a row", func(t *testing.T) {
		b := newBench(t, huge(), huge(), huge(), says("Never."))
		if _, err := b.run(); !errors.Is(err, model.ErrTooMuch) && (err == nil || !strings.Contains(err.Error(), "the reply is longer than 4 MB (3 times in a row)")) {
			t.Error(err)
		}
	})
	t.Run("what is as long as may be is taken", func(t *testing.T) {
		newBench(t, fakeReply{text: strings.Repeat("x", model.ReplyMost)}).want(Done)
	})
}

// looking is a model that knows its server.
type looking struct {
	*fakeModel
	warnings []string
	window   int
}

func (l *looking) Look(context.Context) []string {
	if len(l.heard) > 0 {
		l.warnings = append(l.warnings, "it looked too late")
	}
	l.window = 4096
	return l.warnings
}

func (l *looking) Window() int { return l.window }

func TestU88WhatTheServerSaysIsToldFirst(t *testing.T) {
	b := newBench(t, calls("write"), says("Ready."))
	b.cfg.Model = &looking{fakeModel: b.model, warnings: []string{"it does not have that model"}}
	b.want(Done)
	if lines := strings.Split(b.shown(), "\n"); !strings.HasPrefix(lines[0], "run_started") || lines[1] != "warning {it does not have that model}" {
		t.Error(b.shown())
	}
	if fmt.Sprint(b.windows) != "[4096 4096]" {
		t.Errorf("the session heard of the windows %v", b.windows)
	}
}

// A reply that ends where the window does names the window, not the length of a reply.
func TestReplyThatFillsTheWindow(t *testing.T) {
	for _, row := range []struct {
		name  string
		text  string
		usage memory.Usage
		known bool
		want  string
	}{
		{"an answer", "half an", memory.Usage{Input: 4000, Output: 96}, true, "the answer was cut off: its context window of 4096 tokens was full"},
		{"nothing", " ", memory.Usage{Input: 4000, Output: 90}, true, "answered nothing: its context window of 4096 tokens was full"},
		{"not counted", "half an", memory.Usage{}, true, "the answer was cut off: its context window"},
		{"short of it", "half an", memory.Usage{Input: 3000, Output: 500}, true, "raise model.max_output_tokens"},
		{"not known", "half an", memory.Usage{Input: 4000, Output: 96}, false, "raise model.max_output_tokens"},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t, fakeReply{text: row.text, finish: model.FinishLength, usage: row.usage})
			b.meta = memory.ContextMeta{TokensUsed: 4090, TokensMax: 4096, MaxKnown: row.known}
			_, err := b.run()
			said := fmt.Sprint(err, b.events)
			if !strings.Contains(said, row.want) || strings.Contains(said, "raise model.max_output_tokens") != strings.HasPrefix(row.want, "raise") {
				t.Errorf("%s, want %s", said, row.want)
			}
		})
	}
}
