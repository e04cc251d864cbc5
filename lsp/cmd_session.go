package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/memory"
)

func (s *server) cmdNewSession(a args) (rest, error) {
	title := orElse(a.Title, a.word)
	return func(ctx context.Context) (any, error) {
		id, err := s.host.NewSession(ctx, title)
		if err != nil {
			return nil, err
		}
		s.choose(id)
		return map[string]string{"session": id}, nil
	}, nil
}

func (s *server) cmdOpenSession(a args) (rest, error) {
	a.Session = orElse(a.Session, a.word)
	if a.Session == "" {
		return nil, badArguments("galley.openSession needs a session; galley.sessions lists them")
	}
	return func(ctx context.Context) (any, error) {
		if err := s.host.OpenSession(ctx, a.Session, a.ReadOnly); err != nil {
			return nil, err
		}
		s.choose(a.Session)
		return map[string]string{"session": a.Session}, nil
	}, nil
}

func (s *server) cmdRenameSession(a args, session string) (rest, error) {
	title := strings.TrimSpace(orElse(a.Title, a.word))
	if title == "" {
		return nil, badArguments("galley.renameSession needs a title")
	}
	return func(ctx context.Context) (any, error) {
		return map[string]string{"session": session, "title": title}, s.host.RenameSession(ctx, session, title)
	}, nil
}

func (s *server) cmdDeleteSession(a args) (rest, error) {
	session := orElse(a.Session, a.word)
	if session == "" {
		return nil, badArguments("galley.deleteSession needs a session; galley.sessions lists them")
	}
	return func(ctx context.Context) (any, error) {
		path, err := s.host.DeleteSession(ctx, session, a.Force)
		return map[string]string{"session": session, "path": path}, err
	}, nil
}

// rewound is what galley.rewind answers.
type rewound struct {
	Session string `json:"session"`
	memory.Rewound
	Text string `json:"text"`
}

// cmdRewind takes the conversation back, and says that nothing else went with it.
func (s *server) cmdRewind(a args, session string) (rest, error) {
	if a.Seq == nil {
		return nil, badArguments("galley.rewind needs seq, the number of an entry in history.md")
	}
	return func(ctx context.Context) (any, error) {
		r, err := s.host.Rewind(ctx, session, *a.Seq)
		return rewound{session, r, r.String()}, err
	}, nil
}

// cmdUnfold brings back what left the requests: the latest, or with the compactions that
// entries are.
func (s *server) cmdUnfold(a args, session string) (rest, error) {
	ids := a.Compactions
	if a.Seq != nil {
		ids = append(ids, *a.Seq)
	}
	return func(ctx context.Context) (any, error) { return s.host.Restore(ctx, session, ids...) }, nil
}

// cmdCompact takes older parts of the conversation out of the requests, as the tool
// compact_history does.
func (s *server) cmdCompact(a args, session string) (rest, error) {
	how := host.Compaction{
		Target: orElse(orElse(a.Target, a.word), "all"), Strategy: a.Strategy, Summary: a.Summary, Keep: a.KeepRecent, Archive: a.ArchiveTo,
	}
	if how.Keep == 0 {
		how.Keep = host.DefaultKeep
	}
	if !slices.Contains([]string{"conversation", "tools", "all"}, how.Target) || !slices.Contains([]string{"", "archive", "summarize"}, how.Strategy) {
		return nil, badArguments("target is conversation, tools or all, and strategy archive or summarize")
	}
	return func(ctx context.Context) (any, error) { return s.host.Compact(ctx, session, how) }, nil
}
