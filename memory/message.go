package memory

import (
	"encoding/json"
	"strings"
)

// Roles of a message.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Message is one message of a chat. Its texts may hold invalid UTF-8; they are
// kept byte for byte.
//
// Reasoning is what the model thought before an answer. It is kept for servers
// that want it back, and is shown to nobody as the answer.
type Message struct {
	Role       string
	Content    string
	Reasoning  string
	ToolCalls  []ToolCall
	ToolCallID string
}

// wireMessage is a Message in JSON.
type wireMessage struct {
	Role       string     `json:"role"`
	Content    raw        `json:"content"`
	Reasoning  raw        `json:"reasoning,omitempty"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`
	ToolCallID raw        `json:"tool_call_id,omitempty"`
}

// MarshalJSON keeps every byte.
func (m Message) MarshalJSON() ([]byte, error) {
	return Marshal(wireMessage{m.Role, raw(m.Content), raw(m.Reasoning), m.ToolCalls, raw(m.ToolCallID)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (m *Message) UnmarshalJSON(data []byte) error {
	var w wireMessage
	err := json.Unmarshal(data, &w)
	*m = Message{w.Role, string(w.Content), string(w.Reasoning), w.ToolCalls, string(w.ToolCallID)}
	return err
}

// ToolCall is one call of a tool, its arguments as the model wrote them. Extra
// is what else the server sent with it, an object, to be sent back as it came.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string
	Extra     json.RawMessage
}

// wireCall is a ToolCall in JSON.
type wireCall struct {
	ID        raw             `json:"id"`
	Name      raw             `json:"name"`
	Arguments raw             `json:"arguments"`
	Extra     json.RawMessage `json:"extra,omitempty"`
}

// MarshalJSON keeps every byte.
func (c ToolCall) MarshalJSON() ([]byte, error) {
	return Marshal(wireCall{raw(c.ID), raw(c.Name), raw(c.Arguments), c.Extra})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *ToolCall) UnmarshalJSON(data []byte) error {
	var w wireCall
	err := json.Unmarshal(data, &w)
	*c = ToolCall{string(w.ID), string(w.Name), string(w.Arguments), w.Extra}
	return err
}

// MeantTool is the tool that a model means by a name, "" if it is none that is known: models put a namespace before the
// name (functions.x, default_api:x), and marks of their template or a count behind it (x<|channel|>json, x:0).
func MeantTool(name string, known func(string) bool) (meant string) {
	name, _, _ = strings.Cut(strings.TrimSpace(name), "<")
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune(".:/=", r) }) {
		if i := strings.LastIndex(part, "__"); i > 0 {
			part = part[i+len("__"):]
		}
		switch {
		case !known(part):
		case meant != "":
			return "" // two of them
		default:
			meant = part
		}
	}
	return meant
}

// ToolSpec is a tool as it is offered to the model.
type ToolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// Request is what a model is asked: the system message first, then the rest.
type Request struct {
	Messages []Message  `json:"messages"`
	Tools    []ToolSpec `json:"tools,omitempty"`
}

// Usage is what a server counted for one reply, in tokens. Input includes
// Cached.
type Usage struct {
	Input  int `json:"input"`
	Cached int `json:"cached,omitempty"`
	Output int `json:"output"`
}

// Add is both together.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Cached + v.Cached, u.Output + v.Output}
}
