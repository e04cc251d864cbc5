package tools

import (
	"context"
	_ "embed"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

//go:embed memo_append.md
var appendDoc string

// appendText stages text at the end of a file, or behind a place in it.
func appendText() Tool { return define("memo_append", appendDoc, stageAppend) }

// AppendArgs are the arguments of memo_append.
type AppendArgs struct {
	Path  string `json:"path,omitempty"`
	Text  string `json:"text"`
	After string `json:"after,omitempty"` // a heading, or any text that names the place
}

func stageAppend(_ context.Context, s *session.Session, by session.By, a AppendArgs) Outcome {
	return edit(s, by, a.Path, "append", "", func(p session.Place) editing.Op {
		return editing.Append(editing.Appending{Meta: p.Meta, Path: p.Path, Text: a.Text, After: a.After})
	})
}
