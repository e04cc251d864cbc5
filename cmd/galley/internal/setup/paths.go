package setup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// pathLine is a file or folder that matters.
type pathLine struct {
	What  string `json:"what"`
	Path  string `json:"path"`
	State string `json:"state"`
}

func ShowPaths(c term.Console, p Place, asJSON bool) error {
	lines := pathLines(p)
	if asJSON {
		return term.PrintJSON(c.Out, lines)
	}
	what, path := 0, 0
	for _, l := range lines {
		what, path = max(what, term.ColumnsOf(l.What)), max(path, term.ColumnsOf(l.Path))
	}
	for _, l := range lines {
		c.Out.Println(term.Pad(l.What, what+2) + term.Pad(term.Clean(l.Path), path+2) + c.Out.Paint(term.Faint, l.State))
	}
	return nil
}

func pathLines(p Place) []pathLine {
	var out []pathLine
	for _, f := range p.Loaded.Files {
		what, state := "yours", "not there"
		if f.Source == settings.FromWorkspace {
			what = "workspace"
		}
		switch {
		case f.Read && f.Source == settings.FromWorkspace:
			state = "read, " + string(p.Loaded.Trust.State)
		case f.Read:
			state = "read"
		case f.There:
			state = "not read"
		}
		if f.There || strings.HasSuffix(f.Path, ".yaml") {
			out = append(out, pathLine{what, f.Path, state})
		}
	}
	own := settings.PromptsDir(settings.WorkspaceDir(p.Workspace))
	out = append(out, pathLine{"prompts", own, there(own)})
	if config, err := settings.ConfigDir(); err == nil {
		prompts, trusted := settings.PromptsDir(config), settings.TrustPath(config)
		out = slices.Insert(out, len(out)-1, pathLine{"prompts", prompts, there(prompts)})
		out = append(out, pathLine{"trust", trusted, there(trusted)})
	}
	if cache, err := settings.CacheDir(); err == nil {
		learnt := settings.LearntPath(cache)
		out = append(out, pathLine{"learnt", learnt, there(learnt)})
	}
	return append(out, pathLine{"sessions", p.Home, there(p.Home)})
}

func there(path string) string {
	switch _, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return "not there"
	case err != nil:
		return "cannot be read"
	}
	return "there"
}

// Starter is the file that config init writes.
const Starter = `# Settings of galley: docs/configuration.md explains them, galley config show lists them, galley doctor tries them.
# Take the marks away in front of what you want. Keys stand in the environment, never in this file.

# Ollama, on this machine:
#model:
#  base_url: http://localhost:11434/v1
#  model: qwen3:8b

# OpenAI, with the key in OPENAI_API_KEY:
#model:
#  model: gpt-5-mini

# Any other OpenAI-compatible server:
#model:
#  base_url: https://openrouter.ai/api/v1
#  model: qwen/qwen3-coder
#  api_key_env: OPENROUTER_API_KEY   # no server is sent a key that is not named for it
`

func WriteStarter(c term.Console) error {
	config, err := settings.ConfigDir()
	if err != nil {
		return err
	}
	for _, f := range settings.Load(settings.Sources{Config: config}).Files {
		if f.There {
			return &term.Failure{Code: term.ExitError, What: f.Path + " is there already", Next: "edit it; galley config show lists the settings"}
		}
	}
	if err := os.MkdirAll(config, 0o700); err != nil {
		return term.Usage("set XDG_CONFIG_HOME to a folder of your own", "make the folder of the settings: %s", err)
	}
	path := filepath.Join(config, "config.yaml")
	if err := writeNew(path, Starter, 0o600); err != nil {
		return term.Usage("set XDG_CONFIG_HOME to a folder of your own", "write the settings: %s", err)
	}
	c.Out.Println("wrote " + term.Clean(path))
	c.Err.Println("Take the marks away in front of the lines that you want; galley doctor tries them.")
	return nil
}

// writeNew writes a file that is not there yet.
func writeNew(path, content string, mode fs.FileMode) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	return errors.Join(err, file.Close())
}
