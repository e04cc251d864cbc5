package tools

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing/text"
)

//go:embed list_files.md
var listFilesDoc string

// listFiles names the files of the workspace.
func listFiles() Tool {
	return define("list_files", listFilesDoc, func(_ context.Context, s *session.Session, _ session.By, a ListArgs) Outcome {
		names, secrets, err := s.Names(a.Glob)
		if err != nil {
			return failed(err)
		}
		const most = 500
		o := Outcome{Status: StatusOK, Total: new(len(names))}
		if len(names) > most {
			o.Hint = fmt.Sprintf("%d more: narrow the glob", len(names)-most)
			names = names[:most]
		}
		if o.Files = Paths(names...); len(names) == 0 {
			o.Hint = "no file matches; leave glob out to see all, or use a pattern like **/*.go"
		}
		o.Hint = withSecrets(o.Hint, secrets, "listed")
		return o
	}).readOnly()
}

// withSecrets adds to a hint how many files are left out for what they hold.
func withSecrets(hint string, n int, done string) string {
	switch {
	case n == 0:
		return hint
	case hint != "":
		hint += "; "
	}
	return hint + fmt.Sprintf("not %s for the keys or secrets in them: %s", done, text.Plural(n, "file"))
}

// ListArgs are the arguments of list_files.
type ListArgs struct {
	Glob string `json:"glob,omitempty"`
}
