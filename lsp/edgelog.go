package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/editing"
)

// This file logs what happens to letters and edits, and what the client commands, so that a bug report shows it. No text of
// anybody is in it: neither of a file nor of a reason.

// logged is what was logged last of each change and each editing session.
type logged struct {
	log   *zap.Logger
	known map[any]string // the state, by what identifies it
}

// look logs what has another state in a snapshot than before.
func (l *logged) look(snap *editing.Snapshot) {
	for _, c := range snap.Changes() {
		if l.changed([2]any{c.Owner, c.Order}, string(c.State)) {
			l.log.Info("a change is "+string(c.State), zap.String("letter", c.Letter), zap.Int("revision", c.Revision),
				zap.String("path", c.Name), zap.String("session", c.Owner), zap.Int("edit", c.Session), zap.String("by", c.By))
		}
	}
	for _, e := range snap.Sessions("") {
		if l.changed([2]any{e.Owner, e.N}, string(e.State)) {
			l.log.Info("an edit is "+string(e.State), zap.String("session", e.Owner), zap.Int("edit", e.N))
		}
	}
}

func (l *logged) changed(what any, state string) bool {
	was := l.known[what]
	l.known[what] = state
	return was != state
}

// command logs a command of the client's, and what came of it.
func (s *server) command(name string, a args, then rest, err error) (rest, error) {
	began := time.Now()
	note := func(err error) {
		fields := []zap.Field{zap.String("command", name), zap.Bool("letter", a.Change != ""), zap.Int("edit", a.Edit), zap.Duration("took", time.Since(began))}
		if err != nil {
			fields = append(fields, zap.String("refused", codeOf(err)))
		}
		s.log.Info("a command", fields...)
	}
	if then == nil || err != nil {
		note(err)
		return then, err
	}
	return func(ctx context.Context) (any, error) {
		v, err := then(ctx)
		note(err)
		return v, err
	}, nil
}

// codeOf is the stable word of an error for the client: its sentence may quote somebody.
func codeOf(err error) string {
	var (
		wire *jsonrpc2.Error
		f    failure
	)
	if errors.As(err, &wire) && json.Unmarshal(wire.Data, &f) == nil && f.Status != "" {
		return f.Status + " " + f.Code
	}
	return "error"
}
