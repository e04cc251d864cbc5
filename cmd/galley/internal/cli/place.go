package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/cmd/galley/internal/run"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/lsp/dial"
	"github.com/galley-ls/galley/memory"
)

// PlaceOf finds the folder and loads the settings. What is wrong with them is told by ready.
func PlaceOf(cmd *cobra.Command) (setup.Place, error) {
	p, err := FolderOf(cmd)
	if err != nil {
		return setup.Place{}, err
	}
	src, err := SourcesOf(cmd, p.Workspace)
	if err != nil {
		return setup.Place{}, err
	}
	p.Loaded = setup.Load(src)
	return p, nil
}

func FolderOf(cmd *cobra.Command) (setup.Place, error) {
	named, err := cmd.Flags().GetString(FlagWorkspace)
	if err != nil {
		return setup.Place{}, err
	}
	p := setup.Place{Named: named}
	if p.Workspace, err = filepath.Abs(named); err != nil {
		return setup.Place{}, term.Usage("cd into a folder that exists, or name one with --workspace", "find the workspace: %s", err)
	}
	switch info, err := os.Stat(p.Workspace); {
	case err != nil:
		return setup.Place{}, term.Usage("name a folder that exists with --workspace", "find the workspace: %s", err)
	case !info.IsDir():
		return setup.Place{}, term.Usage("name the folder that it lies in with --workspace", "%s is no folder", p.Workspace)
	}
	if named == "" {
		p.Workspace = setup.FolderOf(p.Workspace)
	}
	p.Home, err = memory.Home()
	return p, err
}

// Ready is how a command begins: the place, its settings, which must be sound, and the log.
func Ready(cmd *cobra.Command) (p setup.Place, log *zap.Logger, err error) {
	if p, err = PlaceOf(cmd); err == nil {
		err = setup.Sound(ConsoleOf(cmd), p.Loaded)
	}
	if err == nil {
		log, err = OpenLog(cmd, p.Settings().Log)
	}
	return p, log, err
}

// Connect comes to the host of the workspace; a command that stays starts one where there is none.
func Connect(cmd *cobra.Command, p setup.Place, log *zap.Logger, stays bool) (*dial.Conn, error) {
	src, err := SourcesOf(cmd, p.Workspace)
	if err != nil {
		return nil, err
	}
	errs := ConsoleOf(cmd).Err
	c := setup.Client{
		Kind: memory.ClientTerminal, Command: cmd.CommandPath(), Build: Version(), Sources: src, Log: log, Words: run.Told,
		Warn: func(said string) { errs.Println(errs.Paint(term.Ask, "! ") + term.Clean(said)) },
	}
	if stays {
		return c.Terminal(cmd.Context(), p, c.Stay)
	}
	return c.Terminal(cmd.Context(), p, c.Come)
}
