package lsp

import (
	"context"
	"slices"
)

// cmdExport writes a session, a diff or the journal to a file, or answers it.
func (s *server) cmdExport(a args, session string) (rest, error) {
	what := orElse(orElse(a.What, a.word), "diff")
	if !slices.Contains([]string{"session", "diff", "journal"}, what) {
		return nil, badArguments("what is %q; it is session, diff or journal", what)
	}
	return func(ctx context.Context) (any, error) {
		text, path, err := s.host.Export(ctx, session, what, a.Edit, a.To)
		if path != "" {
			return map[string]string{"path": path}, err
		}
		return map[string]string{"text": text}, err
	}, nil
}
