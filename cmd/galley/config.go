package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

func newConfigCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Show the settings, where they come from, and their schema", GroupID: groupMore,
		Long: `config shows the settings. They come from these places, later ones win:

  1  the defaults
  2  ~/.config/galley/config.yaml, your own
  3  .galley/config.yaml in the workspace, as far as it is trusted (galley trust --help)
  4  an editor that galley serves
  5  the environment: GALLEY_MODEL_BASE_URL is model.base_url
  6  flags: --model, --base-url, --set KEY=VALUE

galley writes no file of settings but with galley config init. docs/configuration.md explains every setting, and has the
lines for Ollama, OpenAI, Azure, OpenRouter and others.`,
		Example: `  galley config init
  galley config show
  galley config show model tools.run_command`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, sub := range []*cobra.Command{
		newConfigShowCommand(), newConfigPathCommand(), newConfigSchemaCommand(), newConfigInitCommand(), newConfigPromptsCommand(),
	} {
		sub.Flags().SortFlags = false
		cmd.AddCommand(sub)
	}
	return cmd
}

func newConfigSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON schema of the settings",
		Long: `schema prints the JSON schema (2020-12) of a file of settings, with every setting, what it may be, and its default. Editors
complete and check a file with it that begins with

  # yaml-language-server: $schema=FILE`,
		Example: `  galley config schema > galley.schema.json`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			consoleOf(cmd).Out.Print(string(settings.Schema()))
			return nil
		},
	}
}

func newConfigPathCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "path", Short: "Say which files are read",
		Long: `path lists the files that settings, prompts and what belongs to them are read from, and which of them are there.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := placeOf(cmd)
			if err != nil {
				return err
			}
			return showPaths(consoleOf(cmd), p, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one line of JSON")
	return cmd
}

// pathLine is a file or folder that matters.
type pathLine struct {
	What  string `json:"what"`
	Path  string `json:"path"`
	State string `json:"state"`
}

func showPaths(c term.Console, p place, asJSON bool) error {
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

func pathLines(p place) []pathLine {
	var out []pathLine
	for _, f := range p.loaded.Files {
		what, state := "yours", "not there"
		if f.Source == settings.FromWorkspace {
			what = "workspace"
		}
		switch {
		case f.Read && f.Source == settings.FromWorkspace:
			state = "read, " + string(p.loaded.Trust.State)
		case f.Read:
			state = "read"
		case f.There:
			state = "not read"
		}
		if f.There || strings.HasSuffix(f.Path, ".yaml") {
			out = append(out, pathLine{what, f.Path, state})
		}
	}
	own := settings.PromptsDir(settings.WorkspaceDir(p.workspace))
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
	return append(out, pathLine{"sessions", p.home, there(p.home)})
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

// starter is the file that config init writes.
const starter = `# Settings of galley: docs/configuration.md explains them, galley config show lists them, galley doctor tries them.
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
#  api_key_env: OPENROUTER_API_KEY
`

func newConfigInitCommand() *cobra.Command {
	return &cobra.Command{
		Use: "init", Short: "Write a file of settings to start from",
		Long: `init writes ~/.config/galley/config.yaml, in which everything is a comment: the lines for Ollama, for OpenAI and for other
servers. It never writes over a file.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return writeStarter(consoleOf(cmd)) },
	}
}

func writeStarter(c term.Console) error {
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
	if err := writeNew(path, starter, 0o600); err != nil {
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
