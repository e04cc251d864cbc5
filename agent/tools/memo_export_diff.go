package tools

import (
	"context"
	_ "embed"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing/view"
)

//go:embed memo_export_diff.md
var exportDiffDoc string

// exportDiff gives the unified diff, uncut.
func exportDiff() Tool {
	return define("memo_export_diff", exportDiffDoc, func(_ context.Context, s *session.Session, by session.By, a ExportArgs) Outcome {
		return export(s, by, a, "diff", func(n int) string { return view.Diff(s.Snapshot(), s.ID(), n) })
	})
}
