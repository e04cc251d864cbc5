package openai

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/galley-ls/galley/memory"
)

const fence = "```"

// markers begin a call in no other text than one about calls.
var markers = []string{
	"<tool_call>", "<tool_calls>", "<function=", "<function_calls>", "<invoke name=", "<minimax:tool_call>",
	"[TOOL_CALLS]", "<|python_tag|>",
}

// wrappers stand around calls and say nothing.
var wrappers = []string{
	"<tool_calls>", "</tool_calls>", "<function_calls>", "</function_calls>", "<minimax:tool_call>", "</minimax:tool_call>",
	"</tool_call>",
}

// callParser reads a text that consists of calls. It is strict: one thing that it does not know, and it is no such text.
type callParser struct {
	tools  toolset
	text   string
	broken bool // what marks a call was there, a tool was named, and then it made no sense
}

// all reads calls until the text is over. Where it stops before, the calls so far come with false.
func (p *callParser) all() (calls []textCall, ok bool) {
	for {
		p.text = strings.TrimLeft(p.text, " \t\r\n;")
		if p.text == "" {
			return calls, true
		}
		if p.skip(wrappers...) {
			continue
		}
		next, ok := p.next()
		if !ok {
			return calls, false
		}
		calls = append(calls, next...)
	}
}

func (p *callParser) skip(words ...string) bool {
	for _, w := range words {
		if rest, found := strings.CutPrefix(p.text, w); found {
			p.text = rest
			return true
		}
	}
	return false
}

// next reads the calls of one form.
func (p *callParser) next() ([]textCall, bool) {
	switch {
	case p.skip("<tool_call>"):
		return p.marked(p.inToolCall)
	case strings.HasPrefix(p.text, "<function=") || strings.HasPrefix(p.text, "<function name=") || strings.HasPrefix(p.text, "<invoke name="):
		return p.marked(p.tagged)
	case p.skip("[TOOL_CALLS]"):
		return p.marked(p.mistral)
	case p.skip("<|python_tag|>"):
		return p.marked(func() ([]textCall, bool) { return p.json(false) })
	case strings.HasPrefix(p.text, fence):
		return p.fenced()
	case p.text[0] == '{' || p.text[0] == '[':
		return p.json(true)
	}
	return nil, false
}

// marked reads a form with a marker. If that fails although a call was begun and names a tool, it was one that went
// wrong.
func (p *callParser) marked(read func() ([]textCall, bool)) ([]textCall, bool) {
	start := p.text[:min(len(p.text), 200)]
	calls, ok := read()
	if !ok && begun().MatchString(start) {
		p.broken = slices.ContainsFunc(nameLike().FindAllString(start, -1), func(word string) bool { return p.tools.find(word) != "" })
	}
	return calls, ok
}

var (
	nameLike = memory.Pattern(`[A-Za-z_][\w.-]*`)
	begun    = memory.Pattern(`^\s*([{\[]|<(function|invoke)\b|[\w.-]+\s*([{\[]|<arg_key>|$))`) // what stands behind a marker of a call
)

// inToolCall reads what stands between <tool_call> and its end, which some models leave out: JSON, the function form, or
// a bare name with keys and values.
func (p *callParser) inToolCall() (calls []textCall, ok bool) {
	p.text = strings.TrimLeft(p.text, " \t\r\n")
	switch {
	case p.text == "":
		return nil, false
	case p.text[0] == '{' || p.text[0] == '[':
		calls, ok = p.json(false)
	case strings.HasPrefix(p.text, "<function") || strings.HasPrefix(p.text, "<invoke"):
		calls, ok = p.tagged()
	default:
		calls, ok = p.keyed()
	}
	p.text = strings.TrimLeft(p.text, " \t\r\n")
	return calls, ok && (p.skip("</tool_call>") || p.text == "" || strings.HasPrefix(p.text, "<tool_call>"))
}

// value reads one JSON value from the text.
func (p *callParser) value() (json.RawMessage, bool) {
	d := json.NewDecoder(strings.NewReader(p.text))
	var raw json.RawMessage
	if d.Decode(&raw) != nil {
		return nil, false
	}
	p.text = p.text[d.InputOffset():]
	return bytes.TrimSpace(raw), true
}

