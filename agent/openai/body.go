package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/galley-ls/galley/memory"
	oa "github.com/sashabaranov/go-openai"
)

// nameless stands where go-openai wants a model's name. The library judges requests by that name and refuses what the
// server was not even asked about; the body gets the true name afterwards.
const nameless = "model"

// emptyResult is sent for a tool's empty result where the server takes no empty text.
const emptyResult = "(empty)"

var noParameters = json.RawMessage(`{"type":"object","properties":{}}`)

// chatRequest is a request in go-openai's types. What these cannot say is put in by repair.
func chatRequest(turns []turn, tools []memory.ToolSpec, p Profile) oa.ChatCompletionRequest {
	r := oa.ChatCompletionRequest{Model: nameless, Stream: true}
	for _, t := range turns {
		m := oa.ChatCompletionMessage{Role: t.Role, Content: t.Content, ToolCallID: t.ToolCallID}
		for _, c := range t.ToolCalls {
			m.ToolCalls = append(m.ToolCalls, oa.ToolCall{
				ID: c.ID, Type: oa.ToolTypeFunction, Function: oa.FunctionCall{Name: c.Name, Arguments: c.Arguments},
			})
		}
		r.Messages = append(r.Messages, m)
	}
	for _, t := range tools {
		f := &oa.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Parameters}
		if len(t.Parameters) == 0 || string(t.Parameters) == "null" {
			f.Parameters = noParameters
		}
		r.Tools = append(r.Tools, oa.Tool{Type: oa.ToolTypeFunction, Function: f})
	}
	if on(p.StreamUsage) && on(p.Stream) {
		r.StreamOptions = &oa.StreamOptions{IncludeUsage: true}
	}
	if p.ParallelToolCalls != nil && len(tools) > 0 {
		r.ParallelToolCalls = *p.ParallelToolCalls
	}
	return r
}

// object is a JSON object whose values are not looked at.
type object map[string]json.RawMessage

// encode writes JSON without escapes for HTML, which would only cost bytes.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return json.RawMessage("null") // only for values that no caller has: channels, NaN
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// repair finishes the body that go-openai wrote, and returns the names of the fields in it.
func (s *sending) repair(body []byte) ([]byte, map[string]bool, error) {
	var top object
	var messages []object
	if err := json.Unmarshal(body, &top); err != nil {
		return nil, nil, fmt.Errorf("read the request that is to be sent: %w", err)
	}
	if err := json.Unmarshal(top["messages"], &messages); err != nil || len(messages) != len(s.turns) {
		return nil, nil, errors.New("the request that is to be sent has other messages than it was made of")
	}
	fields := map[string]bool{}
	for i := range messages {
		s.repairMessage(messages[i], s.turns[i], fields)
	}
	top["messages"] = encode(messages)
	s.repairTop(top)
	s.omit(top, fields)
	return encode(top), fields, nil
}

func (s *sending) repairTop(top object) {
	top["model"] = encode(s.m.cfg.Model)
	top["stream"] = encode(on(s.p.Stream))
	if t := s.m.cfg.Temperature; t != nil && on(s.p.Temperature) {
		top["temperature"] = encode(*t)
	}
	if most := s.maxOutput(); most > 0 && s.p.MaxTokensField != fieldNone {
		top[s.p.MaxTokensField] = encode(most)
	}
	for name, value := range s.p.ExtraBody {
		switch {
		case name == "messages" || name == "stream": // galley's own business
		case value == nil:
			delete(top, name)
		default:
			top[name] = encode(value)
		}
	}
}

func (s *sending) maxOutput() int {
	most := s.m.cfg.MaxOutput
	if s.p.MaxOutput > 0 && most > s.p.MaxOutput {
		return s.p.MaxOutput
	}
	return most
}

// repairMessage sets what go-openai leaves out: empty contents, thoughts, the further fields of calls.
func (s *sending) repairMessage(m object, t turn, fields map[string]bool) {
	m["content"] = encode(t.Content)
	switch {
	case t.Content != "":
	case t.Role == memory.RoleAssistant && len(t.ToolCalls) > 0:
		switch s.p.ToolOnlyContent {
		case contentNull:
			m["content"] = json.RawMessage("null")
		case contentOmit:
			delete(m, "content")
		}
	case t.Role == memory.RoleTool && s.p.ToolOnlyContent != contentEmpty:
		m["content"] = encode(emptyResult)
	}
	if t.echo {
		m[s.p.EchoReasoning] = encode(t.Reasoning) // "" too: servers that want it want the field
	}
	if len(t.ToolCalls) > 0 {
		m["tool_calls"] = s.calls(t.ToolCalls, fields)
	}
	s.omit(m, fields)
}

// calls writes the calls of a message with what the server once sent along with them.
func (s *sending) calls(calls []memory.ToolCall, fields map[string]bool) json.RawMessage {
	list := make([]object, 0, len(calls))
	for _, c := range calls {
		o := objectOf(c.Extra)
		if o == nil {
			o = object{} // what is no object cannot have come from a server
		}
		o["id"], o["type"] = encode(c.ID), encode("function")
		o["function"] = encode(oa.FunctionCall{Name: c.Name, Arguments: c.Arguments})
		s.omit(o, fields)
		list = append(list, o)
	}
	return encode(list)
}

// needed are fields that a server must take: a refusal that names one of them teaches nothing.
var needed = []string{
	"model", "messages", "tools", "role", "content", "tool_calls", "tool_call_id", "id", "type", "function",
	"name", "arguments", "description", "parameters", "stream",
}

// omit takes out what the server refuses and notes what is left.
func (s *sending) omit(o object, fields map[string]bool) {
	for _, name := range s.p.OmitFields {
		if !slices.Contains(needed, name) {
			delete(o, name)
		}
	}
	for name := range o {
		fields[name] = true
	}
}
