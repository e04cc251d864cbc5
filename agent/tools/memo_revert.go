package tools

import (
	"context"
	_ "embed"
	"slices"

	"github.com/galley-ls/galley/agent/session"
)

//go:embed memo_revert.md
var revertDoc string

// revert throws away what is staged, and ends the task.
func revert() Tool { return define("memo_revert", revertDoc, revertEdit) }

// RevertArgs are the arguments of memo_revert.
type RevertArgs struct {
	Reason    string   `json:"reason"`
	Decisions []string `json:"decisions,omitempty"`
	SessionID string   `json:"session_id,omitempty" jsonschema:"pattern=^sess-[1-9][0-9]*$,example=sess-3"`
}

func revertEdit(ctx context.Context, s *session.Session, by session.By, a RevertArgs) Outcome {
	n, err := theEdit(s, a.SessionID)
	if err != nil {
		return failed(err)
	}
	e := session.Ending{Edit: n, Reason: a.Reason, Decisions: a.Decisions, Pop: true}
	e.Decisions = append(slices.Clip(e.Decisions), s.NamedDecisions(ctx, by, e)...)
	return concluded(s, by, session.EndReverted, e)
}
