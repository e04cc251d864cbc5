package tools

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing/view"
)

//go:embed memo_commit_auto.md
var commitAutoDoc string

// commitAuto commits with a summary made from the changes. The recommended candidate of an open list is taken first.
func commitAuto() Tool {
	return define("memo_commit_auto", commitAutoDoc, func(ctx context.Context, s *session.Session, by session.By, _ struct{}) Outcome {
		n, err := theEdit(s, "")
		if err == nil && n != 0 {
			res, err := s.TakeRecommended(by, n)
			if err != nil {
				return failed(err)
			}
			if res.Status != "" && !res.OK() {
				return outcomeOf(s, res)
			}
		}
		return commitEdit(ctx, s, by, CommitArgs{Summary: autoSummary(s)})
	})
}

// autoSummary says what the current editing session changes.
func autoSummary(s *session.Session) string {
	n, _ := theEdit(s, "")
	var parts []string
	for _, c := range s.Snapshot().Undecided(s.ID(), n) {
		parts = append(parts, fmt.Sprintf("%s in %s", view.Summary(s.Snapshot(), c), c.Name))
	}
	if len(parts) == 0 {
		return "no changes"
	}
	const most = 3
	if more := len(parts) - most; more > 0 {
		parts = append(parts[:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}
