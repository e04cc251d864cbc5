package tools

import (
	"context"
	_ "embed"

	"github.com/galley-ls/galley/agent/session"
)

//go:embed read.md
var readDoc string

// readFile shows any text file of the workspace, or of the working memory, as it is
// proposed and without line keys.
func readFile() Tool {
	return define("read", readDoc, func(ctx context.Context, s *session.Session, by session.By, a ReadFileArgs) Outcome {
		bare := false
		return readMarked(ctx, s, by, ReadArgs{Path: a.Path, StartLine: a.StartLine, EndLine: a.EndLine, LineNumbers: &bare})
	}).readOnly()
}

// ReadFileArgs are the arguments of read.
type ReadFileArgs struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line,omitempty" jsonschema:"minimum=1"`
	EndLine   int    `json:"end_line,omitempty" jsonschema:"minimum=1"`
}
