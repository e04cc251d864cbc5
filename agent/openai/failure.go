package openai

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// failure is what a server said instead of a reply, before it is judged and put into words. It travels through
// go-openai as an error; its text is for nobody, because nothing in it is masked.
type failure struct {
	status   int // HTTP's, or the one that the server named within its answer; 0: none
	inBand   bool
	header   http.Header
	code     string
	kind     string // the type
	param    string
	message  string
	raw      []byte
	page     bool // a web page
	location string
}

func (f *failure) Error() string { return "the server answered with an error" }

// newFailure reads the body of a refusal, whatever its shape.
func newFailure(status int, header http.Header, body []byte) *failure {
	f := &failure{}
	body = bytes.TrimSpace(body)
	if found := failureIn(body, true); found != nil {
		f = found
	}
	f.status, f.inBand, f.header, f.raw, f.location = status, false, header, body, header.Get("Location")
	if f.message == "" && !json.Valid(body) {
		f.message = string(body)
	}
	if looksLikePage(body) {
		f.page, f.message = true, pageTitle(body)
	}
	return f
}

// said is what a server's error says, in lower case, for recognising it.
func (f *failure) said() string {
	parts := []string{f.code, f.kind, f.param, f.message}
	if f.message == "" {
		parts = append(parts, f.body())
	}
	return strings.ToLower(strings.Join(parts, "\n"))
}

// body is the answer as it came.
func (f *failure) body() string { return string(f.raw[:min(len(f.raw), quoteRead)]) }

// words are what is shown of it, not yet masked.
func (f *failure) words() string {
	switch {
	case f.message != "":
		return f.message
	case f.code != "" || f.kind != "":
		return strings.TrimSpace(f.kind + " " + f.code)
	}
	return string(f.raw)
}

// failureIn finds an error in what came as an answer; nil: there is none. With must, it is an error whatever it looks
// like.
func failureIn(raw []byte, must bool) *failure {
	raw = bytes.TrimSpace(raw)
	if list := elements(raw); len(list) > 0 {
		return failureIn(list[0], must)
	}
	f := &failure{inBand: true, raw: raw}
	top := objectOf(raw)
	if top == nil {
		switch {
		case !must:
			return nil
		case json.Valid(raw):
			f.read(raw, 0)
		default:
			f.message = string(raw)
		}
		return f
	}
	part := errorPart(top)
	if part == nil && must {
		part = raw
	}
	if part == nil {
		return nil
	}
	f.read(part, 0)
	for _, name := range []string{"code", "status", "status_code"} {
		f.setCode(scalar(top[name]))
	}
	return f
}

// errorPart is where in an object its error stands; nil: it holds none.
func errorPart(top object) json.RawMessage {
	if part := errorField(top); part != nil {
		return part
	}
	for _, choice := range elements(top["choices"]) {
		if part := errorField(objectOf(choice)); part != nil {
			return part
		}
	}
	kind := strings.ToLower(scalar(top["object"]) + " " + scalar(top["type"]))
	_, usual := top["choices"]
	switch {
	case strings.Contains(kind, "error") || isError(top["error_message"]):
		return encode(top)
	case usual || strings.Contains(kind, "completion"):
		return nil
	case isError(top["errors"]) || isError(top["detail"]) || isError(top["message"]) && !isMessage(top["message"]):
		return encode(top)
	}
	return nil
}

// errorField is the field "error" of an object, or the object where that only says that there is one.
func errorField(o object) json.RawMessage {
	e := bytes.TrimSpace(o["error"])
	switch {
	case !isError(e):
		return nil
	case e[0] == '"' || e[0] == '{' || e[0] == '[':
		return e
	}
	rest := maps.Clone(o)
	delete(rest, "error")
	return encode(rest)
}

// isMessage tells a chat message from the text of an error: both are called "message" by somebody.
func isMessage(raw json.RawMessage) bool {
	m := objectOf(raw)
	return m["role"] != nil || m["content"] != nil
}

// isError tells an error from the nothing that many servers send in its place.
func isError(raw json.RawMessage) bool {
	switch strings.TrimSpace(string(raw)) {
	case "", "null", "false", `""`, "{}", "[]", "0":
		return false
	}
	return true
}

// read takes an error apart: a text, a text that holds JSON, a list, an object of any of the known shapes.
func (f *failure) read(raw json.RawMessage, depth int) {
	if depth > 4 {
		return
	}
	if text := strings.TrimSpace(scalar(raw)); text != "" {
		if strings.HasPrefix(text, "{") && json.Valid([]byte(text)) {
			f.read(json.RawMessage(text), depth+1)
			return
		}
		f.say(text)
		return
	}
	for _, e := range elements(raw) {
		f.read(e, depth+1)
	}
	o := objectOf(raw)
	f.setCode(scalar(o["code"]))
	f.setCode(scalar(o["status"]))
	f.kind = first(f.kind, first(scalar(o["type"]), scalar(o["error_type"])))
	f.param = first(f.param, scalar(o["param"]))
	for _, key := range []string{"error", "message", "msg", "detail", "errors", "error_message", "error_description", "title", "metadata", "innererror"} {
		if isError(o[key]) {
			f.read(o[key], depth+1)
		}
	}
	if raw := scalar(o["raw"]); raw != "" { // OpenRouter: what the server behind it said
		f.read(encode(raw), depth+1)
	}
	if place := elements(o["loc"]); place != nil { // pydantic: where the refused field stands
		var names []string
		for _, p := range place {
			names = append(names, scalar(p))
		}
		f.say("(" + strings.Join(names, ".") + ")")
	}
}

func (f *failure) say(text string) {
	switch {
	case f.message == "":
		f.message = text
	case !strings.Contains(f.message, text):
		f.message += ": " + text
	}
}

// setCode keeps a code; one that is an HTTP status is the status of what came without one.
func (f *failure) setCode(code string) {
	f.code = first(f.code, code)
	if n, err := strconv.Atoi(code); err == nil && f.status == 0 && n >= 400 && n < 600 {
		f.status = n
	}
}

func first(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// scalar is the text of a JSON string, number or true; "" for everything else.
func scalar(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '"':
		var text string
		if json.Unmarshal(raw, &text) == nil {
			return text
		}
	case '{', '[', 'n', 'f':
	default:
		return string(raw)
	}
	return ""
}

// elements are the parts of a JSON list; nil: it is none, or empty.
func elements(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || trimmed[0] != '[' || json.Unmarshal(trimmed, &list) != nil {
		return nil
	}
	return list
}

func looksLikePage(body []byte) bool {
	return len(body) > 0 && body[0] == '<'
}

// pageTitle is what a web page says about itself.
func pageTitle(page []byte) string {
	lower := bytes.ToLower(page)
	for _, tag := range []string{"title", "h1"} {
		start := bytes.Index(lower, []byte("<"+tag))
		if start < 0 {
			continue
		}
		open := bytes.IndexByte(page[start:], '>')
		end := bytes.Index(lower[start:], []byte("</"+tag))
		if open >= 0 && end > open && len(lower) == len(page) {
			return strings.TrimSpace(string(page[start+open+1 : start+end]))
		}
	}
	return ""
}
