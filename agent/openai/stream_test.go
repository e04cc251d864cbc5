package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

func TestStream(t *testing.T) {
	m, w := testModel(t, Config{Profile: Profile{Headers: map[string]string{"X-Title": "galley"}}}, answer{body: events(
		delta(`{"role":"assistant","content":""}`), delta(`{"reasoning_content":"hm"}`), says("Hel"), says("lo."),
		delta(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":"{}"}}]}`), end("tool_calls"),
		`{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":64}}}`,
	)})
	reply, heard, err := stream(t, m, ask())
	want := model.Reply{
		Message: memory.Message{Role: "assistant", Content: "Hello.", Reasoning: "hm", ToolCalls: []memory.ToolCall{{ID: "a", Name: "read", Arguments: "{}"}}},
		Usage:   memory.Usage{Input: 100, Cached: 64, Output: 7}, Finish: "tool_calls",
	}
	if err != nil || pretty(reply) != pretty(want) || *heard != (told{text: "Hello.", reasoning: "hm"}) {
		t.Errorf("got %s, %v, told %+v", pretty(reply), err, *heard)
	}
	r := w.requests()[0]
	if r.url != "http://model.test/v1/chat/completions" || r.header.Get("Authorization") != "Bearer "+testKey || r.header.Get("X-Title") != "galley" ||
		r.header.Get("Content-Type") != "application/json" || r.header.Get("Connection") != "" {
		t.Errorf("got %s with %v", r.url, r.header)
	}
}

func TestWholeReplies(t *testing.T) {
	whole := `{"id":1,"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello.","tool_calls":[{"id":"a","type":"function","function":{"name":"read","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}`
	no := false
	for _, test := range []struct {
		p    Profile
		body string
	}{{Profile{}, whole}, {Profile{Stream: &no}, whole}, {Profile{}, "\n" + whole + "\n"}, {Profile{}, "data: " + whole + "\n\n"}, {Profile{}, strings.ReplaceAll(whole, `,"finish_reason":"tool_calls"`, "")}} {
		m, _ := testModel(t, Config{Profile: test.p}, answer{body: test.body})
		reply, heard, err := stream(t, m, ask())
		if err != nil || reply.Message.Content != "Hello." || len(reply.Message.ToolCalls) != 1 || reply.Usage.Input != 9 || heard.text != "Hello." {
			t.Errorf("%s: got %s, %v", test.body, pretty(reply), err)
		}
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct{ base, model, name, url, auth string }{
		{"", "gpt-5", "gpt-5 at api.openai.com", "https://api.openai.com/v1/chat/completions", "Bearer " + testKey},
		{"http://localhost:11434/v1/", "qwen3", "qwen3 at localhost:11434", "http://localhost:11434/v1/chat/completions", "Bearer " + testKey},
		{"https://me:pass-word-1@h.test:8443/a/v1/chat/completions?key=query-secret", "m", "m at h.test:8443", "https://me:pass-word-1@h.test:8443/a/v1/chat/completions?key=query-secret", "Bearer " + testKey},
		{"https://x.openai.azure.com", "gpt 4o", "gpt 4o at x.openai.azure.com", "https://x.openai.azure.com/openai/deployments/gpt%204o/chat/completions?api-version=2024-10-21", ""},
		{"https://x.openai.azure.com/openai/deployments/my%20d/chat/completions?api-version=2025-01-01", "", "my d at x.openai.azure.com", "https://x.openai.azure.com/openai/deployments/my%20d/chat/completions?api-version=2025-01-01", ""},
		{"https://x.openai.azure.com/openai/v1/", "d", "d at x.openai.azure.com", "https://x.openai.azure.com/openai/v1/chat/completions", "Bearer " + testKey},
	} {
		w := &wire{answers: []answer{{body: events(says("Hi"), end("stop"))}}}
		m, err := New(Config{BaseURL: test.base, Model: test.model, Key: testKey, Transport: w})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := stream(t, m, ask()); err != nil {
			t.Fatal(err)
		}
		r := w.requests()[0]
		if m.Name() != test.name || r.url != test.url || r.header.Get("Authorization") != test.auth || test.auth == "" && r.header.Get("api-key") != testKey {
			t.Errorf("%s: got %s at %s with %v", test.base, m.Name(), r.url, r.header)
		}
	}
}

// hung is a model whose server stops in the middle of an answer, and how long it took to be noticed.
func hung(t *testing.T, body string, p Profile) (model.Reply, time.Duration, error) {
	t.Helper()
	m, _ := testModel(t, Config{Profile: p, Tries: 1}, answer{body: body, tail: errHang})
	begin := time.Now()
	reply, _, err := stream(t, m, ask())
	return reply, time.Since(begin), err
}

func TestTimeouts(t *testing.T) {
	words := "data: " + says("Hello") + "\n\n"
	tests := []struct {
		name, body string
		p          Profile
		kind       Kind
		cut        bool
		after      time.Duration
	}{
		{"nothing", "", Profile{}, KindTimeout, false, 10 * time.Minute},
		{"nothing but comments and a role", ": busy\n\ndata: " + delta(`{"role":"assistant","content":""}`) + "\n\n", Profile{}, KindTimeout, false, 10 * time.Minute},
		{"nothing, less patience", "", Profile{FirstByteTimeout: Duration(time.Second)}, KindTimeout, false, time.Second},
		{"silence", words, Profile{}, KindIdle, true, 2 * time.Minute},
		{"silence, more patience", words, Profile{IdleTimeout: Duration(time.Hour)}, KindIdle, true, time.Hour},
		{"an end before the beginning", "data: " + end("stop") + "\n\n" + words, Profile{}, KindIdle, true, 2 * time.Minute},
		{"an end with each word", strings.Repeat(`data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}`+"\n\n", 2), Profile{}, KindIdle, true, 2 * time.Minute},
		{"silence behind the end", words + "data: " + end("stop") + "\n\n", Profile{}, "", false, 10 * time.Second},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			reply, took, err := hung(t, test.body, test.p)
			if kindOf(err) != test.kind || errors.Is(err, model.ErrCut) != test.cut || took != test.after || err == nil && reply.Message.Content != "Hello" {
				t.Errorf("%s: got %s, %v after %s, want %s after %s", test.name, pretty(reply), err, took, test.kind, test.after)
			}
		})
	}
}

