package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/memory"
)

func (s *server) cmdNewSession(a args) (any, rest, error) {
	title := orElse(a.Title, a.word)
	return nil, func(ctx context.Context) (any, error) {
		id, err := s.host.NewSession(ctx, title)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		s.choose(id)
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
		s.choose(a.Session)
		return jsonRaw(own(map[string]string{"session": a.Session})), nil
	}, nil
}

func (s *server) cmdRenameSession(a args) (any, rest, error) {
	title := strings.TrimSpace(orElse(a.Title, a.word))
	if title == "" {
		return nil, nil, badArguments("galley.renameSession needs a title")
	}
	session, err := s.session(a)
	if err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) {
		if err := s.host.RenameSession(ctx, session, title); err != nil {
			return nil, refused("failed", "%v", err)
		}
		return jsonRaw(own(map[string]string{"session": session, "title": title})), nil
	}, nil
}

func (s *server) cmdDeleteSession(a args) (any, rest, error) {
	session := orElse(a.Session, a.word)
	if session == "" {
		return nil, nil, badArguments("galley.deleteSession needs a session; galley.sessions lists them")
	}
	return nil, func(ctx context.Context) (any, error) {
		path, err := s.host.DeleteSession(ctx, session, a.Force)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		return jsonRaw(own(map[string]string{"session": session, "path": path})), nil
	}, nil
}

// rewound is what galley.rewind answers.
type rewound struct {
	Session string `json:"session"`
	memory.Rewound
	Text string `json:"text"`
}

// cmdRewind takes the conversation back, and says that nothing else went with it.
func (s *server) cmdRewind(a args) (any, rest, error) {
	if a.Seq == nil {
		return nil, nil, badArguments("galley.rewind needs seq, the number of an entry in history.md")
	}
	session, err := s.session(a)
	if err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) {
		r, err := s.host.Rewind(ctx, session, *a.Seq)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		return jsonRaw(own(rewound{session, r, r.String()})), nil
	}, nil
}

// cmdUnfold brings back what left the requests: the latest, or with the compactions that
// entries are.
func (s *server) cmdUnfold(a args) (any, rest, error) {
	ids := a.Compactions
	if a.Seq != nil {
		ids = append(ids, *a.Seq)
	}
	session, err := s.session(a)
	if err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) {
		r, err := s.host.Restore(ctx, session, ids...)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		return jsonRaw(own(r)), nil
	}, nil
}

// cmdCompact takes older parts of the conversation out of the requests, as the tool
// compact_history does.
func (s *server) cmdCompact(a args) (any, rest, error) {
	how := host.Compaction{
		Target: orElse(orElse(a.Target, a.word), "all"), Strategy: a.Strategy, Summary: a.Summary, Keep: a.KeepRecent, Archive: a.ArchiveTo,
	}
	if how.Keep == 0 {
		how.Keep = host.DefaultKeep
	}
	if !slices.Contains([]string{"conversation", "tools", "all"}, how.Target) || !slices.Contains([]string{"", "archive", "summarize"}, how.Strategy) {
		return nil, nil, badArguments("target is conversation, tools or all, and strategy archive or summarize")
	}
	session, err := s.session(a)
	if err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) {
		c, err := s.host.Compact(ctx, session, how)
		if err != nil {
			return nil, refused("failed", "%v", err)
		}
		return jsonRaw(own(c)), nil
	}, nil
}
