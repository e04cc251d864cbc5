package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// framed reads a body through frames and tells the lines, and how it ended.
func framed(text string, piece int) (lines []string, end string) {
	f := newFrames(&body{text: []byte(text), piece: piece})
	var err error
	for value := json.RawMessage(nil); err == nil; {
		if value, err = f.next(); err == nil {
			lines = append(lines, "data: "+string(compact(value)))
		}
	}
	if f.done {
		lines = append(lines, "data: [DONE]")
	}
	var server *failure
	var odd *strange
	switch {
	case errors.Is(err, io.EOF):
		end = "end"
	case errors.As(err, &server):
		end = fmt.Sprintf("failure %d %s", server.status, server.words())
	case errors.As(err, &odd):
		end = fmt.Sprintf("strange page=%v %s", odd.page, odd.text)
	default:
		end = err.Error()
	}
	if f.done {
		end += ", done"
	}
	return lines, end
}

func TestFrames(t *testing.T) {
	const a, b = `data: {"a":1}`, `data: {"b":[2]}`
	tests := []struct {
		name, body string
		lines      []string
		end        string
	}{
		{"plain", "data: {\"a\":1}\n\ndata: {\"b\":[2]}\n\ndata: [DONE]\n\n", []string{a, b, "data: [DONE]"}, "end, done"},
		{"no space", "data:{\"a\":1}\n\ndata:[DONE]\n\n", []string{a, "data: [DONE]"}, "end, done"},
		{"CRLF", "data: {\"a\":1}\r\n\r\ndata: {\"b\":[2]}\r\n\r\n", []string{a, b}, "end"},
		{"CR", "data: {\"a\":1}\r\rdata: {\"b\":[2]}\r\r", []string{a, b}, "end"},
		{"no empty lines", "data: {\"a\":1}\ndata: {\"b\":[2]}\n", []string{a, b}, "end"},
		{"no last line end", "data: {\"a\":1}\n\ndata: {\"b\":[2]}", []string{a, b}, "end"},
		{"comments", ": PROCESSING\n\n:\ndata: {\"a\":1}\n: x\n\n", []string{a}, "end"},
		{"many empty lines", strings.Repeat("\n", 5000) + "data: {\"a\":1}\n\n", []string{a}, "end"},
		{"several data lines", "data: {\"b\":\ndata: [2\ndata: ]}\n\ndata: {\"a\":1}\n\n", []string{b, a}, "end"},
		{"cut within a text", "data: {\"b\":\"x\ndata: y\"}\n\n", []string{`data: {"b":"xy"}`}, "end"},
		{"a byte order mark", "\ufeffdata: {\"a\":1}\n\n", []string{a}, "end"},
		{"names, ids, retries", "event: message\nid: 7\nretry: 10\ndata: {\"a\":1}\n\n", []string{a}, "end"},
		{"signs of life", "data: \n\ndata: null\n\ndata: 1\n\ndata: ping\n\ndata:\n\ndata: {\"a\":1}\n\n", []string{a}, "end"},
		{"a line of JSON", "{\"a\":1}\n{\"b\":[2]}\n", []string{a, b}, "end"},
		{"JSON over lines", "\n {\n \"b\": [\n2]\n}\n", []string{b}, "end"},
		{"a list of chunks", "[{\"a\":1},\n{\"b\":[2]}]", []string{a, b}, "end"},
		{"behind the end", "data: [DONE]\n\ndata: {\"a\":1}\n\n", []string{"data: [DONE]"}, "end, done"},
		{"the end in small letters", "data: [done] \n\n", []string{"data: [DONE]"}, "end, done"},

		{"nothing", "", nil, "end"},
		{"white space", "\n\n  \n", nil, "end"},
		{"a page", "<!DOCTYPE html><html><head><title>Sign in</title></head></html>", nil, "strange page=true Sign in"},
		{"a page without a title", "  <p>hello</p>", nil, "strange page=true "},
		{"words", "Ollama is running", nil, "strange page=false Ollama is running"},
		{"broken JSON", "data: {\"a\":1}\n\ndata: {\"b\":[2}\n\ndata: {\"a\":1}\n\n", []string{a}, errBroken.Error()},
		{"JSON that is cut", "{\"a\":1", nil, "unexpected EOF"},
		{"JSON that is broken", "{a:1}", nil, "strange page=false broken JSON"},
		{"data that is cut", "data: {\"a\":1}\n\ndata: {\"b\":", []string{a}, errBroken.Error()},

		{"an error", "data: {\"error\":{\"message\":\"no\",\"code\":502}}\n\n", nil, "failure 502 no"},
		{"an error with spaces", "data:  { \"error\" : { \"message\" : \"no\" } }\n\n", nil, "failure 0 no"},
		{"an error of words", "data: {\"error\":\"no\"}\n\n", nil, "failure 0 no"},
		{"an error that is true", "data: {\"error\":true,\"message\":\"no\"}\n\n", nil, "failure 0 no"},
		{"an error in a text", "data: {\"error\":{\"message\":\"{\\\"error\\\":{\\\"message\\\":\\\"no\\\",\\\"code\\\":\\\"x\\\"}}\"}}\n\n", nil, "failure 0 no"},
		{"an error event", "event: error\ndata: {\"message\":\"no\"}\n\n", nil, "failure 0 no"},
		{"an error event of words", "event: error\ndata: it broke\n\n", nil, "failure 0 it broke"},
		{"an error event of nothing", "event: error\ndata: {}\n\n", nil, "failure 0 {}"},
		{"an error in a choice", "data: {\"choices\":[{\"index\":0,\"error\":{\"message\":\"no\",\"code\":429}}]}\n\n", nil, "failure 429 no"},
		{"an error object", "data: {\"object\":\"error\",\"message\":\"no\",\"code\":400}\n\n", nil, "failure 400 no"},
		{"an error type", "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"no\"}}\n\n", nil, "failure 0 no"},
		{"a detail", "data: {\"detail\":\"no\"}\n\n", nil, "failure 0 no"},
		{"details", "data: {\"detail\":[{\"loc\":[\"body\",\"x\"],\"msg\":\"no\"}]}\n\n", nil, "failure 0 no: (body.x)"},
		{"a field", "error: {\"code\":500,\"message\":\"no\"}\n\n", nil, "failure 500 no"},
		{"words as data", "data: upstream connect error or disconnect\n\n", nil, "failure 0 upstream connect error or disconnect"},
		{"an error as JSON", "{\"error\":{\"message\":\"no\"}}", nil, "failure 0 no"},
		{"an error in a list", "[{\"error\":{\"message\":\"no\",\"code\":429}}]", nil, "failure 429 no"},
		{"OpenRouter's", "data: {\"error\":{\"message\":\"Provider returned error\",\"code\":429,\"metadata\":{\"raw\":\"{\\\"message\\\":\\\"busy\\\"}\"}}}\n\n", nil, "failure 429 Provider returned error: busy"},
		{"no error", "data: {\"error\":null,\"choices\":[]}\n\ndata: {\"error\":{},\"choices\":[]}\n\n", []string{`data: {"error":null,"choices":[]}`, `data: {"error":{},"choices":[]}`}, "end"},
		{"a message that is none", "data: {\"message\":{\"role\":\"assistant\",\"content\":\"x\"}}\n\n", []string{`data: {"message":{"role":"assistant","content":"x"}}`}, "end"},
	}
	for _, test := range tests {
		for _, piece := range []int{0, 1, 7} {
			lines, end := framed(test.body, piece)
			if strings.Join(lines, "\n") != strings.Join(test.lines, "\n") || end != test.end {
				t.Errorf("%s, in pieces of %d: got %q and %q, want %q and %q", test.name, piece, lines, end, test.lines, test.end)
			}
		}
	}
}

