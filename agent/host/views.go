package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

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
	s, err := h.session(id)
	if err != nil {
		return memory.ContextMeta{}, err
	}
	return s.Context().ContextMeta, nil
}

// Cached says how many percent of the last request the model's server had in its cache; 0 before the first reply.
func (h *Host) Cached(id string) int {
	s, err := h.session(id)
	if err != nil {
		return 0
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	u := h.usage[s.ID()]
	if u.Input <= 0 {
		return 0
	}
	return min(max(u.Cached, 0), u.Input) * 100 / u.Input
}

// Document is the text of a virtual document.
func (h *Host) Document(_ context.Context, id, name string) (string, error) {
	s, err := h.session(id)
	if err != nil {
		return "", err
	}
	switch {
	case name == "tasks.md":
		return "# Tasks\n\n" + s.TaskTree() + "\n", nil
	case name == "context.md":
		return contextPage(s.Context()), nil
	case name == "history.md":
		return s.History(), nil
	case name == "prompt.md":
		return s.PromptPage(), nil
	case name == "overview.md", strings.HasPrefix(name, "detail/"):
		content, _, err := s.Memory().Read(name)
		return s.Mask(content), err
	}
	return "", fmt.Errorf("there is no document %s; there are overview.md, tasks.md, context.md, history.md, prompt.md and detail/…", name)
}

func contextPage(m memory.Context) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "# Context\n\n%d of %d tokens (%d %%), %d messages in the history", m.TokensUsed, m.TokensMax, m.TokensPercent, m.MessagesInHistory)
	if m.Estimated {
		sb.WriteString(", estimated")
	}
	fmt.Fprintf(&sb, "\nadvice: %s\n\n| part | tokens |\n|---|---|\n", m.ActionHint)
	for _, part := range m.Categories.List() {
		fmt.Fprintf(&sb, "| %s | %d |\n", part.Category, part.Tokens)
	}
	if m.Cost.Session > 0 {
		fmt.Fprintf(&sb, "\nmoney: %.4f, %.4f of it since the last prompt\n", m.Cost.Session, m.Cost.Turn)
	}
	for _, w := range m.Warnings {
		fmt.Fprintf(&sb, "\n⚠ %s\n", w)
	}
	return sb.String()
}

// Place keeps content as a real file below the session's directory.
func (h *Host) Place(_ context.Context, id, name, content string) (string, error) {
	s, err := h.session(id)
	if err != nil {
		return "", err
	}
	return s.Place(name, content)
}

// Export writes "session", "diff" or "journal" below working-memory/detail/, or
// with an empty name answers its text.
func (h *Host) Export(ctx context.Context, id, what, to string) (body, path string, err error) {
	s, err := h.session(id)
	if err != nil {
		return "", "", err
	}
	n := s.CurrentEdit()
	if n == 0 && what != "journal" {
		return "", "", errors.New("nothing is staged; name an earlier editing session to export it")
	}
	fact := fmt.Sprintf("the %s of #%d", what, n)
	switch what {
	case "session":
		body = s.Log(n)
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
