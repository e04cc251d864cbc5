package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/memory"
)

// placeOf finds the folder and loads the settings. What is wrong with them is told by ready.
func placeOf(cmd *cobra.Command) (place, error) {
	p, err := folderOf(cmd)
	if err != nil {
		return place{}, err
	}
	src, err := sourcesOf(cmd, p.workspace)
	if err != nil {
		return place{}, err
	}
	loaded := load(src)
	p.loaded = &loaded
	return p, nil
}

func folderOf(cmd *cobra.Command) (place, error) {
	named, err := cmd.Flags().GetString(flagWorkspace)
	if err != nil {
		return place{}, err
	}
	p := place{named: named}
	if p.workspace, err = filepath.Abs(named); err != nil {
		return place{}, term.Usage("cd into a folder that exists, or name one with --workspace", "find the workspace: %s", err)
	}
	switch info, err := os.Stat(p.workspace); {
	case err != nil:
		return place{}, term.Usage("name a folder that exists with --workspace", "find the workspace: %s", err)
	case !info.IsDir():
		return place{}, term.Usage("name the folder that it lies in with --workspace", "%s is no folder", p.workspace)
	}
	p.home, err = memory.Home()
	return p, err
}

// ready is how a command begins: the place, its settings, which must be sound, and the log.
func ready(cmd *cobra.Command) (p place, log *zap.Logger, done func(), err error) {
	if p, err = placeOf(cmd); err != nil {
		return place{}, nil, nil, err
	}
	c := consoleOf(cmd)
	warnOf(c, p.loaded.Warnings)
	if err := refuse(c, p.loaded.Errors); err != nil {
		return place{}, nil, nil, err
	}
	log, done, err = openLog(cmd, p.settings().Log)
	return p, log, done, err
}
