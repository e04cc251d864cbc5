package openaitest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

func ask1(t *testing.T, s *Server, body string) string {
	t.Helper()
	return exchange(t, post(t, s.URL(), body))
}

func TestRepliesComeInOrderAndEnd(t *testing.T) {
	s := start(t, Script{Replies: []Reply{{Text: "One."}, {Text: "Two."}}})
	for i, want := range []string{"One.", "Two.", "HTTP 500\nContent-Type: application/json\nX-Should-Retry: false\n\n"} {
		if left := s.Left(); left != max(0, 2-i) {
			t.Errorf("%d replies are left", left)
		}
		if got := ask1(t, s, plainBody(true)); !strings.Contains(got, want) {
			t.Errorf("reply %d: %s", i+1, got)
		}
	}
	if got := ask1(t, s, plainBody(true)); !strings.Contains(got, "the script is over") {
		t.Error(got)
	}
	if problems := s.Problems(); len(problems) > 0 {
		t.Error(problems)
	}
}

func TestLoopStartsAgain(t *testing.T) {
	s := start(t, Script{Loop: true, Replies: []Reply{{Text: "One."}, {Text: "Two.", Fault: "http_503"}}})
	for i, want := range []string{"One.", "HTTP 503", "Two.", "One.", "HTTP 503", "Two."} {
		if got := ask1(t, s, plainBody(true)); !strings.Contains(got, want) {
			t.Errorf("request %d: %s, want %s", i+1, got, want)
		}
	}
}

func TestWhenLooksBehindTheModelsLastMessage(t *testing.T) {
	s := start(t, Script{Loop: true, Replies: []Reply{
		{When: Texts{"text", "second"}, Text: "Result and word."}, {When: Texts{"hello"}, Text: "Greeting."}, {When: Texts{"text"}, Text: "Result."}, {Text: "Anything."},
	}})
	second := strings.Replace(called(`"content":"",`), `"content":"b"`, `"content":"the second"`, 1)
	tests := []struct{ body, want string }{
		{request(``), "Anything."},
		{calledLast(`"content":"",`), "Result."},
		{conversationOf(userSays("say hello"), userSays("and more")), "Greeting."},
		{conversationOf(userSays("say hello"), `{"role":"assistant","content":"hello"}`, userSays("text")), "Result."},
		{conversationOf(`{"role":"user","content":[{"type":"text","text":"say hel"},{"type":"text","text":"lo"}]}`), "Greeting."},
		{second, "Result and word."},
	}
	for _, test := range tests {
		if got := ask1(t, s, test.body); !strings.Contains(got, `"content":"`+test.want) {
			t.Errorf("%s: %s, want %s", test.body, got, test.want)
		}
	}
}

func TestNoReplyFits(t *testing.T) {
	s := start(t, Script{Loop: true, Replies: []Reply{{When: Texts{"nothing"}, Text: "a"}}})
	if got := ask1(t, s, plainBody(true)); !strings.HasPrefix(got, "HTTP 500\n") || s.Left() != 1 {
		t.Errorf("%s, left %d", got, s.Left())
	}
}

func TestWant(t *testing.T) {
	s := start(t, Script{Replies: []Reply{{Text: "Fine.", Want: Texts{`"temperature":0`, "Do it."}}}})
	for _, test := range []struct{ body, want string }{
		{request(``), `the request does not hold \"\\\"temperature\\\":0\"`},
		{request(`"temperature":0`), "Fine."},
	} {
		if got := ask1(t, s, test.body); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.body, got, test.want)
		}
	}
	if problems := s.Problems(); len(problems) != 1 || !strings.Contains(problems[0], `request 1: reply 1: the request does not hold "\"temperature\":0"`) {
		t.Error(problems)
	}
}

