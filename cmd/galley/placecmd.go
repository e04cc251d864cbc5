package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/cmd/galley/internal/setup"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
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

// clientOf is the client of a host that a command is at a terminal.
func clientOf(cmd *cobra.Command, log *zap.Logger) setup.Client {
	return setup.Client{Kind: "terminal", Command: cmd.CommandPath(), Build: versionName(), Log: log}
}
