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
	Link    *dial.Link
	Session string
	Folder  string // the session's
}

// ID implements Table.
func (r Remote) ID() string { return r.Session }

// Dir implements Table.
func (r Remote) Dir() string { return r.Folder }

// Letters implements Table.
func (r Remote) Letters(ctx context.Context) (all view.Letters, err error) {
	err = r.Link.Do(ctx, func(c *dial.Conn) (err error) {
		all, err = c.Letters(ctx, r.Session)
		return err
	})
	return all, err
}

// Decide implements Table.
func (r Remote) Decide(ctx context.Context, v session.Verdict) (o tools.Outcome) {
	if err := r.Link.Do(ctx, func(c *dial.Conn) error { return c.Decide(ctx, r.Session, v, &o) }); err != nil {
		return tools.Refused(tools.CodeFailed, err.Error())
	}
	return o
}

// Comment implements Table.
func (r Remote) Comment(ctx context.Context, letter, remark string) error {
	return r.Link.Do(ctx, func(c *dial.Conn) error {
		return c.Command(ctx, "galley.comment", map[string]string{"change": letter, "text": remark}, nil)
	})
}

// Moved implements Table.
func (r Remote) Moved() <-chan struct{} { return r.Link.Conn().Moved() }

// Draft implements Table.
func (r Remote) Draft(ctx context.Context, letter string) (path, was string, err error) {
	err = r.Link.Do(ctx, func(c *dial.Conn) (err error) {
		path, was, err = c.Draft(ctx, r.Session, letter)
		return err
	})
	return path, was, err
}
