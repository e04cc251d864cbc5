package tools

import (
	"context"
	_ "embed"

	"github.com/galley-ls/galley/agent/session"
)

//go:embed memo_commit_auto.md
var commitAutoDoc string

// commitAuto commits with a summary made from the changes.
func commitAuto() Tool {
	return define("memo_commit_auto", commitAutoDoc, func(t Table, ctx context.Context, _ struct{}) session.Outcome {
		return t.CommitAuto(ctx)
	})
}
