package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/memory"
)

// place is where a command works, and with which settings.
type place struct {
	home      string           // of all sessions
	workspace string           // absolute
	named     string           // the workspace as the command line names it, "": the current folder
	loaded    *settings.Loaded // nil: the defaults
}

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

// load loads the settings, and looks at what only this package knows.
func load(src settings.Sources) settings.Loaded {
	loaded := settings.Load(src)
	loaded.Warnings = append(loaded.Warnings, stray(loaded.Prompts)...)
	return loaded
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

// settings are those in force here.
func (p place) settings() settings.Settings {
	if p.loaded == nil {
		return settings.Default()
	}
	return p.loaded.Settings
}

// config is how every command opens a session here.
func (p place) config() session.Config {
	cfg := session.Config{Home: p.home, Workspace: p.workspace, Wait: time.Second}
	p.configure(&cfg)
	return cfg
}

// command is a command line that works in the same place, to be copied by a person.
func (p place) command(words ...string) string {
	line := []string{"galley"}
	for _, w := range words {
		line = append(line, term.ShellWord(w))
	}
	if p.named != "" {
		line = append(line, "--"+flagWorkspace, term.ShellWord(p.named))
	}
	return strings.Join(line, " ")
}

// warnOf tells what is odd about the settings.
func warnOf(c term.Console, odd []settings.Problem) {
	for _, p := range odd {
		c.Err.Println(c.Err.Paint(term.Ask, "! ") + term.Clean(p.String()))
	}
}

// refuse tells what is wrong with the settings, and ends the command.
func refuse(c term.Console, wrong []settings.Problem) error {
	for _, p := range wrong {
		next := p.Next
		p.Next = ""
		told := &term.Failure{Code: term.ExitUsage, What: p.String(), Next: next}
		report(c.Err, nil, told)
	}
	if len(wrong) == 0 {
		return nil
	}
	return term.EndedWith(term.ExitUsage)
}
