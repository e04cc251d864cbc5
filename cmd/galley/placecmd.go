package main

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

// placeOf finds the folder and loads the settings. What is wrong with them is told by ready.
func placeOf(cmd *cobra.Command) (setup.Place, error) {
	p, err := folderOf(cmd)
	if err != nil {
		return setup.Place{}, err
	}
	src, err := sourcesOf(cmd, p.Workspace)
	if err != nil {
		return setup.Place{}, err
	}
	loaded := setup.Load(src)
	p.Loaded = &loaded
	return p, nil
}

func folderOf(cmd *cobra.Command) (setup.Place, error) {
	named, err := cmd.Flags().GetString(flagWorkspace)
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

// ready is how a command begins: the place, its settings, which must be sound, and the log.
func ready(cmd *cobra.Command) (p setup.Place, log *zap.Logger, done func(), err error) {
	if p, err = placeOf(cmd); err != nil {
		return setup.Place{}, nil, nil, err
	}
	c := consoleOf(cmd)
	if err := setup.Sound(c, *p.Loaded); err != nil {
		return setup.Place{}, nil, nil, err
	}
	log, done, err = openLog(cmd, p.Settings().Log)
	return p, log, done, err
}

// connect comes to the host of the workspace; a command that stays starts one where there is none.
func connect(cmd *cobra.Command, p setup.Place, log *zap.Logger, stays bool) (*dial.Conn, error) {
	src, err := sourcesOf(cmd, p.Workspace)
	if err != nil {
		return nil, err
	}
	errs := consoleOf(cmd).Err
	c := setup.Client{
		Kind: memory.ClientTerminal, Command: cmd.CommandPath(), Build: versionName(), Sources: src, Log: log, Words: run.Told,
		Warn: func(said string) { errs.Println(errs.Paint(term.Ask, "! ") + term.Clean(said)) },
	}
	if stays {
		return c.Terminal(cmd.Context(), p, c.Stay)
	}
	return c.Terminal(cmd.Context(), p, c.Come)
}
