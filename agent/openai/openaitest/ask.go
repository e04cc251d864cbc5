package openaitest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Request is one request as it came.
type Request struct {
	Method string
	Path   string
	Query  string
	Header http.Header
	Body   []byte
	JSON   map[string]any // nil if the body is no JSON object; numbers are json.Number
	Answer string         // what it was answered with, for people: "reply 3, fault cut_middle"

	Problems []string // what the strictest server would object to in it
}

// ask is a request for a completion, as faults look at it.
type ask struct {
	json     object
	body     []byte
	key      string
	model    string
	stream   bool
	usage    bool // stream_options asks for it
	messages []object
	path     string
}

func newAsk(r *http.Request, body []byte, key string) *ask {
	a := &ask{json: decodeObject(body), body: body, key: key, path: r.URL.Path}
	a.stream, _ = a.json["stream"].(bool)
	options, _ := a.json["stream_options"].(object)
	a.usage, _ = options["include_usage"].(bool)
	a.model, _ = a.json["model"].(string)
	if _, rest, ok := strings.Cut(r.URL.Path, "/deployments/"); ok {
		a.model, _, _ = strings.Cut(rest, "/")
	}
	list, _ := a.json["messages"].([]any)
	for _, m := range list {
		o, _ := m.(object)
		a.messages = append(a.messages, o) // nil for what is no object
	}
	return a
}

// has says whether the request has a top-level field.
func (a *ask) has(field string) bool { _, ok := a.json[field]; return ok }

// fresh is the text of the user's and the tools' messages behind the model's last one.
func (a *ask) fresh() string {
	var b strings.Builder
	for _, m := range a.messages {
		switch m["role"] {
		case "assistant":
			b.Reset()
		case "user", "tool":
			b.WriteString(contentText(m["content"]) + "\n")
		}
	}
	return b.String()
}

// contentText is the text of a message's content: a text, or a list of parts.
func contentText(content any) string {
	text, _ := content.(string)
	parts, _ := content.([]any)
	for _, p := range parts {
		part, _ := p.(object)
		piece, _ := part["text"].(string)
		text += piece
	}
	return text
}

// calls are the tool calls of a message.
func calls(m object) (out []object) {
	list, _ := m["tool_calls"].([]any)
	for _, c := range list {
		call, _ := c.(object)
		out = append(out, call)
	}
	return out
}

// callText is a call's name and arguments.
func callText(call object) (name, arguments string) {
	function, _ := call["function"].(object)
	name, _ = function["name"].(string)
	arguments, _ = function["arguments"].(string)
	return name, arguments
}

// keyOf is the key that a request bears.
func keyOf(h http.Header) string {
	if key := h.Get("api-key"); key != "" {
		return key
	}
	key, _ := strings.CutPrefix(h.Get("Authorization"), "Bearer ")
	return key
}

// sameJSON compares two JSON texts by what they hold.
func sameJSON(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return string(a) == string(b)
	}
	return string(encode(x)) == string(encode(y))
}
