package openai

import (
	"encoding/json"
	"slices"

	"github.com/galley-ls/galley/memory"
	oa "github.com/sashabaranov/go-openai"
)

// blank is what go-openai is given to send. The library judges requests by the model's name and refuses what the server
// was not even asked about, and its types cannot say all that a request needs: so the body is written here.
var blank = oa.ChatCompletionRequest{Model: "model", Stream: true}

var noParameters = json.RawMessage(`{"type":"object","properties":{}}`)

// object is a JSON object whose values are not looked at.
type object map[string]json.RawMessage

// encode writes JSON without escapes for HTML, which would only cost bytes.
func encode(v any) json.RawMessage {
	text, err := memory.Marshal(v)
	if err != nil {
		return json.RawMessage("null") // only for values that no caller has: channels, NaN
	}
	return text
}

// body writes a request, and returns the names of the fields in it.
func (s *sending) body() ([]byte, map[string]bool) {
	fields := map[string]bool{}
	messages := []object{}
	for _, t := range s.turns {
		messages = append(messages, s.message(t, fields))
	}
	top := object{"model": encode(s.m.cfg.Model), "messages": encode(messages), "stream": encode(on(s.p.Stream))}
	if on(s.p.StreamUsage) && on(s.p.Stream) {
		top["stream_options"] = encode(oa.StreamOptions{IncludeUsage: true})
	}
	if len(s.tools) > 0 {
		top["tools"] = encode(functions(s.tools))
	}
	if s.p.ParallelToolCalls != nil && len(s.tools) > 0 {
		top["parallel_tool_calls"] = encode(*s.p.ParallelToolCalls)
	}
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
	s.omit(top, fields)
	return encode(top), fields
}

func functions(specs []memory.ToolSpec) (tools []oa.Tool) {
	for _, t := range specs {
		f := &oa.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Parameters}
		if len(t.Parameters) == 0 || string(t.Parameters) == "null" {
			f.Parameters = noParameters
		}
		tools = append(tools, oa.Tool{Type: oa.ToolTypeFunction, Function: f})
	}
	return tools
}

func (s *sending) maxOutput() int {
	most := s.m.cfg.MaxOutput
	if s.p.MaxOutput > 0 && most > s.p.MaxOutput {
		return s.p.MaxOutput
	}
	return most
}

// message writes one message.
func (s *sending) message(t turn, fields map[string]bool) object {
	m := object{"role": encode(t.Role), "content": encode(t.Content)}
	if t.ToolCallID != "" {
		m["tool_call_id"] = encode(t.ToolCallID)
	}
	if t.tool != "" {
		m["name"] = encode(t.tool)
	}
	switch { // only a message that calls tools has no text
	case t.Content == "" && s.p.ToolOnlyContent == contentNull:
		m["content"] = json.RawMessage("null")
	case t.Content == "" && s.p.ToolOnlyContent == contentOmit:
		delete(m, "content")
	}
	if t.echo {
		m[s.p.EchoReasoning] = encode(t.Reasoning) // "" too: servers that want it want the field
	}
	if len(t.ToolCalls) > 0 {
		m["tool_calls"] = s.calls(t.ToolCalls, fields)
	}
	s.omit(m, fields)
	return m
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
