package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// house is a home and a workspace of their own.
type house struct {
	t         *testing.T
	home      string
	workspace string
}

func newHouse(t *testing.T) *house {
	t.Helper()
	root := RealPath(t.TempDir())
	h := &house{t: t, home: filepath.Join(root, "home"), workspace: filepath.Join(root, "shop")}
	t.Setenv("HOME", h.home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	for _, dir := range []string{h.home, h.workspace} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func (h *house) config() string { return filepath.Join(h.home, ".config", "galley") }

// user writes a file in the configuration folder, own one in the workspace's.
func (h *house) user(name, content string) string {
	return h.write(filepath.Join(h.config(), name), content)
}

func (h *house) own(name, content string) string {
	return h.write(filepath.Join(WorkspaceDir(h.workspace), name), content)
}

func (h *house) write(path, content string) string {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// load loads what is there, with more sources.
func (h *house) load(more Sources) Loaded {
	more.Config, more.Workspace = h.config(), h.workspace
	return Load(more)
}

// told are all problems, one a line, with paths as from the home or the workspace.
func (h *house) told(l Loaded) string {
	var lines []string
	for _, p := range l.Errors {
		lines = append(lines, "error "+p.String())
	}
	for _, p := range l.Warnings {
		lines = append(lines, "warning "+p.String())
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), h.workspace+"/", "")
}

func (h *house) quiet(l Loaded) {
	h.t.Helper()
	if told := h.told(l); told != "" {
		h.t.Errorf("it tells:\n%s", told)
	}
}
