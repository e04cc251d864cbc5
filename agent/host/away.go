package host

import "github.com/galley-ls/galley/agent/session"

// Answer is the answer to a call of the model's.
type Answer struct {
	Content string               `json:"content"`          // what the model reads
	Status  string               `json:"status,omitempty"` // "": it is not known what came of the call
	Code    string               `json:"code,omitempty"`
	Letters []string             `json:"letters,omitempty"` // that the call staged or amended
	Wrote   *session.MemoryWrite `json:"wrote,omitempty"`
}