func TestFaultsOfEachKind(t *testing.T) {
	tests := []struct {
		fault string
		want  []string // of four requests
	}{
		{"crlf", []string{"One.", "Two.", "over", "over"}},
		{"http_503", []string{"Loading", "One.", "Two.", "over"}},
		{"cut_start", []string{"<end: cut>", "One.", "Two.", "over"}},
		{"http_400", []string{"invalid_request_error", "Two.", "over", "over"}},
		{"http_503_always", []string{"Loading", "Loading", "Loading", "Loading"}},
		{"refuse_stream", []string{"verified", "verified", "verified", "verified"}},
		{"http_307", []string{"HTTP 307", "HTTP 307", "HTTP 307", "HTTP 307"}},
		{"too_long_stream", []string{"n_ctx", "Two.", "over", "over"}},
	}
	for _, test := range tests {
		s := start(t, Script{Replies: []Reply{{Text: "One.", Fault: test.fault}, {Text: "Two."}}})
		for i, want := range test.want {
			if got := ask1(t, s, plainBody(true)); !strings.Contains(got, want) {
				t.Errorf("%s, request %d: %s, want %s", test.fault, i+1, got, want)
			}
		}
	}
}

func TestRedirectIsFollowed(t *testing.T) {
	s := start(t, Script{Replies: []Reply{{Text: "One.", Fault: "http_307"}}})
	request := post(t, s.URL(), plainBody(true))
	request.URL.Path = "/moved/v1/chat/completions"
	if got := exchange(t, request); !strings.Contains(got, "One.") || s.Left() != 0 {
		t.Error(got)
	}
}

