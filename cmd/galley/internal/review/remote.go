package review

import (
	"context"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/lsp/dial"
)

// Remote is a session at the host of the workspace.
type Remote struct {
	Conn    *dial.Conn
	Session string
	Folder  string // the session's
}

// ID implements Table.
func (r Remote) ID() string { return r.Session }

// Dir implements Table.
func (r Remote) Dir() string { return r.Folder }

// Letters implements Table.
func (r Remote) Letters(ctx context.Context) (view.Letters, error) {
	return r.Conn.Letters(ctx, r.Session)
}

// Decide implements Table.
func (r Remote) Decide(ctx context.Context, v session.Verdict) (o tools.Outcome) {
	if err := r.Conn.Decide(ctx, r.Session, v, &o); err != nil {
		return tools.Refused(tools.CodeFailed, err.Error())
	}
	return o
}

// Comment implements Table.
func (r Remote) Comment(ctx context.Context, letter, remark string) error {
	return r.Conn.Command(ctx, "galley.comment", map[string]string{"change": letter, "text": remark}, nil)
}

// Moved implements Table.
func (r Remote) Moved() <-chan struct{} { return r.Conn.Moved() }

// Draft implements Table.
func (r Remote) Draft(ctx context.Context, letter string) (path, was string, err error) {
	return r.Conn.Draft(ctx, r.Session, letter)
}
