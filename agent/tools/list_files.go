package tools

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

//go:embed list_files.md
var listFilesDoc string

// listFiles names the files of the workspace.
func listFiles() Tool {
	return define("list_files", listFilesDoc, func(_ context.Context, s *session.Session, _ session.By, a ListArgs) Outcome {
		names, secrets, err := filesOf(s, a.Glob)
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

// filesOf names the files that a glob matches, as they are for the agent, and counts those with secrets that it leaves out.
func filesOf(s *session.Session, glob string) ([]string, int, error) {
	names, secrets, err := s.Files().List(glob)
	more, less := s.Snapshot().Tree(s.ID())
	if err != nil || len(more)+len(less) == 0 {
		return names, secrets, err
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		return slices.ContainsFunc(less, func(e editing.Entry) bool { return e.Name == n })
	})
	for _, e := range more {
		if s.Files().Matches(glob, e.Name) {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), secrets, nil
}

// ListArgs are the arguments of list_files.
type ListArgs struct {
	Glob string `json:"glob,omitempty"`
}