// drip is a body that comes with a pause before each piece.
type drip struct {
	ctx    context.Context
	pieces []string
	pause  time.Duration
}

func (d *drip) Read(p []byte) (int, error) {
	select {
	case <-time.After(d.pause):
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	}
	if len(d.pieces) == 0 {
		return 0, errors.New("no more")
	}
	n := copy(p, d.pieces[0])
	d.pieces = d.pieces[1:]
	return n, nil
}

func (d *drip) Close() error { return nil }

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A slow server is no silent one: there is no limit of the whole.
func TestSlowRepliesAreNoTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := mustModel(t, Config{Transport: transport(func(r *http.Request) (*http.Response, error) {
			pieces := []string{"data: " + says("a") + "\n\n"}
			for range 100 {
				pieces = append(pieces, "data: "+says("b")+"\n\n", ": alive\n", "data: ")
				pieces = append(pieces, "{}\n\n")
			}
			pieces = append(pieces, "data: "+end("stop")+"\n\n", "data: [DONE]\n\n")
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: &drip{ctx: r.Context(), pieces: pieces, pause: 9 * time.Second}, Request: r}, nil
		})})
		begin := time.Now()
		reply, _, err := stream(t, m, ask())
		if err != nil || len(reply.Message.Content) != 101 || time.Since(begin) < time.Hour {
			t.Errorf("got %d bytes, %v after %s", len(reply.Message.Content), err, time.Since(begin))
		}
	})
}

func TestRealServer(t *testing.T) {
	var seen []*http.Request
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { seen = append(seen, r) }))
	defer other.Close()
	here := httptest.NewServer(nil)
	defer here.Close()
	good := events(says("Hi"), end("stop"))
	here.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/there/chat/completions":
			http.Redirect(w, r, other.URL+"/v1/chat/completions", http.StatusTemporaryRedirect)
		case "/same/chat/completions":
			http.Redirect(w, r, "/v1/chat/completions", http.StatusPermanentRedirect)
		case "/changed/chat/completions":
			http.Redirect(w, r, "/v1/chat/completions", http.StatusFound)
		case "/loop/chat/completions":
			http.Redirect(w, r, "/loop/chat/completions", http.StatusTemporaryRedirect)
		case "/v1/chat/completions":
			fmt.Fprint(w, good)
		case "/v1/models":
			fmt.Fprint(w, `{"data":[{"id":"b"},{"id":"a"}]}`)
		}
	})
	for path, want := range map[string]Kind{"/v1": "", "/same": "", "/there": KindMoved, "/changed": KindMoved, "/loop": KindMoved} {
		m := mustModel(t, Config{BaseURL: here.URL + path, Key: testKey})
		if _, _, err := stream(t, m, ask()); kindOf(err) != want || strings.Contains(fmt.Sprint(err), testKey) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
	if len(seen) > 0 {
		t.Errorf("another host was asked: %v", seen[0].Header)
	}
	m := mustModel(t, Config{BaseURL: here.URL + "/v1", Key: testKey})
	if names, err := m.Models(t.Context()); err != nil || !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("got %v, %v", names, err)
	}
}

// A cancel reaches the server at once, and nothing of the request is left.
func TestACancelHangsUp(t *testing.T) {
	gone := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then the server sees that somebody hangs up
		fmt.Fprintf(w, "data: %s\n\n", says("Hello"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	}))
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	m := mustModel(t, Config{BaseURL: s.URL})
	_, err := m.Stream(ctx, ask(), func(model.Delta) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	<-gone
}

