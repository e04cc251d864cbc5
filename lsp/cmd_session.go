package lsp

import "context"

func (s *server) cmdNewSession(a args) (any, rest, error) {
	title := orElse(a.Title, a.word)
	return nil, func(ctx context.Context) (any, error) {
		id, err := s.host.NewSession(ctx, title)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		return jsonRaw(own(map[string]string{"session": id})), nil
	}, nil
}

func (s *server) cmdOpenSession(a args) (any, rest, error) {
	a.Session = orElse(a.Session, a.word)
	if a.Session == "" {
		return nil, nil, badArguments("galley.openSession needs a session; galley.sessions lists them")
	}
	return nil, func(ctx context.Context) (any, error) {
		if err := s.host.OpenSession(ctx, a.Session, a.ReadOnly); err != nil {
			return nil, refused("failed", "%v", err)
		}
		return jsonRaw(own(map[string]string{"session": a.Session})), nil
	}, nil
}
