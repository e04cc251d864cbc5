package openaitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start plays a script until the test is over.
func start(t *testing.T, script Script) *Server {
	t.Helper()
	s, err := Start(script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// client keeps no connections and decodes nothing.
func client(t *testing.T) *http.Client {
	transport := &http.Transport{DisableKeepAlives: true, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

const readTool = `{"type":"function","function":{"name":"read","description":"Reads a file.","parameters":{"type":"object","properties":{"file":{"type":"string"}}}}}`

// plainBody is a request that nobody objects to.
func plainBody(stream bool) string {
	options := ""
	if stream {
		options = `,"stream_options":{"include_usage":true}`
	}
	return fmt.Sprintf(`{"model":"scripted","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Do it."}],"tools":[%s],"stream":%v%s}`,
		readTool, stream, options)
}

func post(t *testing.T, url, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	return r
}

// exchange sends a request and writes down what came: status, headers, body, and how it ended.
func exchange(t *testing.T, r *http.Request) string {
	t.Helper()
	answer, err := client(t).Do(r)
	if err != nil {
		return "<end: " + ended(err) + ">"
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP %d\n", answer.StatusCode)
	for _, name := range []string{"Content-Type", "Content-Encoding", "Retry-After", "Retry-After-Ms", "Location", "X-Should-Retry"} {
		if values, has := answer.Header[name]; has {
			fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(values, ","))
		}
	}
	fmt.Fprintf(&b, "\n%s<end: %s>", body, ended(err))
	return b.String()
}

func ended(err error) string {
	switch {
	case err == nil:
		return "whole"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "cut"
	case errors.Is(err, io.EOF):
		return "closed"
	}
	return err.Error()
}

// said adds up what a stream said, in the simplest way: for plain streams only.
func said(t *testing.T, wire string) (text, reasoning, arguments string) {
	t.Helper()
	for line := range strings.Lines(wire) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var chunk struct {
			Choices []struct {
				Delta struct {
					Content          string
					ReasoningContent string `json:"reasoning_content"`
					ToolCalls        []struct {
						Function struct{ Arguments string }
					} `json:"tool_calls"`
				}
			}
		}
		if err := json.NewDecoder(bytes.NewReader([]byte(data))).Decode(&chunk); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		for _, choice := range chunk.Choices {
			text += choice.Delta.Content
			reasoning += choice.Delta.ReasoningContent
			for _, call := range choice.Delta.ToolCalls {
				arguments += call.Function.Arguments
			}
		}
	}
	return text, reasoning, arguments
}
