package tools

import (
	"context"
	_ "embed"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

//go:embed memory_notebook_replace.md
var replaceDoc string

// replace stages the replacement of a text by another.
func replace() Tool { return define("memory_notebook_replace", replaceDoc, stageReplace) }

// ReplaceArgs are the arguments of memory_notebook_replace.
type ReplaceArgs struct {
	Path           string `json:"path,omitempty"`
	OldText        string `json:"old_text"`
	NewText        string `json:"new_text"`
	SearchAfter    string `json:"search_after,omitempty"`
	SearchBefore   string `json:"search_before,omitempty"`
	MatchID        string `json:"match_id,omitempty"`
	ShowAllMatches bool   `json:"show_all_matches,omitempty"`
	PreviewOnly    bool   `json:"preview_only,omitempty"`
	LineKey        string `json:"line_key,omitempty"`
	Reason         string `json:"reason,omitempty"`
}

func stageReplace(_ context.Context, s *session.Session, by session.By, a ReplaceArgs) Outcome {
	return replaceText(s, by, a.Path, a.Reason, editing.Replacement{
		Old: a.OldText, New: a.NewText, After: a.SearchAfter, Before: a.SearchBefore,
		MatchID: a.MatchID, ShowAll: a.ShowAllMatches, PreviewOnly: a.PreviewOnly, LineKey: a.LineKey,
	})
}

func replaceText(s *session.Session, by session.By, path, reason string, r editing.Replacement) Outcome {
	set := s.Settings()
	r.Shown, r.AskAlways, r.NoAdvice = set.Candidates, set.NoAutoSelect, set.NoRecommendation
	return edit(s, by, path, "stage", reason, func(p session.Place) editing.Op {
		r.Meta, r.Path, r.Hints, r.Reread = p.Meta, p.Path, p.Hints, p.Reread
		return editing.Replace(r)
	})
}

// edit stages an edit, and answers with what is pending.
func edit(s *session.Session, by session.By, path, op, reason string, make func(session.Place) editing.Op, read ...*editing.Document) Outcome {
	path, err := s.Named(path)
	if err != nil {
		return failed(err)
	}
	e, err := s.Edit(by, path, op, reason, make, read...)
	if err != nil {
		return failedOn(path, err)
	}
	if strings.HasPrefix(path, session.MemoryPrefix) {
		return written(s, e, nil)
	}
	o := outcomeOf(s, e.Result)
	if e.Path != "" {
		o.Path = e.Name
	}
	return o
}
