package openai

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/galley-ls/galley/agent/model"
)

// broken is an error as http.Client gives it.
func broken(err error) error {
	return &url.Error{Op: "Post", URL: "http://u:password@h/v1?key=hidden-query-key", Err: err}
}

func dial(err error) error {
	return broken(&net.OpError{Op: "dial", Net: "tcp", Err: err})
}

type slow struct{ error }

func (slow) Timeout() bool   { return true }
func (slow) Temporary() bool { return true }

func TestErrors(t *testing.T) {
	json := func(status int, body string) answer { return answer{status: status, body: body} }
	tests := []struct {
		name string
		cfg  Config
		answer
		kind  Kind
		tries int
		has   []string
	}{
		{"refused", Config{BaseURL: "http://localhost:11434/v1"}, answer{err: dial(syscall.ECONNREFUSED)}, KindConnect, 3, []string{"http://localhost:11434/v1", "is the server running", "`ollama serve`", "GALLEY_MODEL_BASE_URL", "tried 3 times"}},
		{"refused on Windows", Config{}, answer{err: dial(errors.New("connectex: No connection could be made because the target machine actively refused it."))}, KindConnect, 3, []string{"was refused", "is the server running, and"}},
		{"refused, llama.cpp", Config{BaseURL: "http://127.0.0.1:8080/v1"}, answer{err: dial(syscall.ECONNREFUSED)}, KindConnect, 3, []string{"llama-server --jinja"}},
		{"refused by the proxy", Config{}, answer{err: broken(&net.OpError{Op: "proxyconnect", Err: &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}})}, KindConnect, 3, []string{"HTTPS_PROXY"}},
		{"no such host", Config{}, answer{err: dial(&net.DNSError{Name: "model.test", IsNotFound: true})}, KindDNS, 1, []string{"model.test is not known", "model.base_url"}},
		{"no name server", Config{}, answer{err: dial(&net.DNSError{Name: "model.test", IsTimeout: true})}, KindDNS, 3, nil},
		{"no route", Config{}, answer{err: dial(syscall.EHOSTUNREACH)}, KindConnect, 3, []string{"cannot be reached"}},
		{"no answer to the call", Config{}, answer{err: dial(slow{errors.New("i/o timeout")})}, KindConnect, 3, []string{"did not answer in time"}},
		{"reset", Config{}, answer{err: broken(syscall.ECONNRESET)}, KindCut, 5, []string{"broke off", "tried 5 times"}},
		{"closed", Config{}, answer{err: broken(io.EOF)}, KindCut, 5, nil},
		{"something else", Config{}, answer{err: broken(errors.New("strange thing with " + testKey))}, KindConnect, 3, []string{"strange thing with [secret]"}},
		{"a strange certificate", Config{}, answer{err: broken(&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}})}, KindTLS, 1, []string{"nobody known here has signed", "SSL_CERT_FILE"}},
		{"a certificate of another", Config{}, answer{err: broken(x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x"})}, KindTLS, 1, []string{"for another host"}},
		{"an old certificate", Config{}, answer{err: broken(x509.CertificateInvalidError{Reason: x509.Expired})}, KindTLS, 1, []string{"expired"}},
		{"http and https", Config{}, answer{err: broken(errors.New("http: server gave HTTP response to HTTPS client"))}, KindTLS, 1, []string{"http:// instead of https://"}},
		{"https and http", Config{}, answer{err: broken(errors.New("malformed HTTP response \"\\x15\\x03\""))}, KindNotOpenAI, 1, []string{"https://"}},

		{"401", Config{}, json(401, `{"error":{"message":"Incorrect API key provided: `+testKey+`."}}`), KindAuth, 1, []string{"does not accept the key", "TEST_KEY", "[secret]"}},
		{"401, the key once more", Config{}, json(401, "key "+testKey[:12]+"… of "+base64.StdEncoding.EncodeToString([]byte("Bearer "+testKey))), KindAuth, 1, nil},
		{"a bad key with 400", Config{}, json(400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`), KindAuth, 1, nil},
		{"403", Config{}, json(403, `{"error":{"message":"no"}}`), KindForbidden, 1, []string{"m1"}},
		{"402", Config{}, json(402, `{"error":{"message":"Insufficient Balance"}}`), KindQuota, 1, []string{"no credit or quota"}},
		{"429, the money", Config{}, json(429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`), KindQuota, 1, nil},
		{"429, the pace", Config{}, json(429, `{"error":{"message":"slow down"}}`), KindRateLimit, 5, []string{"takes no more requests for now (429)"}},
		{"429, Gemini's pace", Config{}, json(429, `{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s."}}`), KindRateLimit, 5, nil},
		{"429, for long", Config{}, answer{status: 429, header: map[string]string{"Retry-After": "7200"}}, KindRateLimit, 1, []string{"asked again in 2 h only"}},
		{"a model that is not there, Ollama", Config{BaseURL: "http://localhost:11434/v1", Model: "qwen9"}, json(404, `{"error":{"message":"model \"qwen9\" not found, try pulling it first"}}`), KindModelNotFound, 1, []string{"`ollama pull qwen9`"}},
		{"a model that is not there", Config{}, json(400, `{"error":{"message":"m1 is not a valid model ID"}}`), KindModelNotFound, 1, []string{"model.model"}},
		{"no such path", Config{BaseURL: "http://localhost:11434"}, json(404, "404 page not found"), KindNotFound, 1, []string{"ends in /v1: http://localhost:11434/v1"}},
		{"no such path, JSON", Config{}, json(404, `{"detail":"Not Found"}`), KindNotFound, 1, nil},
		{"no such path, OpenAI", Config{}, json(404, `{"error":{"message":"Invalid URL (POST /x/chat/completions)"}}`), KindNotFound, 1, nil},
		{"500", Config{}, json(500, "{}"), KindServer, 5, []string{"has an error (500)"}},
		{"529", Config{}, json(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), KindServer, 5, nil},
		{"501", Config{}, json(501, `{"error":{"message":"no"}}`), KindBadRequest, 1, nil},
		{"400", Config{}, json(400, `{"error":{"message":"what?"}}`), KindBadRequest, 1, []string{"“what?”", "model.profile"}},
		{"422", Config{}, json(422, `{"detail":[{"loc":["body","prompt"],"msg":"Field required"}]}`), KindBadRequest, 1, []string{"Field required: (body.prompt)"}},
		{"moved", Config{}, answer{status: 301, header: map[string]string{"Location": "https://u:pw@other.test/v1/chat/completions?key=x"}}, KindMoved, 1, []string{"points to https://other.test/v1 (301)", "set model.base_url"}},
		{"moved somewhere", Config{}, answer{status: 302, header: map[string]string{"Location": "/login"}}, KindMoved, 1, []string{"another address"}},
		{"a page", Config{}, answer{body: "<!doctype html><title>Wi-Fi\nlogin</title>"}, KindNotOpenAI, 1, []string{"web page (“Wi-Fi login”)"}},
		{"a page with 404", Config{}, json(404, "<html><h1>Not Found</h1>"), KindNotOpenAI, 1, []string{"404", "Not Found"}},
		{"a page with 502", Config{}, json(502, "<html><title>Bad Gateway</title>"), KindServer, 5, []string{"Bad Gateway"}},
		{"other JSON", Config{}, answer{body: `{"status":"ok"}`}, KindNotOpenAI, 1, []string{`{"status":"ok"}`}},
		{"Ollama's own", Config{}, answer{body: `{"model":"x","message":{"role":"assistant","content":"Hi"},"done":true}`}, KindNotOpenAI, 1, nil},
		{"plain words", Config{BaseURL: "http://localhost:11434"}, answer{body: "Ollama is running"}, KindNotOpenAI, 1, []string{"/v1"}},
		{"nothing", Config{}, answer{}, KindCut, 5, nil},
		{"no tools, Ollama", Config{BaseURL: "http://localhost:11434/v1"}, json(400, `{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools"}}`), KindNoTools, 1, []string{"`ollama show NAME`"}},
		{"no tools, llama.cpp", Config{}, json(500, `{"error":{"message":"tools param requires --jinja flag"}}`), KindNoTools, 1, []string{"--jinja"}},
		{"no tools, vLLM", Config{}, json(400, `{"message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}`), KindNoTools, 1, []string{"--tool-call-parser"}},
		{"no tools, OpenRouter", Config{}, json(404, `{"error":{"message":"No endpoints found that support tool use."}}`), KindNoTools, 1, nil},
		{"filtered", Config{}, json(400, `{"error":{"code":"content_filter","message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy."}}`), KindContentFilter, 1, nil},
		{"filtered reply", Config{}, answer{body: events(end("content_filter"))}, KindContentFilter, 1, nil},
		{"a broken call, Groq", Config{}, json(400, `{"error":{"message":"Failed to call a function. Please adjust your prompt.","code":"tool_use_failed"}}`), KindBadRequest, 3, nil},
		{"within the stream", Config{}, answer{body: "data: {\"error\":{\"message\":\"no\",\"code\":401}}\n\n"}, KindAuth, 1, []string{"an error within the reply"}},
		{"busy within the stream", Config{}, answer{body: "data: {\"error\":{\"message\":\"worker limit\",\"code\":502}}\n\n"}, KindServer, 5, nil},
		{"a paced stream", Config{}, answer{body: "data: {\"error\":{\"message\":\"x\",\"type\":\"rate_limit_error\"}}\n\n"}, KindRateLimit, 5, nil},
		{"a request that a stream calls wrong", Config{}, answer{body: "data: {\"error\":{\"message\":\"x\",\"type\":\"invalid_request_error\"}}\n\n"}, KindBadRequest, 1, nil},
		{"empty", Config{}, answer{body: events(end("stop"))}, KindEmpty, 2, []string{"was empty (finish stop)"}},
		{"thoughts only", Config{}, answer{body: events(delta(`{"reasoning_content":"hm"}`), end("stop"))}, KindEmpty, 2, []string{"only thought"}},
		{"thoughts to the limit", Config{}, answer{body: events(delta(`{"reasoning_content":"hm"}`), end("length"))}, KindEmpty, 1, []string{"model.max_output_tokens"}},
	}
	for _, test := range tests {
		m, w := testModel(t, test.cfg, test.answer)
		reply, heard, err := stream(t, m, ask())
		if kindOf(err) != test.kind || reply.Message.Content != "" {
			t.Errorf("%s: got %v (%s), want %s", test.name, err, kindOf(err), test.kind)
			continue
		}
		if tries := len(w.requests()); tries != test.tries || strings.Count(heard.waiting, "\n") != test.tries-1 {
			t.Errorf("%s: tried %d times, told %q, want %d tries", test.name, tries, heard.waiting, test.tries)
		}
		for _, want := range test.has {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not hold %q", test.name, err, want)
			}
		}
		checkText(t, test.name, err.Error()+heard.waiting)
	}
}

