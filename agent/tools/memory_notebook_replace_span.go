package tools

import (
	"context"
	_ "embed"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

//go:embed memory_notebook_replace_span.md
var replaceSpanDoc string

// replaceSpan stages the replacement of all from one text through another.
func replaceSpan() Tool {
	return define("memory_notebook_replace_span", replaceSpanDoc, stageSpan)
}

// SpanArgs are the arguments of memory_notebook_replace_span.
type SpanArgs struct {
	Path           string `json:"path,omitempty"`
	OldSpanStart   string `json:"old_span_start"`
	OldSpanEnd     string `json:"old_span_end"`
	NewText        string `json:"new_text"`
	SearchAfter    string `json:"search_after,omitempty"`
	SearchBefore   string `json:"search_before,omitempty"`
	MatchID        string `json:"match_id,omitempty"`
	ShowAllMatches bool   `json:"show_all_matches,omitempty"`
	PreviewOnly    bool   `json:"preview_only,omitempty"`
	LineKey        string `json:"line_key,omitempty"`
	Reason         string `json:"reason,omitempty"`
}

func stageSpan(_ context.Context, s *session.Session, by session.By, a SpanArgs) Outcome {
	if strings.TrimSpace(a.OldSpanStart) == "" || strings.TrimSpace(a.OldSpanEnd) == "" {
		return Refused(CodeEmptyOldText, "old_span_start and old_span_end name the first and the last text of the span; neither may be blank")
	}
	return replaceText(s, by, a.Path, a.Reason, editing.Replacement{
		Old: a.OldSpanStart, End: a.OldSpanEnd, New: a.NewText, After: a.SearchAfter, Before: a.SearchBefore,
		MatchID: a.MatchID, ShowAll: a.ShowAllMatches, PreviewOnly: a.PreviewOnly, LineKey: a.LineKey,
	})
}
