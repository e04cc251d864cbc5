package openai

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/galley-ls/galley/memory"
	"pgregory.net/rapid"
)

// refusals are what servers say, the profile with which they said it, and what it teaches.
var refusals = []struct {
	name   string
	status int
	p      Profile
	said   string
	want   string // the profile that is learnt, as JSON; "": nothing
}{
	{"max_tokens", 400, Profile{}, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", `{"max_tokens_field":"max_completion_tokens"}`},
	{"max_completion_tokens", 422, Profile{MaxTokensField: fieldMaxCompletion}, "Extra inputs are not permitted: (body.max_completion_tokens)", `{"max_tokens_field":"max_tokens"}`},
	{"no limit at all", 400, Profile{}, "Unknown parameter: 'max_tokens'.", `{"max_tokens_field":"none"}`},
	{"too large a limit", 400, Profile{}, "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.", `{"max_output":16384}`},
	{"too large a limit, Groq", 400, Profile{}, "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model", `{"max_output":8192}`},
	{"too large a limit, DeepSeek", 400, Profile{}, "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", `{"max_output":8192}`},
	{"temperature", 400, Profile{}, "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.", `{"temperature":false}`},
	{"temperature, deprecated", 400, Profile{}, "`temperature` is deprecated for this model.", `{"temperature":false}`},
	{"stream_options", 400, Profile{}, "Unrecognized request argument supplied: stream_options", `{"stream_usage":false}`},
	{"include_usage", 422, Profile{}, "Extra inputs are not permitted: (body.stream_options.include_usage)", `{"stream_usage":false}`},
	{"parallel_tool_calls", 400, Profile{}, "Unknown parameter: 'parallel_tool_calls'", `{"omit_fields":["parallel_tool_calls"]}`},
	{"tools and thoughts", 400, Profile{}, "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.", `{"extra_body":{"reasoning_effort":"none"}}`},
	{"thoughts are missed", 400, Profile{}, "The `reasoning_content` in the thinking mode must be passed back to the API.", `{"echo_reasoning":"reasoning_content"}`},
	{"thoughts are missed, Moonshot", 400, Profile{}, "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2", `{"echo_reasoning":"reasoning_content"}`},
	{"older thoughts are missed", 400, Profile{EchoReasoning: echoContent}, "messages[51]: assistant message with tool_calls must include reasoning_content", `{"echo_reasoning":"reasoning_content","echo_scope":"all"}`},
	{"thoughts are refused", 400, Profile{EchoReasoning: echoContent}, "property 'messages.2.reasoning_content' is unsupported", `{"echo_reasoning":"off"}`},
	{"thoughts are refused, Mistral", 422, Profile{EchoReasoning: echoContent}, "Extra inputs are not permitted: (body.messages.31.assistant.reasoning_content)", `{"echo_reasoning":"off"}`},
	{"user after tool", 400, Profile{}, "Unexpected role 'user' after role 'tool'", `{"strict_turns":true}`},
	{"turns", 500, Profile{}, "Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...", `{"strict_turns":true}`},
	{"ids", 400, Profile{}, "Tool call id was call_abc but must be a-z, A-Z, 0-9, with a length of 9.", `{"tool_ids":"alnum9"}`},
	{"long ids", 400, Profile{}, "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 56 instead.", `{"tool_ids":"alnum9"}`},
	{"U34 names of tools, Gemini", 400, Profile{}, "* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.", `{"tool_names":true}`},
	{"U34 names of tools, Gemini behind a proxy", 400, Profile{}, "Request contains an invalid argument.", `{"tool_names":true}`},
	{"U34 names of tools, others", 422, Profile{}, "messages[3]: tool message: field 'name' is required", `{"tool_names":true}`},
	{"developer", 400, Profile{SystemRole: roleDeveloper}, "unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`", `{"system_role":"system"}`},
	{"system", 400, Profile{}, "Unsupported value: 'messages[0].role' does not support 'system' with this model.", `{"system_role":"user"}`},
	{"system, Gemma", 500, Profile{}, "Jinja Exception: System role not supported", `{"system_role":"user"}`},
	{"stream", 400, Profile{}, "Your organization must be verified to stream this model.", `{"stream":false}`},
	{"stream, Azure", 422, Profile{}, "Streaming responses are not currently supported", `{"stream":false}`},
	{"empty content", 400, Profile{}, "messages.2: text content blocks must be non-empty", `{"tool_only_content":"null"}`},
	{"null content", 400, Profile{ToolOnlyContent: contentNull}, "invalid message content type: <nil>", `{"tool_only_content":"empty"}`},
	{"null content, pydantic", 422, Profile{ToolOnlyContent: contentNull}, "Input should be a valid string: (body.messages.2.assistant.content)", `{"tool_only_content":"empty"}`},
	{"content is missed", 422, Profile{ToolOnlyContent: contentOmit}, "Field required: (body.messages.2.content)", `{"tool_only_content":"empty"}`},
	{"an unknown field", 400, Profile{}, "Unrecognized request argument supplied: top_k", `{"omit_fields":["top_k"]}`},
	{"an unknown field, serde", 422, Profile{}, "Failed to deserialize the JSON body: unknown field `top_k`, expected one of `model`, `messages`", `{"omit_fields":["top_k"]}`},
	{"an unknown field, Google", 400, Profile{}, `Invalid JSON payload received. Unknown name "top_k": Cannot find field.`, `{"omit_fields":["top_k"]}`},
	{"an unknown field, xAI", 400, Profile{}, "Argument not supported on this model: top_k", `{"omit_fields":["top_k"]}`},
	{"an unknown field of a call", 400, Profile{}, "Additional properties are not allowed ('extra_content' was unexpected) - 'messages.2.tool_calls.0'", `{"omit_fields":["extra_content"]}`},

	{"a field that was not sent", 400, Profile{}, "Unknown parameter: 'top_p'", ""},
	{"a field that is needed", 400, Profile{}, "Unrecognized request argument supplied: messages", ""},
	{"another temperature", 400, Profile{}, "The oven's temperature is fine.", ""},
	{"nothing", 400, Profile{}, "Something about the request is wrong.", ""},
	{"not its business", 401, Profile{}, "Unknown parameter: 'top_k'", ""},
	{"a filter", 400, Profile{}, "The content management policy says that content must not be empty: content_filter", ""},
}

// provocation is a request in which everything stands that a server may refuse.
func provocation() memory.Request {
	m := calling("call_1", "{}")
	m.Reasoning = "hm"
	m.ToolCalls[0].Extra = json.RawMessage(`{"extra_content":{}}`)
	next := m
	next.ToolCalls = []memory.ToolCall{{ID: "call_2", Name: "read"}}
	return conversation(m, result("call_1", "x"), memory.Message{Role: "assistant", Content: "Seen."}, user("Go on."), next, result("call_2", "x"), user("block"))
}

func provoked(p Profile) Config {
	half, yes := 0.5, true
	p.ParallelToolCalls = &yes
	return Config{
		Temperature: &half, MaxOutput: 100_000, Learnt: p, Profile: Profile{ExtraBody: map[string]any{"top_k": 3}},
	}
}

func TestLessons(t *testing.T) {
	for _, test := range refusals {
		cfg := provoked(test.p)
		var learnt *Profile
		cfg.Learn = func(p Profile) { learnt = &p }
		body := string(encode(map[string]any{"error": map[string]any{"message": test.said}}))
		m, w := testModel(t, cfg, answer{status: test.status, body: body}, answer{body: events(says("Hi"), end("stop"))})
		_, heard, err := stream(t, m, provocation())
		switch {
		case test.want == "":
			if learnt != nil || err == nil {
				t.Errorf("%s: got %v, learnt %s", test.name, err, pretty(learnt))
			}
			continue
		case err != nil || learnt == nil || len(w.requests()) != 2 || heard.waiting != "":
			t.Errorf("%s: got %v with %d requests, learnt %s, told %q", test.name, err, len(w.requests()), pretty(learnt), heard.waiting)
			continue
		}
		want := test.p.over(Profile{})
		want.ParallelToolCalls = cfg.Learnt.ParallelToolCalls
		if err := json.Unmarshal([]byte(test.want), &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(*learnt, want) {
			t.Errorf("%s: learnt %s, want %s", test.name, pretty(learnt), pretty(want))
		}
		if again := w.requests(); string(again[0].body) == string(again[1].body) {
			t.Errorf("%s: the same request once more: %s", test.name, again[1].body)
		}
	}
}

// What was learnt is in force from then on, and in the next model that is given it.
func TestLessonsAreKept(t *testing.T) {
	refusal := answer{status: 400, body: `{"error":{"message":"Unrecognized request argument supplied: stream_options"}}`}
	good := answer{body: events(says("Hi"), end("stop"))}
	var learnt Profile
	m, w := testModel(t, Config{Learn: func(p Profile) { learnt = p }}, refusal, good)
	for range 3 {
		if _, _, err := stream(t, m, ask()); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.requests()) != 4 || on(m.Profile().StreamUsage) {
		t.Errorf("%d requests, profile %s", len(w.requests()), pretty(m.Profile()))
	}
	next, w := testModel(t, Config{Learnt: learnt}, good)
	if _, _, err := stream(t, next, ask()); err != nil || strings.Contains(string(w.requests()[0].body), "stream_options") {
		t.Errorf("got %v of %s", err, w.requests()[0].body)
	}
}

// A refusal of what the settings say is an error: they stay as they are.
func TestLessonsDoNotChangeSettings(t *testing.T) {
	half := 0.5
	yes := true
	m, w := testModel(t, Config{Temperature: &half, Profile: Profile{Temperature: &yes}}, answer{status: 400, body: `{"error":{"message":"temperature is not supported"}}`})
	if _, _, err := stream(t, m, ask()); kindOf(err) != KindBadRequest || len(w.requests()) != 1 || !strings.Contains(err.Error(), "model.profile") {
		t.Errorf("got %v with %d requests", err, len(w.requests()))
	}
}

// What did not help is not kept.
func TestLessonsThatDoNotHelpAreForgotten(t *testing.T) {
	m, w := testModel(t, Config{Learn: func(p Profile) { t.Errorf("heard %s", pretty(p)) }}, answer{status: 400, body: `{"error":{"message":"Unrecognized request argument supplied: stream_options"}}`})
	if _, _, err := stream(t, m, ask()); kindOf(err) != KindBadRequest || len(w.requests()) < 2 || !on(m.Profile().StreamUsage) {
		t.Errorf("got %v with %d requests", err, len(w.requests()))
	}
}

func TestSeveralLessonsInOneRequest(t *testing.T) {
	said := func(text string) answer {
		return answer{status: 400, body: string(encode(map[string]any{"error": map[string]any{"message": text}}))}
	}
	m, w := testModel(t, provoked(Profile{}), said("Unknown parameter: 'max_tokens'. Use max_completion_tokens."), said("temperature is not supported"),
		said("Unknown parameter: 'max_completion_tokens'"), said("unknown field `top_k`"), answer{body: events(says("Hi"), end("stop"))})
	if _, _, err := stream(t, m, provocation()); err != nil || len(w.requests()) != 5 {
		t.Errorf("got %v with %d requests", err, len(w.requests()))
	}
}

// Whatever a server refuses, in whatever order, the request ends.
func TestLessonsEnd(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var answers []answer
		for i := range rapid.IntRange(1, 12).Draw(rt, "refusals") {
			r := rapid.SampledFrom(refusals).Draw(rt, fmt.Sprint(i))
			answers = append(answers, answer{status: r.status, body: string(encode(map[string]any{"error": map[string]any{"message": r.said}}))})
		}
		m, w := testModel(t, provoked(Profile{}), answers...) // the last one for ever
		if _, _, err := stream(t, m, provocation()); err == nil || len(w.requests()) > 2*len(refusals) {
			rt.Fatalf("got %v with %d requests", err, len(w.requests()))
		}
	})
}

func TestThinkingIsLearnt(t *testing.T) {
	thoughts := answer{body: events(says("hm, so"), says("\n</think>\n\nHello."), end("stop"))}
	plain := answer{body: events(says("Hello."), end("stop"))}
	var learnt []string
	m, _ := testModel(t, Config{Learn: func(p Profile) { learnt = append(learnt, p.Thinking) }}, thoughts, thoughts, plain, plain)
	for i, want := range []told{{text: "hm, soHello.", reasoning: ""}, {text: "Hello.", reasoning: "hm, so\n"}, {text: "Hello.", reasoning: "Hello."}, {text: "Hello.", reasoning: ""}} {
		reply, heard, err := stream(t, m, ask())
		if err != nil || reply.Message.Content != "Hello." || strings.ReplaceAll(heard.text, "\n", "") != want.text || heard.reasoning != want.reasoning {
			t.Errorf("reply %d: got %s, %v, told %+v", i, pretty(reply), err, *heard)
		}
	}
	if strings.Join(learnt, " ") != "open tags" {
		t.Errorf("learnt %q", learnt)
	}
}
