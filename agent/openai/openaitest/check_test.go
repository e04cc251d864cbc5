package openaitest

import (
	"net/http"
	"strings"
	"testing"
)

// judged sends one request and returns the problems with it.
func judged(t *testing.T, script Script, url string, header http.Header, body string) []string {
	t.Helper()
	if script.Replies == nil {
		script.Replies = []Reply{{Text: "Fine."}}
	}
	s := start(t, script)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for name, values := range header {
		r.Header[name] = values
	}
	exchange(t, r)
	return s.Problems()
}

const chat = "/chat/completions"

func TestGoodRequests(t *testing.T) {
	bodies := []string{
		plainBody(true), plainBody(false), called(`"content":"",`), called(`"content":null,`), called(``), calledLast(`"content":"Let me see.",`),
		request(`"temperature":0,"max_tokens":5,"parallel_tool_calls":false,"tools":[` + readTool + `]`),
		request(`"stop":["a"],"tool_choice":"auto","tools":[` + readTool + `],"seed":-3,"user":"u","reasoning_effort":"low"`),
		conversationOf(`{"role":"developer","content":"Be brief."}`, userSays("a"), `{"role":"assistant","content":"b"}`, userSays("c"), userSays("d")),
		conversationOf(`{"role":"user","content":[{"type":"text","text":"a"}]}`),
		request(`"tools":[{"type":"function","function":{"name":"f","description":"d","strict":true,"parameters":{"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":{"type":"array","items":{"type":"string","enum":["x"]}}}}}}]`),
	}
	for _, body := range bodies {
		if problems := judged(t, Script{}, chat, nil, body); len(problems) > 0 {
			t.Errorf("%s\nfor %s", strings.Join(problems, "\n"), body)
		}
	}
}

func TestProblemsWithTheRequest(t *testing.T) {
	tests := []struct{ body, want string }{
		{`{"messages":[{"role":"user","content":"a"}]}`, "model is missing"},
		{`{"model":5,"messages":[{"role":"user","content":"a"}]}`, "model is a number, not a text"},
		{`{"model":"m"}`, "messages is empty"},
		{`{"model":"m","messages":"a"}`, "messages is a text, not a list"},
		{request(`"stream":"yes"`), "stream is a text, not a bool"},
		{request(`"top_k":5`), "there is no field top_k"},
		{request(`"seed":null`), "seed is null"},
		{request(`"temperature":3`), "temperature is 3: allowed is 0 to 2"},
		{request(`"max_tokens":0`), "max_tokens is 0: allowed is 1 to"},
		{request(`"max_tokens":5,"max_completion_tokens":5`), "are both set"},
		{request(`"parallel_tool_calls":false`), "parallel_tool_calls is allowed with tools only"},
		{request(`"stream_options":{"include_usage":true}`), "stream_options is allowed with a stream only"},
		{request(`"stream":true,"stream_options":{"include_usage":"yes"}`), "stream_options.include_usage is yes"},
		{request(`"stream":true,"stream_options":{"more":true}`), "stream_options.more is true"},
		{request(`"seed":1,"seed":2`), "seed stands twice in its object"},
		{request(`"metadata":{"a":"b","a":"c"}`), "metadata.a stands twice in its object"},
		{request(`"user":"` + "\xff" + `"`), "the body is no UTF-8"},
		{request(`"user":"sk-secret"`), "the key stands in the body"},
	}
	script := Script{Key: "sk-secret"}
	header := http.Header{"Authorization": {"Bearer sk-secret"}}
	for _, test := range tests {
		checkProblem(t, test.want, test.body, judged(t, script, chat, header, test.body))
	}
}

func checkProblem(t *testing.T, want, body string, problems []string) {
	t.Helper()
	if len(problems) != 1 || !strings.Contains(problems[0], want) || !strings.HasPrefix(problems[0], "request 1: ") {
		t.Errorf("got %q, want %q\nfor %s", problems, want, body)
	}
}

