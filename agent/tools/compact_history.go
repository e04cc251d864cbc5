package tools

import (
	"context"
	_ "embed"
	"strings"

	"github.com/galley-ls/galley/agent/session"
)

//go:embed compact_history.md
var compactHistoryDoc string

// compactHistory takes older parts of the conversation out of the requests.
func compactHistory() Tool { return define("compact_history", compactHistoryDoc, compact) }

// CompactArgs are the arguments of compact_history.
type CompactArgs struct {
	Target     string `json:"target,omitempty" jsonschema:"enum=conversation,enum=tools,enum=all"`
	Strategy   string `json:"strategy,omitempty" jsonschema:"enum=archive,enum=summarize"`
	Summary    string `json:"summary,omitempty"`
	KeepRecent *int   `json:"keep_recent,omitempty" jsonschema:"minimum=1"`
	ArchiveTo  string `json:"archive_to,omitempty"`
}

func compact(ctx context.Context, s *session.Session, _ session.By, a CompactArgs) Outcome {
	c := session.Compaction{Target: a.Target, Strategy: a.Strategy, Summary: strings.TrimSpace(a.Summary), Keep: session.DefaultKeep, Archive: a.ArchiveTo}
	if c.Target == "" {
		c.Target = session.CompactAll
	}
	if a.KeepRecent != nil {
		c.Keep = *a.KeepRecent
	}
	done, err := s.Compact(ctx, c)
	if err != nil {
		return failed(err)
	}
	o := Outcome{
		Status: StatusOK, TokensBefore: &done.Before, TokensAfter: &done.After, Path: done.Archive, Hint: done.Why,
		HistoryDelta: &HistoryDelta{MessagesRemoved: done.Messages, TokensSaved: done.Saved, ResultsArchived: done.Results},
	}
	if done.Saved == 0 {
		o.Status, o.Code = StatusRefused, CodeNoChange
	}
	return o
}
