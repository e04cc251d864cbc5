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
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	Reasoning  string     `json:"reasoning,omitempty"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

// ToolCall is one call of a tool, its arguments as the model wrote them. Extra
// is what else the server sent with it, an object, to be sent back as it came.
type ToolCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Extra     json.RawMessage `json:"extra,omitempty"`
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
