package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answer is what the fake server says to one request.
type answer struct {
	status int // 0: 200
	header map[string]string
	body   string
	err    error // instead of an answer
	tail   error // behind the body; nil: its end
	piece  int   // bytes of a read; 0: all
}

// wire is a server without a network: it plays answers in their order, the last one again and again.
type wire struct {
	mu      sync.Mutex // guards everything below
	answers []answer
	got     []request
}

type request struct {
	url    string
	header http.Header
	body   []byte
	json   map[string]any
}

func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := request{url: req.URL.String(), header: req.Header.Clone()}
	if req.Body != nil {
		r.body, _ = io.ReadAll(req.Body)
	}
	_ = json.Unmarshal(r.body, &r.json)
	a := w.answers[min(len(w.got), len(w.answers)-1)]
	w.got = append(w.got, r)
	if a.err != nil {
		return nil, a.err
	}
	resp := &http.Response{StatusCode: a.status, Header: http.Header{}, Request: req}
	if resp.StatusCode == 0 {
		resp.StatusCode = http.StatusOK
	}
	for name, value := range a.header {
		resp.Header.Set(name, value)
	}
	resp.Body = io.NopCloser(&body{ctx: req.Context(), text: []byte(a.body), tail: a.tail, piece: a.piece})
	return resp, nil
}

func (w *wire) requests() []request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.got
}

// body is read in pieces and then ends, breaks off, or stays silent until the request is given up.
type body struct {
	ctx   context.Context
	text  []byte
	tail  error
	piece int
}

var errHang = errors.New("silence")

func (b *body) Read(p []byte) (int, error) {
	switch {
	case len(b.text) == 0 && errors.Is(b.tail, errHang):
		<-b.ctx.Done()
		return 0, b.ctx.Err()
	case len(b.text) == 0 && b.tail != nil:
		return 0, b.tail
	case len(b.text) == 0:
		return 0, io.EOF
	}
	n := len(b.text)
	if b.piece > 0 {
		n = min(n, b.piece)
	}
	n = copy(p, b.text[:n])
	b.text = b.text[n:]
	return n, nil
}

// instant is a clock that lets no time pass and notes the waits.
type instant struct {
	mu    sync.Mutex // guards waits
	waits []time.Duration
}

var today = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func (*instant) Now() time.Time { return today }

func (c *instant) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waits = append(c.waits, d)
	return ctx.Err()
}

// told collects what a reply shows.
type told struct{ text, reasoning, waiting string }

func (n *told) hear(d model.Delta) {
	n.text += d.Text
	n.reasoning += d.Reasoning
	if d.Waiting != "" {
		n.waiting += d.Waiting + "\n"
	}
}

const testKey = "sk-test-0123456789abcdef"

// testModel is a model at a fake server.
func testModel(t *testing.T, cfg Config, answers ...answer) (*Model, *wire) {
	t.Helper()
	w := &wire{answers: answers}
	if cfg.BaseURL == "" {
		cfg.BaseURL = "http://model.test/v1"
	}
	if cfg.Model == "" {
		cfg.Model = "m1"
	}
	if cfg.Key == "" {
		cfg.Key = testKey
	}
	if cfg.Clock == nil {
		cfg.Clock = &instant{}
	}
	cfg.Transport, cfg.KeyName = w, "TEST_KEY"
	cfg.Random = func() float64 { return 0.5 }
	m, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m, w
}

// events writes an event stream with the end that it should have.
func events(chunks ...string) string {
	var b strings.Builder
	for _, c := range append(chunks, "[DONE]") {
		b.WriteString("data: " + c + "\n\n")
	}
	return b.String()
}

// delta is a chunk with one delta.
func delta(inner string) string {
	return `{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":` + inner + `,"finish_reason":null}]}`
}

// end is the chunk with a finish_reason.
func end(word string) string {
	return `{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"` + word + `"}]}`
}

// says is the delta of a text.
func says(text string) string { return delta(`{"content":` + string(encode(text)) + `}`) }

const readSchema = `{"type":"object","properties":{"file":{"type":"string"},"lines":{"type":"array","items":{"type":"integer"}},"count":{"type":"integer"}}}`

// someTools are the tools of the tests.
func someTools() []memory.ToolSpec {
	return []memory.ToolSpec{
		{Name: "read", Description: "Reads a file.", Parameters: json.RawMessage(readSchema)},
		{Name: "list_files", Description: "Lists the files."},
	}
}

// ask is a request with a system prompt and a text of the user.
func ask() memory.Request {
	return memory.Request{
		Messages: []memory.Message{{Role: "system", Content: "Be brief."}, {Role: "user", Content: "Do it."}},
		Tools:    someTools(),
	}
}

// stream makes a request at a fake server.
func stream(t *testing.T, m *Model, req memory.Request) (model.Reply, *told, error) {
	t.Helper()
	heard := &told{}
	reply, err := m.Stream(t.Context(), req, heard.hear)
	return reply, heard, err
}

// kindOf is the kind of an error, or its type.
func kindOf(err error) Kind {
	var e *Error
	var long *model.TooLongError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Kind
	case errors.As(err, &long):
		return "too_long"
	}
	return Kind("?" + err.Error())
}

// pretty shows a reply in a failure.
func pretty(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return b.String()
}
