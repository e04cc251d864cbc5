package lsp

import (
	"context"
	"encoding/json"

	"github.com/galley-ls/galley/agent/host"
)

// cmdAsk starts a run of the agent, or gives the prompt to the one that goes on.
func (s *server) cmdAsk(a args) (rest, error) {
	p := s.promptOf(a)
	if err := s.sendable(a, p); err != nil {
		return nil, err
	}
	if p.Text == "" {
		return nil, badArguments("galley.ask needs a prompt")
	}
	return func(ctx context.Context) (any, error) {
		var err error
		if p.Session == "" {
			if p.Session, err = s.currentOrNew(ctx); err != nil {
				return nil, err
			}
		}
		run, session, err := s.host.Ask(ctx, p)
		return map[string]string{"run": run, "session": session}, err
	}, nil
}

// promptOf is a prompt with the place that it is asked from.
func (s *server) promptOf(a args) host.Prompt {
	p := host.Prompt{Text: a.prompt(), Session: a.Session, By: s.me, Start: -1, End: -1, Queue: a.Queue}
	if p.Session == currentSession {
		p.Session = ""
	}
	if b, ok, _ := s.docs.named(a.URI); ok {
		p.Path = b.path
	}
	if d, ok := s.document(s.ws.Snapshot(), a.URI); ok {
		p.Path = d.Path
		if a.Range != nil {
			m := s.client.Load().mapper(d)
			p.Start, p.End = m.offset(a.Range.Start), m.offset(a.Range.End)
		}
	}
	return p
}

// PromptOf is the prompt in the argument of galley.ask, which must have one.
func PromptOf(argument json.RawMessage) (string, error) {
	a, err := argsOf([]json.RawMessage{argument})
	if err != nil {
		return "", err
	}
	prompt := a.prompt()
	if prompt == "" {
		return "", badArguments("galley.ask needs a prompt")
	}
	return prompt, nil
}