func TestProblemsWithTheConversation(t *testing.T) {
	const system, answer = `{"role":"system","content":"Be brief."}`, `{"role":"assistant","content":"b"}`
	call := func(id, arguments, more string) string {
		return `{"id":"` + id + `","type":"function","function":{"name":"read","arguments":"` + arguments + `"}` + more + `}`
	}
	calling := func(calls ...string) string {
		return `{"role":"assistant","content":"","tool_calls":[` + strings.Join(calls, ",") + `]}`
	}
	result := func(id string) string { return `{"role":"tool","content":"x","tool_call_id":"` + id + `"}` }
	user := userSays("a")
	tests := []struct {
		want     string
		messages []string
	}{
		{"messages[0] is no object", []string{`5`, user}},
		{`messages[0]: there is no role "function"`, []string{`{"role":"function","content":"a"}`, user}},
		{"messages[1]: the role system is for the first message only", []string{user, system, user}},
		{"no message is the user's", []string{system}},
		{"the last message is the model's own", []string{user, answer}},
		{"messages[0]: content is missing", []string{`{"role":"user"}`}},
		{"messages[0]: content is empty", []string{`{"role":"user","content":""}`}},
		{"messages[0]: content is <nil>", []string{`{"role":"system","content":null}`, user}},
		{"messages[0]: content has a part", []string{`{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url"}]}`}},
		{"messages[1]: content is <nil>", []string{user, `{"role":"assistant","content":null}`, user}},
		{"messages[1]: content is empty", []string{user, `{"role":"assistant","content":""}`, user}},
		{"messages[1] has a field reasoning_content", []string{user, `{"role":"assistant","content":"b","reasoning_content":"c"}`, user}},
		{"messages[0] has a field tool_call_id", []string{`{"role":"user","content":"a","tool_call_id":"b"}`}},
		{"messages[1]: tool_calls is []: allowed is a list of calls", []string{user, `{"role":"assistant","content":"b","tool_calls":[]}`, user}},
		{"messages[2]: the call c1 has no result before it", []string{user, calling(call("c1", "{}", "")), user}},
		{"the end: the call c1 has no result before it", []string{user, calling(call("c1", "{}", ""), call("c2", "{}", "")), result("c2")}},
		{`messages[1]: tool_call_id "c1" is no unanswered call`, []string{user, result("c1")}},
		{`messages[3]: tool_call_id "c1" is no unanswered call`, []string{user, calling(call("c1", "{}", "")), result("c1"), result("c1")}},
		{`messages[4]: tool_call_id "c1" is no unanswered call`, []string{user, calling(call("c1", "{}", "")), result("c1"), user, result("c1"), user}},
		{"messages[3].tool_calls[0]: the id c1 stands twice", []string{user, calling(call("c1", "{}", "")), result("c1"), calling(call("c1", "{}", "")), result("c1")}},
		{`messages[1].tool_calls[0]: the id "a:b": allowed are`, []string{user, calling(call("a:b", "{}", "")), result("a:b")}},
		{"messages[1].tool_calls[0]: arguments are {broken: allowed is", []string{user, calling(call("c1", "{broken", "")), result("c1")}},
		{"messages[1].tool_calls[0]: arguments are [1]: allowed is", []string{user, calling(call("c1", "[1]", "")), result("c1")}},
		{"messages[1].tool_calls[0]: arguments are : allowed is", []string{user, calling(call("c1", "", "")), result("c1")}},
		{"messages[1].tool_calls[0] has a field index", []string{user, calling(call("c1", "{}", `,"index":0`)), result("c1")}},
		{"messages[1].tool_calls[0]: type is <nil>, not function", []string{user, calling(`{"id":"c1","function":{"name":"read","arguments":"{}"}}`), result("c1")}},
		{`messages[1].tool_calls[0]: the name "": allowed`, []string{user, calling(`{"id":"c1","type":"function","function":{"name":"","arguments":"{}"}}`), result("c1")}},
		{"messages[1].tool_calls[0].function has a field more", []string{user, calling(`{"id":"c1","type":"function","function":{"name":"a","arguments":"{}","more":1}}`), result("c1")}},
	}
	for _, test := range tests {
		body := conversationOf(test.messages...)
		checkProblem(t, test.want, body, judged(t, Script{}, chat, nil, body))
	}
}

func TestProblemsWithTools(t *testing.T) {
	tool := func(function string) string { return `{"type":"function","function":{` + function + `}}` }
	schema := func(s string) string { return tool(`"name":"f","description":"d","parameters":` + s) }
	tests := []struct{ tools, want string }{
		{``, "tools holds 0"},
		{`{"type":"web_search"}`, "tools[0] is no {type: function"},
		{tool(`"name":"a b","description":"d","parameters":{"type":"object","properties":{}}`), `the name "a b" stands twice or is none`},
		{readTool + `,` + readTool, `tools[1]: the name "read" stands twice`},
		{tool(`"name":"f","parameters":{"type":"object","properties":{}}`), "the description must be a text of 1 to 1024 characters"},
		{tool(`"name":"f","description":"` + strings.Repeat("d", 1025) + `","parameters":{"type":"object","properties":{}}`), "the description must be"},
		{tool(`"name":"f","description":"d"`), `parameters must be an object with type "object" and properties`},
		{schema(`null`), "parameters must be an object"},
		{schema(`{}`), "parameters must be an object"},
		{schema(`{"type":"object"}`), "parameters must be an object"},
		{schema(`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}}}`), "parameters.a has $ref"},
		{schema(`{"type":"object","properties":{"a":{"type":"array"}}}`), "parameters.a is an array without items"},
		{schema(`{"type":"object","properties":{"a":{"type":["string","null"]}}}`), "parameters.a: type is a list"},
		{schema(`{"type":"object","properties":{"a":{"type":"string","enum":[]}}}`), "parameters.a has an empty enum"},
		{schema(`{"type":"object","properties":{"a":true}}`), "parameters.a is no schema"},
		{schema(`{"type":"object","properties":{"a b":{"type":"string"}}}`), `the name "a b"`},
		{schema(`{"type":"object","properties":{"a":{"anyOf":[{"type":"array"}]}}}`), "parameters.a.anyOf[0] is an array without items"},
		{schema(`{"type":"object","properties":{},"required":["a"]}`), "requires a, which it does not have"},
		{tool(`"name":"f","description":"d","strict":true,"parameters":{"type":"object","properties":{"a":{"type":"string"}}}`), "is strict"},
		{tool(`"name":"f","description":"d","more":1,"parameters":{"type":"object","properties":{}}`), "tools[0].function has a field more"},
	}
	for _, test := range tests {
		body := request(`"tools":[` + test.tools + `]`)
		checkProblem(t, test.want, body, judged(t, Script{}, chat, nil, body))
	}
}

