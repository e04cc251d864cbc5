package tools

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

//go:embed memo_preview.md
var previewDoc string

// preview shows what is staged.
func preview() Tool { return define("memo_preview", previewDoc, previewChanges).readOnly() }

// PreviewArgs are the arguments of memo_preview.
type PreviewArgs struct {
	Format       string `json:"format,omitempty" jsonschema:"enum=compact,enum=full,enum=stats,enum=diff"`
	ContextLines *int   `json:"context_lines,omitempty" jsonschema:"minimum=0"`
	MaxLength    *int   `json:"max_length,omitempty" jsonschema:"minimum=1"`
	Path         string `json:"path,omitempty"`
	ChangeID     string `json:"change_id,omitempty"`
}

func previewChanges(ctx context.Context, s *session.Session, _ session.By, a PreviewArgs) Outcome {
	if err := s.Refresh(ctx); err != nil {
		return failed(err)
	}
	n, err := theEdit(s, "")
	if a.ChangeID != "" {
		c, ok := s.Snapshot().Change(strings.ToUpper(a.ChangeID))
		if !ok || c.Owner != s.ID() {
			return Answer(CodeUnknownChange, fmt.Sprintf("there is no change %s", a.ChangeID))
		}
		a.ChangeID, n, err = c.Letter, c.Session, nil
	}
	how, bad := a.options(s)
	if err == nil {
		err = bad
	}
	if err != nil {
		return failed(err)
	}
	if n != 0 {
		return Outcome{
			Status: StatusOK, SessionID: editing.SessionID(n), Preview: view.Preview(s.Snapshot(), s.ID(), n, how), PendingChanges: waiting(s, n),
		}
	}
	// the current task has none, but proposed ones may wait
	o := Outcome{Status: StatusOK, PendingChanges: []PendingChange{}}
	for _, e := range s.OpenEdits() {
		o.Preview += view.Preview(s.Snapshot(), s.ID(), e.N, how)
		o.PendingChanges = append(o.PendingChanges, waiting(s, e.N)...)
	}
	if o.Preview == "" {
		o.Hint = "nothing is staged"
	}
	return o
}

// options are those of the settings, and of the call.
func (a PreviewArgs) options(s *session.Session) (view.Options, error) {
	o := s.Settings().Preview
	o.Format, o.Letter = a.Format, a.ChangeID
	if a.Path != "" {
		p, err := s.Files().Resolve(a.Path, false)
		if err != nil {
			return o, err
		}
		o.Name = p.Rel
	}
	if a.ContextLines != nil {
		if o.ContextLines = *a.ContextLines; o.ContextLines == 0 {
			o.ContextLines = -1
		}
	}
	if a.MaxLength != nil {
		o.MaxLength = *a.MaxLength
	}
	return o, nil
}