// checkText looks whether a text may be shown.
func checkText(t *testing.T, name, text string) {
	t.Helper()
	for i := range len(testKey) - secretPart + 1 {
		if part := testKey[i : i+secretPart]; strings.Contains(text, part) {
			t.Errorf("%s: the part %s of the key stands in %q", name, part, text)
			return
		}
	}
	for _, not := range []string{"password", "hidden", "u:pw", "\r", "\x1b", "%!", "  "} {
		if strings.Contains(text, not) {
			t.Errorf("%s: %q holds %q", name, text, not)
		}
	}
}

func TestErrorsKnowWhetherThereWasAKey(t *testing.T) {
	for _, test := range []struct{ key, name, want string }{
		{"", "MY_KEY", "MY_KEY is empty"},
		{"", "", "model.api_key_env"},
		{testKey, "MY_KEY", "the key in the environment variable MY_KEY is the right one"},
		{testKey, "", "the key is the right one"},
	} {
		m := mustModel(t, Config{Key: test.key, KeyName: test.name})
		err := m.judge(newFailure(401, nil, nil), m.Profile()).err
		if !strings.Contains(err.Error(), test.want) {
			t.Errorf("key %q of %q: got %q, want %q", test.key, test.name, err, test.want)
		}
	}
}

func TestMask(t *testing.T) {
	key := "sk-Über+geheim/12345=="
	m := newMask(Config{Key: key, Profile: Profile{Headers: map[string]string{"X-Auth-Token": "token-0987654321", "X-Title": "galley-title"}}}, address{
		user: url.UserPassword("me", "pass-word-1"), query: url.Values{"key": {"query-secret"}},
	})
	hidden := []string{
		key, url.QueryEscape(key), url.PathEscape(key), base64.StdEncoding.EncodeToString([]byte(key)), base64.URLEncoding.EncodeToString([]byte("Bearer " + key)),
		base64.StdEncoding.EncodeToString([]byte("x" + key + "y")), "token-0987654321", "pass-word-1", "query-secret", base64.StdEncoding.EncodeToString([]byte("me:pass-word-1")),
		key[3:], key[:12], fmt.Sprintf("%x", key), "sk-proj-****************abcd", "Bearer abcdefgh",
	}
	for _, text := range hidden {
		shown := m.quote("x " + text + " y")
		for i := 0; i+12 <= len(text); i++ {
			if strings.Contains(shown, text[i:i+12]) {
				t.Errorf("%q shows %q", shown, text[i:i+12])
				break
			}
		}
	}
	for text, want := range map[string]string{
		"plain galley-title":            "plain galley-title",
		" a\r\n\tb\x1b[31m\x00\u202ec ": "a b[31mc",
		strings.Repeat("é", 400):        strings.Repeat("é", 300) + "…",
		"a\xffb":                        "a�b",
	} {
		if got := m.quote(text); got != want {
			t.Errorf("%q is quoted as %q, want %q", text, got, want)
		}
	}
	if got := m.quote(strings.Repeat("x", 290) + " " + key); strings.Contains(got, key[:10]) {
		t.Errorf("the end of the quotation shows the key: %q", got)
	}
}

