package openai

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/galley-ls/galley/memory"
)

// sentBody is the body of the one request that a conversation makes.
func sentBody(t *testing.T, cfg Config, req memory.Request) (string, map[string]any) {
	t.Helper()
	m, w := testModel(t, cfg, answer{body: events(says("Hi"), end("stop"))})
	if _, _, err := stream(t, m, req); err != nil {
		t.Fatal(err)
	}
	got := w.requests()[0]
	return string(got.body), got.json
}

func calling(id, args string) memory.Message {
	return memory.Message{Role: "assistant", ToolCalls: []memory.ToolCall{{ID: id, Name: "read", Arguments: args}}}
}

func result(id, text string) memory.Message {
	return memory.Message{Role: "tool", ToolCallID: id, Content: text}
}

func user(text string) memory.Message { return memory.Message{Role: "user", Content: text} }

// conversation is a request with messages behind the usual ones.
func conversation(messages ...memory.Message) memory.Request {
	req := ask()
	req.Messages = append(req.Messages, messages...)
	return req
}

func TestBody(t *testing.T) {
	yes, no, zero, half := true, false, 0.0, 0.5
	tools := conversation(calling("call_1", ""), result("call_1", ""), user("block"))
	bare := ask()
	bare.Tools = nil
	tests := []struct {
		name string
		cfg  Config
		req  memory.Request
		has  []string
		not  []string
	}{
		{
			"plain",
			Config{},
			ask(),
			[]string{`"model":"m1"`, `"stream":true`, `"stream_options":{"include_usage":true}`, `"parameters":{"type":"object","properties":{}}`},
			[]string{"temperature", "max_tokens", "parallel_tool_calls", "null"},
		},
		{"no tools", Config{}, bare, nil, []string{"tools", "parallel"}},
		{"temperature 0", Config{Temperature: &zero}, ask(), []string{`"temperature":0,`}, nil},
		{"temperature", Config{Temperature: &half}, ask(), []string{`"temperature":0.5,`}, nil},
		{"temperature off", Config{Temperature: &half, Profile: Profile{Temperature: &no}}, ask(), nil, []string{"temperature"}},
		{"max_tokens", Config{MaxOutput: 7}, ask(), []string{`"max_tokens":7`}, []string{"max_completion"}},
		{"max_completion_tokens", Config{MaxOutput: 7, Profile: Profile{MaxTokensField: "max_completion_tokens"}}, ask(), []string{`"max_completion_tokens":7`}, []string{"max_tokens"}},
		{"a smaller limit", Config{MaxOutput: 9000, Profile: Profile{MaxOutput: 4096}}, ask(), []string{`"max_tokens":4096`}, nil},
		{"no limit", Config{MaxOutput: 7, Profile: Profile{MaxTokensField: "none"}}, ask(), nil, []string{"max_"}},
		{"a reasoning model of OpenAI", Config{Model: "gpt-5.2", BaseURL: "https://api.openai.com/v1", MaxOutput: 7, Temperature: &half}, ask(), []string{`"model":"gpt-5.2"`, `"role":"developer"`, `"max_completion_tokens":7`}, []string{"temperature", `"system"`}},
		{"one that go-openai refuses", Config{Model: "gpt-6-astra", Temperature: &half, MaxOutput: 7}, ask(), []string{`"model":"gpt-6-astra"`, `"temperature":0.5`, `"max_tokens":7`}, nil},
		{"no stream", Config{Profile: Profile{Stream: &no}}, ask(), []string{`"stream":false`}, []string{"stream_options"}},
		{"no usage", Config{Profile: Profile{StreamUsage: &no}}, ask(), nil, []string{"stream_options"}},
		{"parallel calls", Config{Profile: Profile{ParallelToolCalls: &no}}, ask(), []string{`"parallel_tool_calls":false`}, nil},
		{"parallel calls without tools", Config{Profile: Profile{ParallelToolCalls: &yes}}, bare, nil, []string{"parallel"}},
		{"extra body", Config{Profile: Profile{ExtraBody: map[string]any{"top_k": 3, "stream_options": nil, "messages": 1, "stream": false}}}, ask(), []string{`"top_k":3`, `"stream":true`, "Do it."}, []string{"stream_options"}},
		{"omitted fields", Config{Profile: Profile{OmitFields: []string{"stream_options", "messages"}}}, ask(), []string{"Do it."}, []string{"stream_options"}},
		{"U34 results without a name", Config{}, tools, nil, []string{`"name":"read","role":"tool"`}},
		{"U34 results with the name of their tool", Config{Profile: Profile{ToolNames: &yes}}, tools, []string{`"name":"read","role":"tool","tool_call_id":"call_1"`}, nil},
		{"U34 results for Gemini", Config{BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai"}, tools, []string{`"name":"read","role":"tool"`}, nil},
		{"U34 names where ids are mapped", Config{Profile: Profile{ToolNames: &yes, ToolIDs: "alnum9"}}, tools, []string{`"name":"read","role":"tool"`}, nil},
		{"empty contents", Config{}, tools, []string{`{"content":"","role":"assistant"`, `{"content":"(no output)","role":"tool"`, `"arguments":"{}"`}, nil},
		{"null content", Config{Profile: Profile{ToolOnlyContent: "null"}}, tools, []string{`{"content":null,"role":"assistant"`, `{"content":"(no output)","role":"tool"`}, nil},
		{"no content", Config{Profile: Profile{ToolOnlyContent: "omit"}}, tools, []string{`{"role":"assistant"`, `{"content":"(no output)","role":"tool"`}, nil},
		{"HTML is not escaped", Config{}, conversation(calling("a", `{"file":"<&>"}`), result("a", "<&>")), []string{`"<&>"`, `{\"file\":\"<&>\"}`}, []string{`u003c`}},
		{"system as user", Config{Profile: Profile{SystemRole: "user"}}, ask(), []string{`{"content":"Be brief.\n\nDo it.","role":"user"}`}, []string{`"system"`}},
	}
	for _, test := range tests {
		body, parsed := sentBody(t, test.cfg, test.req)
		if parsed == nil {
			t.Errorf("%s: %s is no JSON", test.name, body)
		}
		for _, want := range test.has {
			if !strings.Contains(body, want) {
				t.Errorf("%s: %s does not hold %s", test.name, body, want)
			}
		}
		for _, not := range test.not {
			if strings.Contains(body, not) {
				t.Errorf("%s: %s holds %s", test.name, body, not)
			}
		}
	}
}

func turnsOf(req memory.Request, p Profile) []turn {
	turns, _ := prepare(req, p)
	return turns
}

// roles is a short form of what is sent: r:content(calls).
func roles(turns []turn) string {
	var list []string
	for _, t := range turns {
		s := t.Role[:1] + ":" + strings.ReplaceAll(t.Content, "\n\n", "|")
		for _, c := range t.ToolCalls {
			s += "(" + c.ID + ")"
		}
		if t.echo {
			s += "~" + t.Reasoning
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

func TestTurns(t *testing.T) {
	yes := true
	strict := Profile{StrictTurns: &yes}
	thinks := func(m memory.Message, text string) memory.Message { m.Reasoning = text; return m }
	said := func(text string) memory.Message { return memory.Message{Role: "assistant", Content: text} }
	loop := conversation(
		thinks(calling("a", "{}"), "t1"), result("a", "r1"), thinks(said("One."), "t2"),
		user("Go on."), thinks(calling("b", "{}"), "t3"), result("b", "r2"), user("stop?"), thinks(calling("c", "{}"), ""), result("c", "r3"), user("block"),
	)
	tests := []struct {
		name string
		p    Profile
		req  memory.Request
		want string
	}{
		{"as they are", Profile{}, loop, "s:Be brief. u:Do it. a:(a) t:r1 a:One. u:Go on. a:(b) t:r2 u:stop? a:(c) t:r3 u:block"},
		{"strict", strict, loop, "s:Be brief. u:Do it. a:(a) t:r1 a:One. u:Go on. a:(b) t:r2|stop? a:(c) t:r3|block"},
		{"strict, texts in a row", strict, conversation(user("A"), user("B"), said("x"), said("y"), user("C")), "s:Be brief. u:Do it.|A|B a:x|y u:C"},
		{"thoughts of the loop", Profile{EchoReasoning: echoContent, EchoScope: echoLoop}, loop, "s:Be brief. u:Do it. a:(a) t:r1 a:One. u:Go on. a:(b)~t3 t:r2 u:stop? a:(c)~ t:r3 u:block"},
		{"thoughts of all calls", Profile{EchoReasoning: echoContent, EchoScope: echoAll, StrictTurns: &yes}, loop, "s:Be brief. u:Do it. a:(a)~t1 t:r1 a:One. u:Go on. a:(b)~t3 t:r2|stop? a:(c)~ t:r3|block"},
		{"no thoughts", Profile{EchoReasoning: echoOff}, loop, "s:Be brief. u:Do it. a:(a) t:r1 a:One. u:Go on. a:(b) t:r2 u:stop? a:(c) t:r3 u:block"},
	}
	for _, test := range tests {
		if got := roles(turnsOf(test.req, test.p)); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestThoughtsGoBack(t *testing.T) {
	m := calling("a", "{}")
	m.Reasoning = "hm"
	for _, field := range []string{echoContent, echoReasoning} {
		body, _ := sentBody(t, Config{Profile: Profile{EchoReasoning: field}}, conversation(m, result("a", "x")))
		if !strings.Contains(body, fmt.Sprintf("%q:\"hm\"", field)) {
			t.Errorf("%s stands not in %s", field, body)
		}
	}
	if body, _ := sentBody(t, Config{}, conversation(m, result("a", "x"))); strings.Contains(body, "hm") {
		t.Errorf("thoughts go back unasked: %s", body)
	}
}

func TestIDsOfNine(t *testing.T) {
	req := conversation(
		memory.Message{Role: "assistant", ToolCalls: []memory.ToolCall{{ID: "call_1", Name: "read"}, {ID: "abcDEF123", Name: "read"}, {ID: "call_2", Name: "read"}}},
		result("call_1", "x"), result("abcDEF123", "y"), result("call_2", "z"), user("block"),
	)
	turns := turnsOf(req, Profile{ToolIDs: idsAlnum9})
	calls := turns[2].ToolCalls
	seen := map[string]bool{}
	for i, c := range calls {
		if !memory.IsShortID(c.ID) || seen[c.ID] || turns[3+i].ToolCallID != c.ID {
			t.Errorf("call %d has the id %q, its result %q", i, c.ID, turns[3+i].ToolCallID)
		}
		seen[c.ID] = true
	}
	if calls[1].ID != "abcDEF123" || req.Messages[2].ToolCalls[0].ID != "call_1" {
		t.Errorf("a good id was changed to %q, or the request to %q", calls[1].ID, req.Messages[2].ToolCalls[0].ID)
	}
	req.Messages = req.Messages[:6]
	if again := turnsOf(req, Profile{ToolIDs: idsAlnum9}); again[2].ToolCalls[0].ID != calls[0].ID {
		t.Error("the same id becomes another one in the next request")
	}
}

func TestWhatModelsWroteIsSendable(t *testing.T) {
	for _, test := range []struct{ name, args, wantName, want string }{
		{"read", `{"a":1}`, "read", `{"a":1}`},
		{"read", " \n", "read", "{}"},
		{"read", `{"a": oops`, "read", `{"malformed_arguments":"{\"a\": oops"}`},
		{"read", `[1]`, "read", `{"malformed_arguments":"[1]"}`},
		{"a b.c:ä", "{}", "a_b_c__", "{}"},
		{strings.Repeat("n", 90), "{}", strings.Repeat("n", 64), "{}"},
		{"", "{}", "unknown_tool", "{}"},
	} {
		call := calling("a", test.args)
		call.ToolCalls[0].Name = test.name
		got := turnsOf(conversation(call, result("a", "x")), Profile{})[2].ToolCalls[0]
		if got.Name != test.wantName || got.Arguments != test.want {
			t.Errorf("%q %q: got %q %q, want %q %q", test.name, test.args, got.Name, got.Arguments, test.wantName, test.want)
		}
	}
}

func TestExtraGoesBack(t *testing.T) {
	m := calling("a", "{}")
	m.ToolCalls[0].Extra = json.RawMessage(`{"extra_content":{"google":{"thought_signature":"x/+="}},"id":"other","function":1}`)
	body, _ := sentBody(t, Config{}, conversation(m, result("a", "x")))
	for _, want := range []string{`"extra_content":{"google":{"thought_signature":"x/+="}}`, `"id":"a"`, `"name":"read"`} {
		if !strings.Contains(body, want) {
			t.Errorf("%s does not hold %s", body, want)
		}
	}
	body, _ = sentBody(t, Config{Profile: Profile{OmitFields: []string{"extra_content"}}}, conversation(m, result("a", "x")))
	if strings.Contains(body, "signature") {
		t.Errorf("a refused field goes back: %s", body)
	}
	m.ToolCalls[0].Extra = json.RawMessage(`[1`)
	if body, parsed := sentBody(t, Config{}, conversation(m, result("a", "x"))); parsed == nil {
		t.Errorf("%s is no JSON", body)
	}
}

// The next request is the last one with something behind it, so that a server's cache holds.
func TestRequestsGrowAtTheEnd(t *testing.T) {
	yes := true
	for _, p := range []Profile{{}, {ToolIDs: idsAlnum9, EchoReasoning: echoContent, EchoScope: echoAll}, {SystemRole: roleDeveloper, StrictTurns: &yes}} {
		messages := func(req memory.Request) string {
			body, _ := sentBody(t, Config{Profile: p}, req)
			_, after, _ := strings.Cut(body, `"messages":[`)
			before, _, _ := strings.Cut(after, `],"model"`)
			return before
		}
		short := conversation(calling("call_1", "{}"), result("call_1", "x"), calling("call_2", "{}"), result("call_2", "y"))
		long := short
		long.Messages = append(long.Messages[:len(long.Messages):len(long.Messages)], calling("call_3", "{}"), result("call_3", "z"), user("block"))
		if a, b := messages(short), messages(long); !strings.HasPrefix(b, a) {
			t.Errorf("%+v:\n%s\nis not the beginning of\n%s", p, a, b)
		}
	}
}

// R10: a list of calls is there or not, never empty; a reply that only calls has the content that the profile wants.
// R17: no message has a part that is no text.
func TestR10R17CallsAndContents(t *testing.T) {
	req := conversation(
		memory.Message{Role: "assistant", Content: "One.", ToolCalls: []memory.ToolCall{}}, user("more"),
		calling("a", "{}"), result("a", ""), memory.Message{Role: "assistant", Content: " \n", ToolCalls: calling("b", "{}").ToolCalls}, result("b", "\x89PNG\r\n\x1a\n"),
	)
	for form, want := range map[string]any{contentNull: nil, contentEmpty: "", contentOmit: "left out"} {
		_, body := sentBody(t, Config{Profile: Profile{ToolOnlyContent: form}}, req)
		for i, m := range body["messages"].([]any) {
			message := m.(map[string]any)
			calls, has := message["tool_calls"].([]any)
			content, is := message["content"]
			if !is {
				content = "left out"
			}
			if _, stands := message["tool_calls"]; stands != has || has && len(calls) == 0 {
				t.Errorf("%s: message %d has the calls %v", form, i, message["tool_calls"])
			}
			if text, ok := content.(string); has && content != want || !has && (!ok || strings.TrimSpace(text) == "") {
				t.Errorf("%s: message %d has the content %v", form, i, content)
			}
		}
	}
}
