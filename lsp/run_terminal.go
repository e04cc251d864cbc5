package lsp

import (
	"context"
	"encoding/json"
)

// What a terminal asks, which opens no documents: the letters of a session in plain values, and decisions about them.

// letters answers the letters of a session.
func (s *server) letters(params json.RawMessage) (any, rest, error) {
	var p TerminalParams
	if err := decoded(params, &p); err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) {
		all, err := s.host.Letters(ctx, p.Session)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		return jsonRaw(own(all)), nil
	}, nil
}

// judge carries a decision out.
func (s *server) judge(params json.RawMessage) (any, rest, error) {
	var p TerminalParams
	if err := decoded(params, &p); err != nil {
		return nil, nil, err
	}
	if s.inside != "" {
		return nil, nil, errInside()
	}
	return nil, func(ctx context.Context) (any, error) {
		outcome, err := s.host.Judge(ctx, s.me, p.Session, p.Verdict)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		return jsonRaw(own(outcome)), nil
	}, nil
}

// draft makes a file in which a proposal can be edited.
func (s *server) draft(params json.RawMessage) (any, rest, error) {
	var p TerminalParams
	if err := decoded(params, &p); err != nil {
		return nil, nil, err
	}
	return nil, func(context.Context) (any, error) {
		path, was, err := s.host.DraftOf(p.Session, p.Change)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		return jsonRaw(own(TerminalDraft{path, was})), nil
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