func TestTooLong(t *testing.T) {
	tests := []struct {
		status int
		said   string
		limit  int
	}{
		{400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 10360 tokens","code":"context_length_exceeded"}}`, 8192},
		{400, `{"message":"This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens"}`, 262144},
		{400, `{"error":{"message":"Input length (265330) exceeds model's maximum context length (262144)."}}`, 262144},
		{400, `{"error":{"message":"Input length 131393 exceeds the maximum allowed input length of 131040 tokens."}}`, 131040},
		{400, `{"error":{"code":400,"message":"request (33056 tokens) exceeds the available context size (32768 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":33056,"n_ctx":32768}}`, 32768},
		{400, `{"error":{"message":"the request exceeds the available context size, try increasing it","n_ctx":4096}}`, 4096},
		{500, `{"error":{"message":"context size exceeded: n_ctx = 4096"}}`, 4096},
		{400, `{"error":"Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}`, 4096},
		{400, `{"error":{"message":"The number of tokens to keep from the initial prompt is greater than the context length."}}`, 0},
		{400, `{"error":{"message":"prompt is too long: 213462 tokens > 200000 maximum"}}`, 200000},
		{400, `{"error":{"message":"input length and max_tokens exceed context limit: 90402 + 116650 > 204648, decrease input length or max_tokens and try again"}}`, 204648},
		{400, `{"error":{"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."}}`, 1048575},
		{400, `{"error":{"message":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}}`, 131072},
		{400, `{"message":"Prompt contains 40001 tokens and 0 draft tokens, too large for model with 32768 maximum context length"}`, 32768},
		{400, `{"error":{"message":"The input (263000 tokens) is longer than the model's context length (262144 tokens)."}}`, 262144},
		{400, `{"error":{"message":"Requested token count exceeds the model's maximum context length of 262,144 tokens."}}`, 262144},
		{400, `{"error":{"message":"Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192"}}`, 8192},
		{422, `{"error":"Input validation error: inputs tokens + max_new_tokens must be <= 4096. Given: 5021 inputs tokens","error_type":"validation"}`, 4096},
		{400, `{"error":{"message":"prompt token count of 140000 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}`, 128000},
		{400, `{"error":{"message":"Invalid request: Your request exceeded model token limit: 131072 (requested: 150000)"}}`, 131072},
		{400, `{"error":{"message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]"}}`, 30720},
		{400, `{"error":{"message":"Prompt too long: 5152 tokens exceeds max_seq_len 2048 (leave room for output tokens)"}}`, 2048},
		{400, `{"error":{"message":"Input is too long for requested model."}}`, 0},
		{400, `{"error":{"message":"invalid params, context window exceeds limit"}}`, 0},
		{400, `{"error":{"message":"Your input exceeds the context window of this model."}}`, 0},
		{413, `<html><title>413 Request Entity Too Large</title></html>`, 0},
		{429, `{"error":{"message":"Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 33017. The input or output tokens must be reduced"}}`, 30000},

		{429, `{"error":{"message":"Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s."}}`, -1},
		{429, `{"error":{"message":"Too many tokens, please wait before trying again."}}`, -1},
		{400, `{"error":{"message":"ThrottlingException: Too many tokens, please wait before trying again."}}`, -1},
		{400, `{"error":{"message":"max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000."}}`, -1},
		{400, `{"error":{"message":"the file is too long"}}`, -1},
	}
	for _, test := range tests {
		m := mustModel(t, Config{})
		err := m.judge(newFailure(test.status, nil, []byte(test.said)), m.Profile()).err
		var long *model.TooLongError
		limit := -1
		if errors.As(err, &long) {
			limit = long.Limit
		}
		if limit != test.limit {
			t.Errorf("%s: got the limit %d, want %d (%v)", test.said, limit, test.limit, err)
		}
	}
}

func TestTheWindowIsLearnt(t *testing.T) {
	var learnt []Profile
	cfg := Config{Learn: func(p Profile) { learnt = append(learnt, p) }}
	m, _ := testModel(t, cfg, answer{status: 400, body: `{"error":{"message":"This model's maximum context length is 8192 tokens."}}`})
	for range 2 {
		_, _, err := stream(t, m, ask())
		var long *model.TooLongError
		if !errors.As(err, &long) || long.Limit != 8192 || !strings.Contains(long.Why, "compact") {
			t.Fatalf("got %v", err)
		}
	}
	if len(learnt) != 1 || learnt[0].RequestLimit != 8192 || m.Window() != 8192 {
		t.Errorf("heard %+v", learnt)
	}
}

// An error behind the first words says that the reply was cut, if asking again is of use.
func TestCutErrors(t *testing.T) {
	words := "data: " + says("Hello") + "\n\n"
	tests := []struct {
		name string
		answer
		kind Kind
		cut  bool
	}{
		{"the end", answer{body: words}, KindCut, true},
		{"reset", answer{body: words, tail: syscall.ECONNRESET}, KindCut, true},
		{"broken", answer{body: words + "data: {\"cho\n\n"}, KindCut, true},
		{"busy", answer{body: words + "data: {\"error\":{\"message\":\"x\",\"code\":502}}\n\n"}, KindServer, true},
		{"wrong", answer{body: words + "data: {\"error\":{\"message\":\"x\",\"code\":400}}\n\n"}, KindBadRequest, false},
		{"filtered", answer{body: words + "data: {\"error\":{\"message\":\"x\",\"code\":\"content_filter\"}}\n\n"}, KindContentFilter, false},
		{"thoughts", answer{body: "data: " + delta(`{"reasoning":"hm"}`) + "\n\n"}, KindCut, true},
		{"a call", answer{body: "data: " + delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{"}}]}`) + "\n\n"}, KindCut, true},
		{"a call and [DONE]", answer{body: events(delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{"}}]}`))}, KindCut, true},
	}
	for _, test := range tests {
		m, w := testModel(t, Config{}, test.answer)
		_, _, err := stream(t, m, ask())
		if kindOf(err) != test.kind || errors.Is(err, model.ErrCut) != test.cut || len(w.requests()) != 1 {
			t.Errorf("%s: got %v (%s, cut %v) with %d requests", test.name, err, kindOf(err), errors.Is(err, model.ErrCut), len(w.requests()))
		}
	}
}

func TestAnErrorTellsWhatTheReplyCost(t *testing.T) {
	m, _ := testModel(t, Config{}, answer{body: "data: " + says("Hello") + "\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}\n\n"})
	reply, _, err := stream(t, m, ask())
	if err == nil || reply.Usage.Input != 9 || reply.Message.Content != "" {
		t.Errorf("got %+v, %v", reply, err)
	}
}

func TestACancelIsTheContextsError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m, _ := testModel(t, Config{}, answer{body: "data: " + says("Hello") + "\n\n", tail: errHang})
	_, err := m.Stream(ctx, ask(), func(d model.Delta) {
		if d.Text != "" {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || errors.Is(err, model.ErrCut) {
		t.Errorf("got %v", err)
	}
	if _, err := m.Stream(ctx, ask(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v of a context that is over", err)
	}
}
