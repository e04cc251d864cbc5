package setup

import (
	"os"
	"path/filepath"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// FolderOf is the workspace of who works in a folder: the nearest one from there up that has settings of galley or is a
// repository (of a worktree .git is a file), else the folder itself. Neither the home directory nor the root is found so:
// what lies there, lies there for other reasons.
func FolderOf(start string) string {
	start = settings.RealPath(start)
	home, _ := os.UserHomeDir()
	home = settings.RealPath(home)
	for dir := start; dir != home && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		for _, sign := range []string{settings.WorkspaceDir(dir), filepath.Join(dir, ".git")} {
			if _, err := os.Stat(sign); err == nil {
				return dir
			}
		}
	}
	return start
}

// Introduce says which folder is worked in, where it is not the current one and nobody named it.
func (p Place) Introduce(s term.Screen) {
	here, err := os.Getwd()
	if p.Named == "" && err == nil && settings.RealPath(here) != settings.RealPath(p.Workspace) {
		s.Line(term.Faint, "in "+p.Workspace)
	}
}

// Stands is the folder of the workspace in which the person works, "" if that is the workspace itself, or none of its folders.
func (p Place) Stands() string {
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	below, err := filepath.Rel(settings.RealPath(p.Workspace), settings.RealPath(here))
	if err != nil || !filepath.IsLocal(below) || below == "." {
		return ""
	}
	return filepath.ToSlash(below)
}

// Here is a console that names files from where the person stands.
func (p Place) Here(c term.Console) term.Console {
	if below := filepath.FromSlash(p.Stands()); below != "" {
		name := func(file string) string {
			if rel, err := filepath.Rel(below, filepath.FromSlash(file)); err == nil && !filepath.IsAbs(file) {
				return filepath.ToSlash(rel)
			}
			return file
		}
		c.Out.Name, c.Err.Name = name, name
	}
	return c
}

// covers reports whether a folder is another one, or lies above it.
func covers(folder, workspace string) bool {
	rel, err := filepath.Rel(settings.RealPath(folder), settings.RealPath(workspace))
	return folder != "" && err == nil && filepath.IsLocal(rel)
}
