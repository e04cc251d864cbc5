package tools

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

//go:embed memo_export_session.md
var exportSessionDoc string

// exportSession gives the full log of an editing session.
func exportSession() Tool {
	return define("memo_export_session", exportSessionDoc, func(_ context.Context, s *session.Session, by session.By, a ExportArgs) Outcome {
		return export(s, by, a, "session", s.Log)
	})
}

// ExportArgs are the arguments of memo_export_session and memo_export_diff.
type ExportArgs struct {
	SessionID string `json:"session_id,omitempty" jsonschema:"pattern=^sess-[1-9][0-9]*$,example=sess-3"`
	To        string `json:"to,omitempty"` // a file under working-memory/detail/; empty: into the answer
}

func export(s *session.Session, by session.By, a ExportArgs, what string, make func(n int) string) Outcome {
	n, err := theEdit(s, a.SessionID)
	switch {
	case err != nil:
		return failed(err)
	case n == 0:
		return Refused(CodeBadArguments, "nothing is staged; name an earlier editing session to export it")
	}
	body := s.Mask(make(n))
	o := Outcome{Status: StatusOK, Text: &body}
	if a.To != "" {
		e, err := s.Memory().Export(a.To, body, fmt.Sprintf("the %s of #%d", what, n))
		if err == nil {
			s.Saw(by, session.Reading{Named: a.To})
		}
		o = written(s, e, err)
	}
	if o.Status == StatusOK {
		o.SessionID = editing.SessionID(n)
	}
	return o
}
