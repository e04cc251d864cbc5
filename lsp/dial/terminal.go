package dial

import (
	"context"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/lsp"
)

// Letters are those of a session's open edits.
func (c *Conn) Letters(ctx context.Context, session string) (all view.Letters, err error) {
	return all, c.call(ctx, lsp.MethodLetters, lsp.TerminalParams{Session: session}, &all)
}

// Moved has a token when letters of the workspace may have moved, until the connection ends.
func (c *Conn) Moved() <-chan struct{} {
	c.follow.Do(func() {
		c.moved = make(chan struct{}, 1)
		go func() {
			at := lsp.TerminalParams{}
			for c.call(context.Background(), lsp.MethodMoved, at, &at) == nil {
				select {
				case c.moved <- struct{}{}:
				default: // nobody has looked since
				}
			}
		}()
	})
	return c.moved
}

// Whose is the session that a letter is of, "" if none on the table bears it.
func (c *Conn) Whose(ctx context.Context, letter string) (session string, err error) {
	var at lsp.TerminalParams
	err = c.call(ctx, lsp.MethodWhose, lsp.TerminalParams{Change: letter}, &at)
	return at.Session, err
}

// Decide carries a decision out; outcome takes what became of it.
func (c *Conn) Decide(ctx context.Context, session string, v host.Verdict, outcome any) error {
	return c.call(ctx, lsp.MethodJudge, lsp.TerminalParams{Session: session, Verdict: v}, outcome)
}

// Draft makes a file with what a change makes; was is what it holds.
func (c *Conn) Draft(ctx context.Context, session, letter string) (path, was string, err error) {
	var d lsp.TerminalDraft
	err = c.call(ctx, lsp.MethodDraft, lsp.TerminalParams{Session: session, Change: letter}, &d)
	return d.Path, d.Text, err
}

// Going are the runs that go on, as people know them.
func (c *Conn) Going(ctx context.Context) ([]string, error) {
	var all lsp.TerminalGoing
	err := c.call(ctx, lsp.MethodGoing, lsp.TerminalParams{}, &all)
	return all.Runs, err
}

// History are the decisions of the workspace within reach, newest first.
func (c *Conn) History(ctx context.Context) (all []host.Standing, err error) {
	err = c.call(ctx, lsp.MethodHistory, lsp.TerminalParams{}, &all)
	for i := range all {
		all[i].Decision.Time = all[i].Time
	}
	return all, err
}

// Undo takes back a decision; with ask not one that the person may not mean, which the answer says.
func (c *Conn) Undo(ctx context.Context, which string, ask bool) (u lsp.TerminalUndone, err error) {
	return u, c.call(ctx, lsp.MethodUndo, lsp.TerminalParams{Decision: which, Ask: ask}, &u)
}

// Command has the host carry out a command of an editor's; answer may be nil.
func (c *Conn) Command(ctx context.Context, name string, argument, answer any) error {
	return c.call(ctx, "workspace/executeCommand", map[string]any{"command": name, "arguments": []any{argument}}, answer)
}
