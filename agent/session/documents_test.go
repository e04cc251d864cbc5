package session_test

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

func page(t *testing.T, s *session.Session, name string) string {
	t.Helper()
	text, err := s.Document(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The page says at once how full the window is, of what, and what would make room; what it says holds.
func TestContextPage(t *testing.T) {
	k := newTalker(t, nil)
	for range 9 {
		k.turn("look around", strings.Repeat("a word or two ", 80))
	}
	full := page(t, k.s, "context.md")
	c := k.s.Context()
	for _, part := range []string{
		"# Context\n\n    [███", "· " + c.ActionHint + "\n", "The tokens are estimated",
		"\n    history ", "\n    together ", "## Largest parts\n\n", "the result of read in iteration ", "(entry ",
		"- 4 older results of tools: ", "(target `tools`)", "you with `galley.compact` in an editor", "Nothing is lost by it",
	} {
		if !strings.Contains(full, part) {
			t.Errorf("the page lacks %q:\n%s", part, full)
		}
	}
	if _, err := k.s.Compact(t.Context(), session.Compaction{Target: session.CompactTools, Keep: session.DefaultKeep}); err != nil {
		t.Fatal(err)
	}
	if now := page(t, k.s, "context.md"); strings.Contains(now, "older results") || k.s.Context().TokensUsed >= c.TokensUsed {
		t.Errorf("afterwards:\n%s", now)
	}
	history := page(t, k.s, "history.md")
	if n := strings.Count(history, "· *archived*\n"); n != 4 || !strings.Contains(history, "4 results archived: ") {
		t.Errorf("%d entries are marked:\n%s", n, history)
	}
}

// A session that is only looked at is not written: not its journal, its memory, nor anything beside it.
func TestReadOnlyWritesNothing(t *testing.T) {
	k := newTalker(t, nil)
	k.turn("look around", "what was found")
	cfg := k.cfg
	cfg.ReadOnly = true
	before, files := k.s.Steps(0), tree(t, k.cfg.Home)
	s, err := session.Open(cfg) // while it is open
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(s.Steps(0)) != len(before) || s.Context().TokensUsed != k.s.Context().TokensUsed {
		t.Error("it is another session")
	}
	if _, err := s.Rewind(1); err == nil {
		t.Error("it can be taken back")
	}
	if _, err := s.LogOf(3); err == nil {
		t.Error("there is no such edit")
	}
	if lines, err := s.LinesOf(0); err != nil || strings.Count(lines, "\n") != len(allEntries(t, k)) {
		t.Errorf("%s, %v", lines, err)
	}
	for _, name := range []string{"overview.md", "context.md", "history.md", "prompt.md", "tasks.md", "detail", "archive/"} {
		page(t, s, name)
	}
	if after := tree(t, k.cfg.Home); !maps.Equal(after, files) {
		t.Errorf("files were %v, and are %v", files, after)
	}
}

// tree is all files below a folder, with what would change if one were written.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			out[path] = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func allEntries(t *testing.T, k *talker) []memory.Entry {
	t.Helper()
	store, err := memory.OpenReadOnly(k.cfg.Home, k.cfg.Workspace, k.cfg.ID)
	if err != nil {
		t.Fatal(err)
	}
	return store.Entries()
}
