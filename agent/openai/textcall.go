package openai

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// toolset is what a recogniser of calls knows of the request's tools.
type toolset map[string]toolShape

// toolShape holds the types of a tool's parameters; nil: its schema says nothing about them.
type toolShape map[string][]string

func newToolset(specs []memory.ToolSpec) toolset {
	tools := toolset{}
	for _, s := range specs {
		tools[s.Name] = shapeOf(s.Parameters)
	}
	return tools
}

func shapeOf(schema json.RawMessage) toolShape {
	var s struct {
		Properties map[string]struct {
			Type  json.RawMessage `json:"type"`
			AnyOf []struct {
				Type json.RawMessage `json:"type"`
			} `json:"anyOf"`
		} `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil || s.Properties == nil {
		return nil
	}
	shape := toolShape{}
	for name, p := range s.Properties {
		types := typesOf(p.Type)
		for _, one := range p.AnyOf {
			types = append(types, typesOf(one.Type)...)
		}
		shape[name] = types
	}
	return shape
}

func typesOf(raw json.RawMessage) (types []string) {
	if one := scalar(raw); one != "" {
		return []string{one}
	}
	for _, e := range elements(raw) {
		types = append(types, scalar(e))
	}
	return types
}

// find is the name of the tool that a model means; "": none of the request's.
func (t toolset) find(name string) string {
	return memory.MeantTool(name, func(name string) bool { _, ok := t[name]; return ok })
}

func (t toolset) knows(name string) bool { return t.find(name) != "" }

// textCall is a call as it was found in a text.
type textCall struct{ name, args string }

// value is a parameter that was written as bare text: JSON where the schema wants something else than a string.
func (s toolShape) value(name, text string) json.RawMessage {
	types, raw := s[name], strings.TrimSpace(text)
	wantsText := len(types) == 0 || slices.Contains(types, "string")
	if wantsText || !json.Valid([]byte(raw)) {
		return encode(text)
	}
	return json.RawMessage(raw)
}

// knows tells whether all names of an object are parameters of the tool.
func (s toolShape) knows(args object) bool {
	for name := range args {
		if _, ok := s[name]; !ok && s != nil {
			return false
		}
	}
	return true
}

// found is what the text of a reply turned out to be.
type found struct {
	prose  string // what stands before the calls
	calls  []textCall
	broken bool // a call was begun that nobody can read
}

// candidatesMost bounds how many places of a text are tried.
const candidatesMost = 200

// recognise looks for calls at the end of a text. They count only if the rest of the text consists of them, each names a
// tool of the request, and they do not stand in code that the prose quotes: an answer that shows how a call looks is an
// answer, and so is one that goes on behind a call.
func (t toolset) recognise(text string) found {
	if len(t) == 0 {
		return found{}
	}
	body := trimEnd(text)
	broken := false
	for _, at := range candidates(body) {
		if inCode(body[:at]) {
			continue
		}
		p := &callParser{tools: t, text: body[at:]}
		calls, ok := p.all()
		switch {
		case ok && len(calls) > 0:
			return found{prose: strings.TrimRight(body[:at], " \t\r\n"), calls: calls}
		case len(calls) > 0: // words stand behind it: an explanation, and so is what follows
			return found{broken: broken}
		}
		broken = broken || p.broken
	}
	return found{broken: broken}
}

// ends are what templates leave behind a reply.
var ends = []string{"<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "<|endoftext|>", "</s>", "<|call|>", "<end_of_turn>"}

func trimEnd(text string) string {
	for {
		text = strings.TrimRight(text, " \t\r\n")
		trimmed := text
		for _, e := range ends {
			trimmed = strings.TrimSuffix(trimmed, e)
		}
		if trimmed == text {
			return text
		}
		text = trimmed
	}
}

// candidates are the places where calls may begin: a marker anywhere, JSON and fences at the start of a line.
func candidates(text string) (places []int) {
	for _, m := range markers {
		for from := 0; len(places) < candidatesMost; {
			i := strings.Index(text[from:], m)
			if i < 0 {
				break
			}
			places = append(places, from+i)
			from += i + len(m)
		}
	}
	at := 0
	for line := range strings.Lines(text) {
		lead := len(line) - len(strings.TrimLeft(line, " \t"))
		if c := line[lead:]; c != "" && (strings.HasPrefix(c, fence) || (c[0] == '{' || c[0] == '[')) {
			if len(places) < 2*candidatesMost {
				places = append(places, at+lead)
			}
		}
		at += len(line)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// toolCalls makes calls of what was found; seed makes their ids.
func toolCalls(found []textCall, seed string) (calls []memory.ToolCall) {
	for _, c := range found {
		calls = append(calls, memory.ToolCall{Name: c.name, Arguments: c.args})
	}
	return withIDs(calls, seed)
}
