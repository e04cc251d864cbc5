package agent_test

import (
	"context"
	"encoding/json"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// person decides on a session, and is told what became of it as in a terminal.
type person struct{ *session.Session }

func (p person) told(res editing.Result, err error) tools.Outcome {
	return tools.Decided(p.Snapshot(), p.ID(), res, err)
}

func (p person) Apply(ctx context.Context, cs []editing.Choice) tools.Outcome {
	return p.told(p.Session.Decide(session.Apply(cs)))
}

func (p person) Reject(ctx context.Context, cs []editing.Choice, reason string) tools.Outcome {
	return p.told(p.Session.Decide(session.Reject(cs, reason)))
}

func (p person) Unreject(ctx context.Context, cs []editing.Choice) tools.Outcome {
	return p.told(p.Session.Decide(session.Unreject(cs)))
}

func (p person) Resolve(ctx context.Context, c editing.Choice, take string) tools.Outcome {
	return p.told(p.Session.Decide(session.Resolve(c, take)))
}

func (p person) CommitEdit(ctx context.Context, n int, summary string) tools.Outcome {
	return p.told(p.Session.Decide(session.Commit(n, summary, nil)))
}

func (p person) RevertEdit(ctx context.Context, n int, reason string) tools.Outcome {
	return p.told(p.Session.Decide(session.Revert(n, reason)))
}

func (p person) RevertClosed(ctx context.Context, n int) tools.Outcome {
	return p.told(p.Session.Decide(session.UndoClosed(n)))
}

func (p person) UndoApplied(ctx context.Context, n int) tools.Outcome {
	return p.told(p.Session.Decide(session.UndoApplied(n)))
}

// run makes a call that is not journaled.
func (p person) run(ctx context.Context, tool string, args any) tools.Outcome {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return tools.Run(ctx, p.Session, memory.ToolCall{ID: "call", Name: tool, Arguments: string(raw)})
}

func (p person) Comment(ctx context.Context, letter, remark string) tools.Outcome {
	return p.told(editing.Result{Status: editing.StatusOK}, p.Session.Comment(letter, remark))
}
