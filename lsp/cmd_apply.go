package lsp

import (
	"context"
	"strings"

	"github.com/galley-ls/galley/editing"
)

// cmdApply takes changes into their documents.
func (s *server) cmdApply(a args) (any, rest, error) {
	snap := s.ws.Snapshot()
	cs, err := s.chosen(snap, a, editing.Staged)
	if err != nil {
		return nil, nil, err
	}
	if err := s.sound(snap, cs); err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) {
		letters := lettersOf(cs)
		r, err := s.host.Apply(ctx, choicesOf(cs))
		if err := s.did(r, err, letters); err != nil {
			return nil, err
		}
		s.bringLetters(ctx, "Apply "+strings.Join(letters, ", "), letters)
		return s.decision(letters), nil
	}, nil
}

// bringLetters sends the edits of letters that are applying now and returns when
// the editor has answered.
func (s *server) bringLetters(ctx context.Context, label string, letters []string) {
	answered(ctx, s.bringIn(attempt{
		letters: letters, label: label,
		over: func(ctx context.Context, how ending) { s.applied(ctx, letters, how) },
	}))
}
