package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// TaskTree is the tree of a session in the order of its IDs, and its text.
func (h *Host) TaskTree(id string) ([]tasks.Task, string, error) {
	s, err := h.session(id)
	if err != nil {
		return nil, "", err
	}
	return s.Tasks(), s.TaskTree(), nil
}

// Context is what the next request would hold.
func (h *Host) Context(id string) (memory.ContextMeta, error) {
	return of(h, id, func(s *session.Session) (memory.ContextMeta, error) { return s.Context().ContextMeta, nil })
}

// Cached says how many percent of the last request the model's server had in its cache; 0 before the first reply.
func (h *Host) Cached(id string) int {
	percent, _ := of(h, id, func(s *session.Session) (int, error) { return s.CachedPercent(), nil })
	return percent
}

// Document is the text of a virtual document. A session that is not open here is only looked at.
func (h *Host) Document(_ context.Context, id, name string) (string, error) {
	s, done, err := h.look(id)
	if err != nil {
		return "", err
	}
	page, err := s.Document(name)
	return page, errors.Join(err, done())
}

// look is an open session, or one that is opened for reading only, until done.
func (h *Host) look(id string) (s *session.Session, done func() error, err error) {
	if s, err = h.session(id); err == nil || id == "" {
		return s, func() error { return nil }, err
	}
	cfg := h.settings()
	cfg.ID, cfg.Table, cfg.ReadOnly = id, nil, true
	if s, err = session.Open(cfg); err != nil {
		return nil, nil, err
	}
	return s, s.Close, nil
}

// Place keeps content as a real file below the session's directory.
func (h *Host) Place(_ context.Context, id, name, content string) (string, error) {
	return of(h, id, func(s *session.Session) (string, error) { return s.Place(name, content) })
}

// Export writes "session", "diff" or "journal" below working-memory/detail/, or
// with an empty name answers its text. The first two are about one editing session, 0
// means the current one.
func (h *Host) Export(_ context.Context, id, what string, n int, to string) (body, path string, err error) {
	s, err := h.session(id)
	if err != nil {
		return "", "", err
	}
	n = cmp.Or(n, s.CurrentEdit())
	if n == 0 && what != "journal" {
		return "", "", errors.New("nothing is staged; name an earlier editing session to export it")
	}
	fact := fmt.Sprintf("the %s of #%d", what, n)
	switch what {
	case "session":
		if body, err = s.LogOf(n); err != nil {
			return "", "", err
		}
	case "diff":
		body = view.Diff(s.Snapshot(), s.ID(), n)
	case "journal":
		body, fact = s.History(), ""
	default:
		return "", "", fmt.Errorf("what is %q; it is session, diff or journal", what)
	}
	if body = s.Mask(body); to == "" {
		return body, "", nil
	}
	e, err := s.Memory().Export(to, body, fact)
	if err == nil && !e.OK() {
		err = errors.New(e.Hint)
	}
	if err != nil {
		return "", "", err
	}
	return "", filepath.Join(s.Dir(), filepath.FromSlash(e.Name)), nil
}