// json reads one call or a list of them. A bare one must look like a call in every part: nothing else marks it.
func (p *callParser) json(bare bool) ([]textCall, bool) {
	raw, ok := p.value()
	if !ok {
		return nil, false
	}
	if raw[0] == '[' {
		return p.list(elements(raw), bare)
	}
	return p.fromJSON(raw, bare)
}

var (
	nameKeys = []string{"name", "tool", "tool_name", "function_name", "function"}
	argKeys  = []string{"arguments", "parameters", "args", "input"}
	sideKeys = []string{"id", "type", "index", "tool_calls"}
	callKeys = slices.Concat(nameKeys, argKeys, sideKeys)
)

// fenceInfos are the words behind a fence that may hold calls.
var fenceInfos = []string{"", "json", "tool_call", "tool_calls", "tool_code", "xml"}

func (p *callParser) fromJSON(raw json.RawMessage, bare bool) ([]textCall, bool) {
	o := objectOf(raw)
	if o == nil {
		return nil, false
	}
	if list := elements(o["tool_calls"]); list != nil && len(o) == 1 {
		return p.list(list, bare)
	}
	if objectOf(o["function"]) != nil {
		return p.fromJSON(o["function"], bare)
	}
	for key := range o {
		if bare && !slices.Contains(callKeys, key) {
			return nil, false
		}
	}
	name := p.tools.find(pickText(o, nameKeys))
	if name == "" {
		return nil, false
	}
	args, given := pickArgs(o)
	parsed := objectOf(args)
	if parsed == nil || bare && (!given || !p.tools[name].knows(parsed)) {
		return nil, false
	}
	return []textCall{{name, string(args)}}, true
}

func (p *callParser) list(list []json.RawMessage, bare bool) (calls []textCall, ok bool) {
	for _, raw := range list {
		more, ok := p.fromJSON(raw, bare)
		if !ok {
			return nil, false
		}
		calls = append(calls, more...)
	}
	return calls, len(calls) > 0
}

func pickText(o object, keys []string) string {
	for _, k := range keys {
		if text := scalar(o[k]); text != "" {
			return text
		}
	}
	return ""
}

// pickArgs are the arguments of a call: an object, or a text that holds one.
func pickArgs(o object) (args json.RawMessage, given bool) {
	for _, k := range argKeys {
		raw := bytes.TrimSpace(o[k])
		if len(raw) == 0 {
			continue
		}
		if text := scalar(raw); raw[0] == '"' && memory.IsObject(text) {
			return json.RawMessage(text), true
		}
		return raw, true
	}
	return json.RawMessage("{}"), false
}

// fenced reads a code block that holds nothing but calls.
func (p *callParser) fenced() ([]textCall, bool) {
	info, rest, found := strings.Cut(p.text[len(fence):], "\n")
	if !found || !slices.Contains(fenceInfos, strings.TrimSpace(info)) {
		return nil, false
	}
	shut := "\n" + fence
	for _, end := range []int{strings.Index(rest, shut), strings.LastIndex(rest, shut)} { // a value may hold a fence
		inner, behind := rest, ""
		if end >= 0 {
			inner, behind = rest[:end], rest[end+len(shut):]
		}
		q := &callParser{tools: p.tools, text: inner}
		calls, ok := q.all()
		p.broken = p.broken || q.broken
		if ok && len(calls) > 0 {
			p.text = behind
			return calls, true
		}
	}
	return nil, false
}

// mistral reads what follows [TOOL_CALLS]: a list, or a name and its arguments.
func (p *callParser) mistral() ([]textCall, bool) {
	p.text = strings.TrimLeft(p.text, " \t\r\n")
	if strings.HasPrefix(p.text, "[{") || strings.HasPrefix(p.text, "{") {
		return p.json(false)
	}
	at := strings.IndexAny(p.text, "[{")
	if at <= 0 {
		return nil, false
	}
	name := p.tools.find(p.text[:at])
	p.text = p.text[at:]
	if p.skip("[CALL_ID]") {
		_, p.text, _ = strings.Cut(p.text, "[ARGS]")
	} else {
		p.skip("[ARGS]")
	}
	raw, ok := p.value()
	if !ok || name == "" || !memory.IsObject(string(raw)) {
		return nil, false
	}
	return []textCall{{name, string(raw)}}, true
}
