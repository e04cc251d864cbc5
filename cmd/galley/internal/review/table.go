package review

import (
	"context"
	"fmt"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
)

// Table is what a review needs of an agent session, which may be in another process.
type Table interface {
	ID() string
	Dir() string // the session's
	// Letters are those of open edits, after closed files were read again.
	Letters(ctx context.Context) (view.Letters, error)
	// Decide carries a decision out, and answers what became of it.
	Decide(ctx context.Context, v session.Verdict) tools.Outcome
	// Comment is a remark for the agent.
	Comment(ctx context.Context, letter, remark string) error
	// Draft makes a file with what a letter makes, for a person to edit.
	Draft(ctx context.Context, letter string) (path, was string, err error)
	// Moved tells that letters may have moved; nil: nobody tells.
	Moved() <-chan struct{}
}

// Local is a session of this process.
type Local struct{ *session.Session }

// Letters implements Table.
func (l Local) Letters(ctx context.Context) (view.Letters, error) {
	if err := l.Refresh(ctx); err != nil {
		return view.Letters{}, fmt.Errorf("read the files again: %w", err)
	}
	return view.LettersOf(l.Snapshot(), l.ID()), nil
}

// Decide implements Table.
func (l Local) Decide(_ context.Context, v session.Verdict) tools.Outcome {
	res, err := l.Session.Decide(v.Decision().By(memory.Client{Kind: memory.ClientTerminal}))
	return tools.Decided(l.Snapshot(), l.ID(), res, err)
}

// Comment implements Table.
func (l Local) Comment(_ context.Context, letter, remark string) error {
	return l.Session.Comment(letter, remark)
}

// Moved implements Table.
func (Local) Moved() <-chan struct{} { return nil }

// Draft implements Table.
func (l Local) Draft(_ context.Context, letter string) (path, was string, err error) {
	return l.DraftOf(letter)
}
