package lsp

import (
	"context"
	"time"

	"github.com/galley-ls/galley/agent/host"
)

// undoing is what galley.undo answers: what is taken back, or what to ask first.
type undoing struct {
	Undone   *undone `json:"undone,omitempty"`
	Question string  `json:"question,omitempty"`
}

// undone is the decision that was taken back.
type undone struct {
	Decision string   `json:"decision"`
	What     string   `json:"what"`
	Letters  []string `json:"letters"`
	Files    []string `json:"files"`
	Hint     string   `json:"hint,omitempty"`
	Said     string   `json:"said"` // all of it, for a person
}

// cmdUndo takes a decision back: the one that is named, or the latest that stands.
func (s *server) cmdUndo(a args) (rest, error) {
	return func(ctx context.Context) (any, error) {
		u, question, err := s.undo(ctx, orElse(a.Decision, a.word), a.Ask)
		if question != "" {
			return undoing{Question: question}, nil
		}
		if err := s.did(u.Result, err, nil); err != nil {
			return nil, err
		}
		return undoing{Undone: &undone{u.Of.ID, u.Of.What, append([]string{}, u.Touched...), append([]string{}, u.Files...), u.Hint, u.Said()}}, nil
	}, nil
}

// undo takes a decision back. With ask there may be a question instead, which the person is to answer first.
func (s *server) undo(ctx context.Context, which string, ask bool) (u host.Undone, question string, err error) {
	if ask {
		question = s.host.Question(s.me, which)
	}
	if question == "" {
		u, err = s.host.Undo(ctx, s.me, which)
	}
	return u, question, err
}

// latest is the decision that galley.undo would take back, nil if there is none.
func (s *server) latest() *wireLatest {
	d, ok := s.host.Latest()
	if !ok {
		return nil
	}
	w := wireLatest{Decision: d.ID, What: d.What, Letters: []string{}, By: d.By.String(), Time: d.Time.Format(time.RFC3339)}
	for _, l := range d.Letters {
		w.Letters = append(w.Letters, l.Letter)
	}
	return &w
}
