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

// Command has the host carry out a command of an editor's; answer may be nil.
func (c *Conn) Command(ctx context.Context, name string, argument, answer any) error {
	return c.call(ctx, "workspace/executeCommand", map[string]any{"command": name, "arguments": []any{argument}}, answer)
}
