package tools

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/editing/text"
)

//go:embed search_text.md
var searchTextDoc string

// searchText finds lines in the proposed texts of the workspace.
func searchText() Tool { return define("search_text", searchTextDoc, search).readOnly() }

// SearchArgs are the arguments of search_text.
type SearchArgs struct {
	Pattern string `json:"pattern"`
	Regex   bool   `json:"regex,omitempty"`
	Path    string `json:"path,omitempty"` // a file, a folder or a glob
}

func search(ctx context.Context, s *session.Session, _ session.By, a SearchArgs) Outcome {
	names, secrets, err := s.Names(a.Path)
	if err != nil {
		return failed(err)
	}
	found, err := disk.Search(ctx, names, disk.Query{Pattern: a.Pattern, Regex: a.Regex}, func(name string) (text.Text, error) {
		d, err := s.Look(name, false)
		if err != nil {
			return text.Text{}, err
		}
		return shown(d.Proposed(s.ID()), s.Mask), nil
	})
	if err != nil {
		return failed(err)
	}
	o := Outcome{Status: StatusOK, Total: new(found.Total), Matches: []TextMatch{}}
	for _, h := range found.Hits {
		o.Matches = append(o.Matches, TextMatch{Path: h.Path, Line: h.Line, Text: h.Text})
	}
	switch more := found.Total - len(found.Hits); {
	case more > 0:
		o.Hint = fmt.Sprintf("%d more matches: narrow the pattern or the path", more)
	case found.Total == 0:
		o.Hint = fmt.Sprintf("nothing matches in %s", text.Plural(len(names)-found.Secrets, "file"))
	}
	if found.Skipped > 0 {
		o.Hint = strings.TrimSpace(fmt.Sprintf("%s (%d files are no text or too large)", o.Hint, found.Skipped))
	}
	o.Hint = withSecrets(o.Hint, secrets+found.Secrets, "searched")
	return o
}

// shown is a text without secrets: a hit is cut around its match, and half of a
// secret would not be known for one.
func shown(t text.Text, mask func(string) string) text.Text {
	plain := t.String()
	if masked := mask(plain); masked != plain {
		return text.New(masked)
	}
	return t
}
