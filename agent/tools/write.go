package tools

import (
	"context"
	_ "embed"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

//go:embed write.md
var writeDoc string

// write stages the new text of a whole file.
func write() Tool { return define("write", writeDoc, stageWrite) }

// WriteArgs are the arguments of write.
type WriteArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	Reason  string `json:"reason,omitempty"`
}

func stageWrite(_ context.Context, s *session.Session, by session.By, a WriteArgs) Outcome {
	if name, ok := strings.CutPrefix(a.Path, session.MemoryPrefix); ok {
		s.Saw(by, session.Reading{Named: a.Path})
		e, err := s.Memory().Write(name, a.Content)
		return written(s, e, err)
	}
	return edit(s, by, a.Path, "write", a.Reason, func(p session.Place) editing.Op {
		return editing.Write(editing.Writing{Meta: p.Meta, Path: p.Path, Name: p.Name, Content: a.Content, Mask: s.Mask})
	})
}

// written answers for a file of the working memory.
func written(s *session.Session, e session.Edited, err error) Outcome {
	if err != nil {
		return failed(err)
	}
	o := outcomeOf(s, e.Result)
	o.Wrote = e.Wrote
	if o.Path = e.Name; e.Status == StatusOK && e.Trial == nil {
		o.Chars = &e.Chars
	}
	return o
}
