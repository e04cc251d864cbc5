package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// place is where a command works.
type place struct {
	home      string // of all sessions
	workspace string // absolute
	named     string // the workspace as the command line names it, "": the current folder
}

func placeOf(cmd *cobra.Command) (place, error) {
	named, err := cmd.Flags().GetString(flagWorkspace)
	if err != nil {
		return place{}, err
	}
	p := place{named: named}
	if p.workspace, err = filepath.Abs(named); err != nil {
		return place{}, usage("cd into a folder that exists, or name one with --workspace", "find the workspace: %s", err)
	}
	switch info, err := os.Stat(p.workspace); {
	case err != nil:
		return place{}, usage("name a folder that exists with --workspace", "find the workspace: %s", err)
	case !info.IsDir():
		return place{}, usage("name the folder that it lies in with --workspace", "%s is no folder", p.workspace)
	}
	p.home, err = memory.Home()
	return p, err
}

// config is how every command opens a session here.
func (p place) config() session.Config {
	return session.Config{
		Home: p.home, Workspace: p.workspace, Wait: time.Second, Review: editing.Ask, Specs: tools.Specs(),
	}
}

// command is a command line that works in the same place, to be copied by a person.
func (p place) command(words ...string) string {
	line := []string{"galley"}
	for _, w := range words {
		line = append(line, shellWord(w))
	}
	if p.named != "" {
		line = append(line, "--"+flagWorkspace, shellWord(p.named))
	}
	return strings.Join(line, " ")
}

// warn tells what a session has to say about itself.
func (c console) warn(s *session.Session) {
	for _, w := range s.Warnings() {
		c.err.println(c.err.paint(styleAsk, "! ") + clean(w))
	}
}
