package agent

import (
	"context"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/memory"
)

// Local is a session of this process, with all tools.
type Local struct{ *session.Session }

// Call implements Session.
func (l Local) Call(ctx context.Context, c memory.ToolCall) (Answer, error) {
	return Answered(tools.Run(ctx, l.Session, c)), nil
}

// SideBySide implements Session.
func (Local) SideBySide(name string) bool {
	tool, _ := tools.Find(name)
	return tool.ReadOnly
}

// Answered is the outcome of a call as the loop takes it.
func Answered(o tools.Outcome) Answer {
	a := Answer{Content: o.JSON(), Status: o.Status, Code: o.Code, Wrote: o.Wrote}
	for _, p := range o.PendingChanges {
		if p.Preview != "" { // only those that the call touched come with one
			a.Letters = append(a.Letters, p.ChangeID)
		}
	}
	return a
}