func TestProblemsWithTheHTTP(t *testing.T) {
	azure, key := Script{Key: "sk-secret"}, http.Header{"Api-Key": {"sk-secret"}}
	bearer := http.Header{"Authorization": {"Bearer sk-secret"}}
	tests := []struct {
		want, url string
		script    Script
		header    http.Header
		body      string
	}{
		{`Content-Type is "text/plain"`, chat, Script{}, http.Header{"Content-Type": {"text/plain"}}, request(``)},
		{"the key is \"\", not the script's", chat, azure, nil, request(``)},
		{"the key is \"other\", not the script's", chat, azure, http.Header{"Authorization": {"Bearer other"}}, request(``)},
		{"the key stands in the URL", chat + "?key=sk-secret", azure, bearer, request(``)},
		{"without ?api-version=", "/openai/deployments/gpt/chat/completions", azure, key, request(``)},
		{"its key stands in the header api-key", "/openai/deployments/gpt/chat/completions?api-version=1", azure, bearer, request(``)},
		{"the server has POST", "/completions", Script{}, nil, request(``)},
		{"the server has POST", "/models", Script{}, nil, request(``)},
		{"the body is no JSON object", chat, Script{}, nil, `{`},
		{"the body is no JSON object", chat, Script{}, nil, `[]`},
		{"the body is no JSON object", chat, Script{}, nil, strings.Repeat(`[`, 100_000)},
		{"the body is no JSON object", chat, Script{}, nil, ``},
		{"the body is no JSON object", chat, Script{}, nil, request(``) + request(``)},
	}
	for _, test := range tests {
		checkProblem(t, test.want, test.body, judged(t, test.script, test.url, test.header, test.body))
	}
	good := judged(t, azure, "/openai/deployments/gpt/chat/completions?api-version=1", key, request(``))
	if len(good) > 0 {
		t.Errorf("a good request to a deployment: %q", good)
	}
}

func TestFurtherFieldsAndForgiveness(t *testing.T) {
	body := conversationOf(userSays("a"), `{"role":"assistant","content":"b","reasoning_content":"c"}`, userSays("d"))
	if got := judged(t, Script{Fields: []string{"reasoning_content"}}, chat, nil, body); len(got) > 0 {
		t.Errorf("the script has the field: %q", got)
	}
	if got := judged(t, Script{Replies: []Reply{{Text: "a"}, {Fault: "refuse_without_reasoning", Text: "b"}}}, chat, nil, body); len(got) > 0 {
		t.Errorf("a fault of the script wants the field: %q", got)
	}
	if got := judged(t, Script{Forgive: []string{"has a field reasoning_content"}}, chat, nil, body); len(got) > 0 {
		t.Errorf("the script forgives it: %q", got)
	}
}

// What came with a call must come back with it, under whatever id.
func TestFurtherFieldsOfCallsComeBack(t *testing.T) {
	turn := func(id, more string) string {
		return conversationOf(userSays("a"),
			`{"role":"assistant","content":"","tool_calls":[{"id":"`+id+`","type":"function","function":{"name":"read","arguments":"{\"lines\":[1,2], \"file\":\"a, b.txt\"}"}`+more+`}]}`,
			`{"role":"tool","content":"x","tool_call_id":"`+id+`"}`)
	}
	const signature = `"extra_content":{"google":{"thought_signature":"EpwCCpkCAXLI2nx/+a=="}}`
	tests := []struct{ id, more, want string }{
		{"call_1", "," + signature, ""},
		{"renamed", "," + signature, ""},
		{"call_1", "", "does not bear them any more"},
		{"call_1", `,"extra_content":{"google":{}}`, "does not bear them any more"},
	}
	for _, test := range tests {
		s := start(t, Script{Replies: []Reply{Fault{Name: "thought_signature"}.Sample(), {Text: "Fine."}}})
		exchange(t, post(t, s.URL(), plainBody(true)))
		exchange(t, post(t, s.URL(), turn(test.id, test.more)))
		got := strings.Join(s.Problems(), "\n")
		if (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s%s: got %q, want %q", test.id, test.more, got, test.want)
		}
	}
}

// An id that the server gave is fine, whatever is in it.
func TestIdsOfTheServerAreFine(t *testing.T) {
	s := start(t, Script{Replies: []Reply{{Calls: []Call{{ID: "functions.read:0", Name: "read"}}}, {Text: "Fine."}}})
	exchange(t, post(t, s.URL(), plainBody(true)))
	exchange(t, post(t, s.URL(), strings.ReplaceAll(calledLast(`"content":"",`), "call_1", "functions.read:0")))
	if problems := s.Problems(); len(problems) > 0 {
		t.Error(problems)
	}
}