func TestRefusedConnection(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	m := mustModel(t, Config{BaseURL: s.URL + "/v1"})
	_, heard, err := stream(t, m, ask())
	if kindOf(err) != KindConnect || !strings.Contains(err.Error(), s.URL) || !strings.Contains(heard.waiting, "connection refused by") {
		t.Errorf("got %v, told %q", err, heard.waiting)
	}
}

func TestTLSOfNobodyKnown(t *testing.T) {
	s := httptest.NewUnstartedServer(nil)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // it tells of each handshake that fails
	s.StartTLS()
	defer s.Close()
	if _, _, err := stream(t, mustModel(t, Config{BaseURL: s.URL}), ask()); kindOf(err) != KindTLS {
		t.Errorf("got %v", err)
	}
	if _, _, err := stream(t, mustModel(t, Config{BaseURL: strings.Replace(s.URL, "https", "http", 1)}), ask()); kindOf(err) != KindBadRequest {
		t.Errorf("without TLS: got %v", err)
	}
	plain := httptest.NewServer(nil)
	defer plain.Close()
	if _, _, err := stream(t, mustModel(t, Config{BaseURL: strings.Replace(plain.URL, "http", "https", 1)}), ask()); kindOf(err) != KindTLS {
		t.Errorf("TLS where there is none: got %v", err)
	}
}

// The proxy of the environment is read once in a process, so this asks in one of its own.
func TestProxy(t *testing.T) {
	if base := os.Getenv("OPENAI_TEST_BASE"); base != "" {
		_, _, err := stream(t, mustModel(t, Config{BaseURL: base, Key: testKey}), ask())
		fmt.Println("proxied:", err)
		return
	}
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		fmt.Fprint(w, events(says("Hi"), end("stop")))
	}))
	defer proxy.Close()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProxy$")
	cmd.Env = append(os.Environ(), "OPENAI_TEST_BASE=http://model.test/v1", "HTTP_PROXY="+proxy.URL, "http_proxy="+proxy.URL, "NO_PROXY=", "no_proxy=")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "proxied: <nil>") || !slices.Equal(asked, []string{"http://model.test/v1/chat/completions"}) {
		t.Errorf("got %s, %v; the proxy was asked %q", out, err, asked)
	}
}

// The bound of what a reply says comes long before that of its bytes on the wire.
func TestU81ALongReplyIsCutOff(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	much := strings.Repeat("many words ", 10_000)
	piece := string(encode(much))
	call := `{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":` + piece + `}}]}`
	for name, one := range map[string]string{
		"text": says(much), "thoughts": delta(`{"reasoning_content":` + piece + `}`), "arguments": delta(call), "thoughts in the text": says("<think>" + much),
	} {
		chunks := slices.Repeat([]string{one}, model.ReplyMost/len(much)+5)
		m, w := testModel(t, Config{}, answer{body: events(append(chunks, end("stop"))...)})
		reply, heard, err := stream(t, m, ask())
		if !errors.Is(err, model.ErrTooMuch) || errors.Is(err, model.ErrCut) || !reply.Empty() || len(w.requests()) != 1 {
			t.Errorf("%s: got %d bytes, %v", name, model.Size(reply.Message), err)
		}
		if n := len(heard.text) + len(heard.reasoning); n > model.ReplyMost+len(much) {
			t.Errorf("%s: %d bytes were shown", name, n)
		}
	}
	m, _ := testModel(t, Config{}, answer{body: `{"choices":[{"message":{"content":` + string(encode(strings.Repeat("x", model.ReplyMost+1))) + `},"finish_reason":"stop"}]}`})
	if _, _, err := stream(t, m, ask()); !errors.Is(err, model.ErrTooMuch) {
		t.Errorf("in one piece: %v", err)
	}
}

func TestU81CallsOfAStreamAreBounded(t *testing.T) {
	var chunks []string
	for i := range 10_000 {
		chunks = append(chunks, delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"c%d","function":{"name":"read","arguments":"{}"}}]}`, i, i)))
	}
	for name, body := range map[string]string{
		"a stream":    events(append(chunks, end("tool_calls"))...),
		"one chunk":   events(delta(`{"tool_calls":[`+strings.TrimSuffix(strings.Repeat(`{"function":{"name":"read","arguments":{"a":1}}},{"function":{"name":"read","arguments":{"a":2}}},`, 5_000), ",")+`]}`), end("tool_calls")),
		"without end": events(chunks...),
	} {
		m, _ := testModel(t, Config{}, answer{body: body})
		reply, _, err := stream(t, m, ask())
		if n := len(reply.Message.ToolCalls); err != nil || n != model.CallsMost+1 { // the loop tells by the one more
			t.Errorf("%s: %d calls, %v", name, n, err)
		}
	}
}
