package openaitest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// judge looks at one request like the strictest real server. It only notes; what comes of it is the server's business.
type judge struct {
	found   []string
	further []string // fields that are fine though no standard has them
	issued  []issued
	ids     map[string]bool // given out by the server, so fine as they are
}

func (j *judge) say(format string, args ...any) {
	j.found = append(j.found, fmt.Sprintf(format, args...))
}

// checkLocked notes what is wrong with a request.
func (s *Server) checkLocked(r *http.Request, a *ask) {
	j := &judge{further: slices.Clone(s.script.Fields), issued: s.issued, ids: s.ids}
	for _, name := range s.script.faults() {
		fault, _ := faultNamed(name)
		j.further = append(j.further, fault.allows...)
	}
	j.headers(r, a, s.script.Key)
	j.top(a)
	j.tools(a)
	j.conversation(a)
	for _, problem := range j.found {
		s.problemLocked("%s", problem)
	}
}

// problemLocked notes a problem that the script does not forgive.
func (s *Server) problemLocked(format string, args ...any) {
	problem := fmt.Sprintf("request %d: ", len(s.requests)) + fmt.Sprintf(format, args...)
	forgives := func(text string) bool { return strings.Contains(problem, text) }
	if !slices.ContainsFunc(s.script.Forgive, forgives) {
		r := &s.requests[len(s.requests)-1]
		r.Problems = append(r.Problems, problem)
	}
}

// faults are the names of all faults that a script uses.
func (s Script) faults() (names []string) {
	for _, r := range s.Replies {
		if r.Fault != "" {
			names = append(names, r.Fault)
		}
	}
	return names
}

func (j *judge) headers(r *http.Request, a *ask, key string) {
	if kind := r.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
		j.say("Content-Type is %q, not application/json", kind)
	}
	azure := strings.Contains(r.URL.Path, "/deployments/")
	if azure && !r.URL.Query().Has("api-version") {
		j.say("a deployment is asked without ?api-version=")
	}
	if key == "" {
		return
	}
	if azure && r.Header.Get("api-key") == "" {
		j.say("a deployment is asked with a Bearer token: its key stands in the header api-key")
	}
	if strings.Contains(r.URL.String(), key) {
		j.say("the key stands in the URL")
	}
	if strings.Contains(string(a.body), key) {
		j.say("the key stands in the body")
	}
}

// topFields are the fields of a request with the kind of their values, and their bounds if they have any.
var topFields = map[string]struct {
	kind     string
	min, max float64
}{
	"model": {kind: "text"}, "messages": {kind: "list"}, "stream": {kind: "bool"}, "stream_options": {kind: "object"},
	"tools": {kind: "list"}, "tool_choice": {}, "parallel_tool_calls": {kind: "bool"},
	"max_tokens": {kind: "number", min: 1, max: 1e9}, "max_completion_tokens": {kind: "number", min: 1, max: 1e9},
	"temperature": {kind: "number", max: 2}, "top_p": {kind: "number", max: 1}, "n": {kind: "number", min: 1, max: 1},
	"presence_penalty": {kind: "number", min: -2, max: 2}, "frequency_penalty": {kind: "number", min: -2, max: 2},
	"seed": {kind: "number", min: -1 << 63, max: 1 << 63}, "stop": {}, "user": {kind: "text"}, "response_format": {kind: "object"},
	"logit_bias": {kind: "object"}, "logprobs": {kind: "bool"}, "top_logprobs": {kind: "number", max: 20}, "metadata": {kind: "object"},
	"store": {kind: "bool"}, "service_tier": {kind: "text"}, "verbosity": {kind: "text"}, "reasoning_effort": {kind: "text"},
	"prediction": {kind: "object"}, "safety_identifier": {kind: "text"}, "prompt_cache_key": {kind: "text"},
}

func (j *judge) top(a *ask) {
	if !utf8.Valid(a.body) {
		j.say("the body is no UTF-8")
	}
	if path := duplicateKey(a.body); path != "" {
		j.say("%s stands twice in its object", path)
	}
	for _, field := range sortedFields(a.json) {
		value := a.json[field]
		want, known := topFields[field]
		number, _ := value.(json.Number)
		n, _ := number.Float64()
		switch {
		case !known && !slices.Contains(j.further, field):
			j.say("there is no field %s", field)
		case !known:
		case value == nil:
			j.say("%s is null", field)
		case want.kind != "" && kindOfValue(value) != want.kind:
			j.say("%s is a %s, not a %s", field, kindOfValue(value), want.kind)
		case want.kind == "number" && (n < want.min || n > want.max):
			j.say("%s is %s: allowed is %g to %g", field, number, want.min, want.max)
		}
	}
	j.together(a)
}

// together looks at fields that need or exclude each other.
func (j *judge) together(a *ask) {
	if name := a.json["model"]; a.model == "" && (name == nil || name == "") {
		j.say("model is missing")
	}
	if a.has("max_tokens") && a.has("max_completion_tokens") {
		j.say("max_tokens and max_completion_tokens are both set")
	}
	for _, field := range []string{"tool_choice", "parallel_tool_calls"} {
		if a.has(field) && !a.has("tools") {
			j.say("%s is allowed with tools only", field)
		}
	}
	if a.has("stream_options") && !a.stream {
		j.say("stream_options is allowed with a stream only")
	}
	options, _ := a.json["stream_options"].(object)
	for _, field := range sortedFields(options) {
		if _, ok := options[field].(bool); !ok || field != "include_usage" && field != "include_obfuscation" {
			j.say("stream_options.%s is %v: allowed are include_usage and include_obfuscation, true or false", field, options[field])
		}
	}
}

func kindOfValue(v any) string {
	switch v.(type) {
	case string:
		return "text"
	case bool:
		return "bool"
	case json.Number:
		return "number"
	case []any:
		return "list"
	case object:
		return "object"
	}
	return "null"
}

// duplicateKey finds a key that stands twice in the same object of a valid text, "" if there is none.
func duplicateKey(data []byte) string {
	return duplicateIn(json.NewDecoder(strings.NewReader(string(data))), "")
}

// duplicateIn reads one value.
func duplicateIn(d *json.Decoder, path string) string {
	token, _ := d.Token()
	delim, nested := token.(json.Delim)
	seen := map[any]bool{}
	for nested && d.More() {
		inner := path
		if delim == '{' {
			key, _ := d.Token()
			inner = strings.TrimPrefix(fmt.Sprintf("%s.%v", path, key), ".")
			if seen[key] {
				return inner
			}
			seen[key] = true
		}
		if found := duplicateIn(d, inner); found != "" {
			return found
		}
	}
	if nested {
		_, _ = d.Token() // its end
	}
	return ""
}

func sortedFields(o object) []string { return slices.Sorted(maps.Keys(o)) }
