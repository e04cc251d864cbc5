package lsp

import (
	"context"
	"slices"
)

// cmdExport writes a session, a diff or the journal to a file, or answers it.
func (s *server) cmdExport(a args) (any, rest, error) {
	what := orElse(orElse(a.What, a.word), "diff")
	if !slices.Contains([]string{"session", "diff", "journal"}, what) {
		return nil, nil, badArguments("what is %q; it is session, diff or journal", what)
	}
	session, err := s.session(a)
	if err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) {
		text, path, err := s.host.Export(ctx, session, what, a.Edit, a.To)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		if path != "" {
			return jsonRaw(own(map[string]string{"path": path})), nil
		}
		return jsonRaw(own(map[string]string{"text": text})), nil
	}, nil
}