// endless is a body of which there is always more.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[e.at%len(e.text)]
		e.at++
	}
	return len(p), nil
}

func TestFramesAreBounded(t *testing.T) {
	for _, test := range []struct {
		name, begin, more string
		want              error
	}{
		{"a line", "data: {\"a\":\"", "x", errLine},
		{"an event", "data: {\"a\":\n", "data: 1\n", errLine},
		{"a reply", "", "data: {\"a\":1}\n\n", errReply},
		{"comments", "", ": x\n", errReply},
		{"empty lines", "", "\n", errReply},
		{"JSON", "{\"a\":\"", "x", errReply},
		{"values", "", "{\"a\":1}\n", errReply},
	} {
		const event, reply = 64 << 10, 256 << 10 // a thousandth of the true ones
		f := newFrames(io.MultiReader(strings.NewReader(test.begin), &endless{text: test.more}))
		f.most, f.left = event, reply
		n, err := 0, error(nil)
		for value := json.RawMessage(nil); err == nil; n += len(value) {
			value, err = f.next()
		}
		if !errors.Is(err, test.want) || n > 2*reply {
			t.Errorf("%s: got %v behind %d bytes, want %v", test.name, err, n, test.want)
		}
	}
}

func FuzzFrames(f *testing.F) {
	for _, seed := range []string{
		"data: {\"a\":1}\n\ndata: [DONE]\n\n", "event: error\ndata: x\n\n", "{\"a\":1}\n", "[{\"error\":1}]", "<html>", "error: {\"code\":1}\n",
		"data: {\"choices\":[{\"error\":{\"message\":[\"x\"]}}]}\n\n", "\xef\xbb\xbfdata:{}\r\r", "data: \"words here\"\n\n",
	} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, text string, piece int) {
		lines, end := framed(text, 0)
		for _, line := range lines {
			data, found := strings.CutPrefix(line, "data: ")
			if !found || data != "[DONE]" && !json.Valid([]byte(data)) {
				t.Fatalf("the line %q is no event", line)
			}
		}
		again, how := framed(text, 1+max(piece, -piece)%16&15)
		if strings.Join(lines, "\n") != strings.Join(again, "\n") || end != how {
			t.Fatalf("got %q and %q at once, %q and %q in pieces", lines, end, again, how)
		}
	})
}

func FuzzFailure(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"no","code":"x","metadata":{"raw":"{}"}}}`), 400)
	f.Add([]byte(`[[{"detail":[{"loc":["a",1],"msg":"m"}]}]]`), 422)
	f.Add([]byte(`<html><title>x</title>`), 502)
	m := mustModel(f, Config{Key: testKey})
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		v := m.judge(newFailure(400+max(status, -status)%200, nil, append(bytes.Clone(body), testKey...)), m.Profile())
		if v.err == nil || v.tries < 1 || strings.Contains(v.err.Error(), testKey) || strings.ContainsAny(v.err.Error(), "\n\r\x00") {
			t.Fatalf("got %+v", v)
		}
	})
}

func mustModel(t testing.TB, cfg Config) *Model {
	t.Helper()
	if cfg.BaseURL == "" {
		cfg.BaseURL = "http://model.test/v1"
	}
	cfg.Model = first(cfg.Model, "m1")
	if cfg.Clock == nil {
		cfg.Clock = &instant{}
	}
	m, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
