package tools

import (
	"context"
	_ "embed"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

//go:embed memory_event.md
var memoryEventDoc string

// memoryEvent adds a line to overview.md.
func memoryEvent() Tool { return define("memory_event", memoryEventDoc, remember) }

// EventArgs are the arguments of memory_event.
type EventArgs struct {
	Type     string `json:"type" jsonschema:"enum=decision,enum=issue,enum=fact"`
	Text     string `json:"text,omitempty"`
	ID       string `json:"id,omitempty" jsonschema:"example=issue-1"`
	Severity string `json:"severity,omitempty"`
	Status   string `json:"status,omitempty"`
	Proposal string `json:"proposal,omitempty"`
}

func remember(_ context.Context, s *session.Session, _ session.By, a EventArgs) Outcome {
	if strings.TrimSpace(a.Text) == "" && (a.Type != memory.EventIssue || a.ID == "") {
		return Refused(CodeBadArguments, "text is missing: pass the line to keep")
	}
	w, err := s.Memory().Remember(memory.Event{Type: a.Type, Text: a.Text, ID: a.ID, Severity: a.Severity, Status: a.Status, Proposal: a.Proposal})
	if err != nil {
		return failed(err)
	}
	return Outcome{Status: StatusOK, Path: session.MemoryPrefix + "overview.md", Wrote: w}
}
