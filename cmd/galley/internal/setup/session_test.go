package setup

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/memory"
)

// An agent in the home directory does not reach its own settings and journals.
func TestOwnFoldersAreClosed(t *testing.T) {
	home := filepath.Join(t.TempDir(), "me [1]*")
	alias := filepath.Join(t.TempDir(), "alias")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(home, ".config", "galley"), 0o700),
		os.WriteFile(filepath.Join(home, ".config", "galley", "config.yaml"), []byte("review: ask\n"), 0o600),
		os.WriteFile(filepath.Join(home, "a.txt"), []byte("review: ask\n"), 0o600),
		os.Symlink(home, alias),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	for _, workspace := range []string{home, alias} {
		p := Place{Home: filepath.Join(home, "odd [x]*", ".ai"), Workspace: workspace, Loaded: Load(settings.Sources{})}
		cfg := p.Config()
		s, err := session.Open(cfg)
		if err != nil {
			t.Fatal(err)
		}
		run := func(name, args string) tools.Outcome {
			return tools.Run(t.Context(), s, memory.ToolCall{ID: name + args, Name: name, Arguments: args})
		}
		if o := run("list_files", `{}`); len(o.Files) != 1 || o.Files[0].Path != "a.txt" {
			t.Errorf("listed: %+v", o.Files)
		}
		edit := `","old_text":"review: ask","new_text":"review: auto"}`
		if o := run("memory_notebook_replace", `{"path":".config/galley/config.yaml`+edit); o.Code != tools.CodeDenied {
			t.Errorf("%+v", o)
		}
		if o := run("memory_notebook_replace", `{"path":"a.txt`+edit); o.Status != tools.StatusEditing {
			t.Errorf("%+v", o)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
