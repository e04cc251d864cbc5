package lsp

import (
	"context"
	"encoding/json"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
)

// What a terminal asks, which opens no documents: it gets plain values.

// terminalDeeds are the requests of a terminal, by their names.
var terminalDeeds = map[string]func(s *server, ctx context.Context, p TerminalParams) (any, error){
	MethodLetters: func(s *server, ctx context.Context, p TerminalParams) (any, error) {
		return s.host.Letters(ctx, p.Session)
	},
	MethodMoved: func(s *server, ctx context.Context, p TerminalParams) (any, error) {
		was := p.Mark
		_, err := s.ws.Until(ctx, func(snap *editing.Snapshot) bool { p.Mark = s.pub.drawn(snap); return p.Mark != was })
		return p, err
	},
	MethodWhose: func(s *server, _ context.Context, p TerminalParams) (any, error) {
		if c, ok := s.ws.Snapshot().Change(p.Change); ok {
			p.Session = c.Owner
		}
		return p, nil
	},
	MethodJudge: func(s *server, ctx context.Context, p TerminalParams) (any, error) {
		return s.host.Judge(ctx, s.me, p.Session, p.Verdict)
	},
	MethodDraft: func(s *server, _ context.Context, p TerminalParams) (any, error) {
		path, was, err := s.host.DraftOf(p.Session, p.Change)
		return TerminalDraft{path, was}, err
	},
	MethodGoing: func(s *server, _ context.Context, _ TerminalParams) (any, error) {
		return TerminalGoing{append([]string{}, s.host.Going()...)}, nil
	},
	MethodHistory: func(s *server, _ context.Context, _ TerminalParams) (any, error) {
		all, err := s.host.History()
		return append([]host.Standing{}, all...), err
	},
	MethodUndo: func(s *server, ctx context.Context, p TerminalParams) (any, error) {
		u, question, err := s.undo(ctx, p.Decision, p.Ask)
		return TerminalUndone{u.OK(), u.Status, u.Code, u.Hint, u.Of, u.Touched, u.Files, question}, err
	},
}

// terminalDeed handles one of terminalDeeds.
func (s *server) terminalDeed(method string, params json.RawMessage) (any, rest, error) {
	var p TerminalParams
	if err := decoded(params, &p); err != nil {
		return nil, nil, err
	}
	if s.inside != "" && (method == MethodJudge || method == MethodUndo) {
		return nil, nil, errInside()
	}
	return nil, func(ctx context.Context) (any, error) {
		return terminalDeeds[method](s, ctx, p)
	}, nil
}

// codeInside is why a command of an agent decides nothing.
const codeInside = "inside"

func errInside() error {
	return refused(codeInside, "this is a command of an agent, which decides about no changes: its user does, in an editor or a terminal of their own")
}

// decides are the commands that decide about changes.
var decides = map[string]bool{
	cmdApply: true, cmdReject: true, cmdUnreject: true, cmdResolve: true, cmdCommit: true, cmdRevert: true, cmdUndo: true, cmdAmend: true, cmdSplit: true,
}
