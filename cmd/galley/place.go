package main

import (
	"strings"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// place is where a command works, and with which settings.
type place struct {
	home      string           // of all sessions
	workspace string           // absolute
	named     string           // the workspace as the command line names it, "": the current folder
	loaded    *settings.Loaded // nil: the defaults
}

// load loads the settings, and looks at what only this package knows.
func load(src settings.Sources) settings.Loaded {
	loaded := settings.Load(src)
	loaded.Warnings = append(loaded.Warnings, stray(loaded.Prompts)...)
	return loaded
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
		line = append(line, "--workspace", term.ShellWord(p.named))
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
		c.Err.Fail(&term.Failure{Code: term.ExitUsage, What: p.String(), Next: next})
	}
	if len(wrong) == 0 {
		return nil
	}
	return term.EndedWith(term.ExitUsage)
}
