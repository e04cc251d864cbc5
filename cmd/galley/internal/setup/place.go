package setup

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/memory"
)

// Place is where a command works, and with which settings.
type Place struct {
	Home      string // of all sessions
	Workspace string // absolute
	Named     string // the workspace as the command line names it, "": the current folder
	Loaded    settings.Loaded
	Wait      time.Duration // for another host of the workspace, 0: as it does by default
	Patience  time.Duration // with texts that are on their way from an editor, 0: as by default, less: none
}

// Load loads the settings, and looks at what only this package knows.
func Load(src settings.Sources) settings.Loaded {
	loaded := settings.Load(src)
	loaded.Warnings = append(loaded.Warnings, stray(loaded.Prompts)...)
	return loaded
}

// Settings are those in force here.
func (p Place) Settings() settings.Settings { return p.Loaded.Settings }

// Config is how every command opens a session here.
func (p Place) Config() session.Config {
	cfg := session.Config{Home: p.Home, Workspace: p.Workspace, Wait: time.Second}
	p.Configure(&cfg)
	return cfg
}

// Command is a command line that works in the same place, to be copied by a person.
func (p Place) Command(words ...string) string {
	line := []string{"galley"}
	for _, w := range words {
		line = append(line, term.ShellWord(w))
	}
	if p.Named != "" {
		line = append(line, "--workspace", term.ShellWord(p.Named))
	}
	return strings.Join(line, " ")
}

// Session is the id of the session that a person names: whole, by its beginning, or as @last; "" is none.
func (p Place) Session(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	i, err := memory.Find(p.Home, p.Workspace, name)
	if err != nil {
		return "", &term.Failure{Code: term.ExitUsage, What: err.Error(), Next: p.Command("session", "list") + " names the sessions of this workspace"}
	}
	return i.ID, nil
}

// Names are files as the workspace knows them, of files as a person names them where they stand.
func (p Place) Names(files []string) (names []string, err error) {
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			return nil, term.Usage("cd into a folder that exists", "find %s: %s", file, err)
		}
		dir, base := filepath.Split(path) // a file may be gone, or not there yet; its folder may be reached by a link
		name, err := filepath.Rel(settings.RealPath(p.Workspace), filepath.Join(settings.RealPath(dir), base))
		if err != nil || !filepath.IsLocal(name) {
			return nil, term.Usage("name a file below "+p.Workspace, "%s is not in the workspace", file)
		}
		names = append(names, filepath.ToSlash(name))
	}
	return names, nil
}

// Sound tells what is odd and what is wrong with the settings, which ends the command. A workspace may come from anywhere,
// so what is wrong in its file is only told: the rest holds.
func Sound(c term.Console, loaded settings.Loaded) error {
	workspace := func(p settings.Problem) bool { return p.Origin.Source == settings.FromWorkspace }
	WarnOf(c, slices.Concat(loaded.Warnings, ProblemsOf(settings.FromWorkspace, loaded.Errors)))
	return Refuse(c, slices.DeleteFunc(slices.Clone(loaded.Errors), workspace))
}

// WarnOf tells what is odd about the settings.
func WarnOf(c term.Console, odd []settings.Problem) {
	for _, p := range odd {
		c.Err.Println(c.Err.Paint(term.Ask, "! ") + term.Clean(p.String()))
	}
}

// Refuse tells what is wrong with the settings, and ends the command.
func Refuse(c term.Console, wrong []settings.Problem) error {
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

// ProblemsOf are the problems with settings from one source.
func ProblemsOf(source settings.Source, wrong []settings.Problem) []settings.Problem {
	var out []settings.Problem
	for _, p := range wrong {
		if p.Origin.Source == source {
			out = append(out, p)
		}
	}
	return out
}