func TestPlainAnswers(t *testing.T) {
	s := start(t, Script{Replies: []Reply{
		{Status: 418, Header: map[string]string{"Retry-After": "7", "Content-Type": "text/x-tea"}, Body: "short and stout"},
		{Body: `{"a":1}`},
		{Status: 500},
		{Frames: []string{"data: a\n\n", ": b\n"}},
		{Text: "Hi.", Header: map[string]string{"Retry-After": "8"}},
	}})
	for _, want := range []string{
		"HTTP 418\nContent-Type: text/x-tea\nRetry-After: 7\n\nshort and stout<end: whole>",
		"HTTP 200\nContent-Type: application/json\n\n{\"a\":1}<end: whole>",
		"HTTP 500\nContent-Type: application/json\n\n<end: whole>",
		"HTTP 200\nContent-Type: text/event-stream\n\ndata: a\n\n: b\n<end: whole>",
		"HTTP 200\nContent-Type: text/event-stream\nRetry-After: 8\n\ndata: ",
	} {
		if got := ask1(t, s, plainBody(true)); !strings.HasPrefix(got, want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestAnswerWithoutStream(t *testing.T) {
	s := start(t, Script{Replies: []Reply{{Text: "Hi.", Reasoning: "Hm."}, {Calls: []Call{{Name: "read"}}}, {}}})
	for _, want := range []string{
		`"message":{"content":"Hi.","reasoning_content":"Hm.","role":"assistant"}`,
		`"finish_reason":"tool_calls","index":0,"message":{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{}","name":"read"},"id":"call_1","type":"function"}]}`,
		`"message":{"content":"","role":"assistant"}`,
	} {
		if got := ask1(t, s, plainBody(false)); !strings.Contains(got, want) || !strings.Contains(got, `"usage":{"completion_tokens":`) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestUsageComesWhenAskedFor(t *testing.T) {
	s := start(t, Script{Loop: true, Replies: []Reply{{Text: "Hi."}}})
	if got := ask1(t, s, request(`"stream":true`)); strings.Contains(got, "usage") {
		t.Error(got)
	}
	if got := ask1(t, s, plainBody(true)); strings.Count(got, "usage") != 1 {
		t.Error(got)
	}
}

func TestModels(t *testing.T) {
	tests := []struct {
		script Script
		want   string
	}{
		{Script{}, `"data":[{"created":1767225600,"id":"scripted","object":"model","owned_by":"openaitest"}]`},
		{Script{Models: []string{"a", "b"}}, `"id":"b"`},
		{Script{Models: []string{}}, `"data":[]`},
		{Script{ModelsStatus: 404}, "HTTP 404\n"},
		{Script{ModelsBody: `[{"id":"a"}]`}, `[{"id":"a"}]<end`},
		{Script{Key: "sk-secret"}, "HTTP 401\n"},
	}
	for _, test := range tests {
		s := start(t, test.script)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL()+"/models", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := exchange(t, request); !strings.Contains(got, test.want) {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestOtherModelsAreNotFound(t *testing.T) {
	s := start(t, Script{Models: []string{"a"}, Replies: []Reply{{Text: "Hi."}}})
	if got := ask1(t, s, plainBody(true)); !strings.Contains(got, "HTTP 404\n") || !strings.Contains(got, "model_not_found") || s.Left() != 1 {
		t.Error(got)
	}
	deployed := post(t, strings.TrimSuffix(s.URL(), "/v1")+"/openai/deployments/a", plainBody(true))
	deployed.URL.RawQuery = "api-version=2024-06-01"
	if got := exchange(t, deployed); !strings.Contains(got, "Hi.") {
		t.Error(got)
	}
}

func TestRequestsAreKept(t *testing.T) {
	s := start(t, Script{Replies: []Reply{{Text: "Hi.", Fault: "http_503"}}})
	for range 3 {
		request := post(t, s.URL(), plainBody(true))
		request.Header.Set("X-Title", "galley")
		request.URL.RawQuery = "a=b"
		exchange(t, request)
	}
	got := s.Requests()
	var answers []string
	for _, r := range got {
		answers = append(answers, r.Answer)
		if r.Method != "POST" || r.Path != "/v1/chat/completions" || r.Query != "a=b" || r.Header.Get("X-Title") != "galley" || string(r.Body) != plainBody(true) || r.JSON["model"] != "scripted" {
			t.Errorf("%+v", r)
		}
	}
	if want := []string{"reply 1, fault http_503: 503", "reply 1", "500, the script is over"}; !slices.Equal(answers, want) {
		t.Errorf("the answers are %q", answers)
	}
	if dump := s.Dump(); !strings.Contains(dump, "3 requests, 0 open") || !strings.Contains(dump, "Do it.") {
		t.Error(dump)
	}
}

func TestConcurrentRequests(t *testing.T) {
	var replies []Reply
	for i := range 40 {
		replies = append(replies, Reply{When: Texts{fmt.Sprintf("<%d>", i)}, Text: fmt.Sprintf("Answer %d.", i), Calls: []Call{{Name: "read"}}, Chunk: 1})
	}
	s := start(t, Script{Replies: replies})
	var clients sync.WaitGroup
	for i := range replies {
		request := post(t, s.URL(), conversationOf(userSays(fmt.Sprintf("<%d>", i))))
		clients.Go(func() {
			if got := exchange(t, request); !strings.Contains(got, fmt.Sprintf("Answer %d.", i)) {
				t.Errorf("request %d: %s", i, got)
			}
		})
	}
	clients.Wait()
	if s.Left() != 0 || len(s.Requests()) != 40 || len(s.Problems()) != 0 || len(s.ids) != 40 {
		t.Errorf("left %d of %s", s.Left(), s.Dump())
	}
}

// A stream that is plain says what the script says, whatever that is.
func FuzzStream(f *testing.F) {
	f.Add("Hello\n\n there  ", "Hm. <é>", `{"a": "\n"}`, 0)
	f.Add("", "", "not JSON", 3)
	f.Fuzz(func(t *testing.T, text, reasoning, arguments string, chunk int) {
		text, reasoning, arguments = strings.ToValidUTF8(text, "?"), strings.ToValidUTF8(reasoning, "?"), strings.ToValidUTF8(arguments, "?")
		reply := Reply{Text: text, Reasoning: reasoning, Chunk: max(0, chunk), Calls: []Call{{Name: "read", Arguments: encode(arguments)}}}
		gotText, gotReasoning, gotArguments := said(t, strings.Join(record(t, reply), ""))
		if gotText != text || gotReasoning != reasoning || gotArguments != arguments {
			t.Errorf("%q %q %q", gotText, gotReasoning, gotArguments)
		}
	})
}

// No request makes the server fail, with any fault.
func FuzzRequest(f *testing.F) {
	faults := Faults()
	for i, body := range []string{plainBody(true), called(""), `{"messages":[null,{"tool_calls":[null,5]}],"tools":[5,{"function":{"parameters":{"properties":{"a":5}}}}]}`} {
		f.Add(body, i)
	}
	f.Fuzz(func(t *testing.T, body string, n int) {
		fault := faults[(n%len(faults)+len(faults))%len(faults)]
		s := start(t, Script{Replies: []Reply{fault.Sample()}})
		s.Release()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/chat/completions", strings.NewReader(body))
		s.ServeHTTP(httptest.NewRecorder(), r)
		s.Close()
	})
}
