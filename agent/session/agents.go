package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/memory"
)

const (
	agentsFile = "AGENTS.md"
	maxAgents  = 64 << 10 // bytes of all such files that a request holds
)

// agents is the AGENTS.md files from the repository's root down to the workspace,
// each in an element with its path, "" if there are none. The nearer one to the
// workspace binds more, so it is cut last.
func (s *settings) agents() string {
	root := repository(s.Workspace)
	r, err := disk.Open([]string{root}, nil, nil) // so that no link leads out of the repository, or to a secret
	if err != nil {
		return ""
	}
	left := maxAgents
	var elements []string
	for dir := s.Workspace; ; dir = filepath.Dir(dir) {
		if text, ok := agentsText(r, dir, &left); ok {
			name, err := filepath.Rel(s.Workspace, filepath.Join(dir, agentsFile))
			if err != nil {
				name = agentsFile
			}
			elements = append([]string{memory.Element("agents_md", text, "path", filepath.ToSlash(name))}, elements...)
		}
		if dir == root || filepath.Dir(dir) == dir {
			break
		}
	}
	return s.secrets.Mask(strings.Join(elements, "\n"))
}

// repository is the nearest folder with a .git, at or above dir and not above the
// user's home; without one it is dir. One of somebody else does not count: in a
// folder above that all may write to (/tmp), anybody could put it, and their words
// beside it.
func repository(dir string) string {
	home := ""
	if h, err := os.UserHomeDir(); err == nil {
		if h, err = filepath.EvalSymlinks(h); err == nil {
			home = h
		}
	}
	for at := dir; ; at = filepath.Dir(at) {
		if git, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			if own, err := os.Lstat(dir); at != dir && err == nil && !sameOwner(git, own) {
				return dir
			}
			return at
		}
		if at == home || filepath.Dir(at) == at {
			return dir
		}
	}
}

// agentsText reads the file of one folder, and cuts it to what is left of the
// room. It is not ok where there is none. What may not be read is said: somebody
// put it there.
func agentsText(r *disk.Roots, dir string, left *int) (string, bool) {
	t, err := r.Read(filepath.Join(dir, agentsFile))
	var no *disk.Error
	switch {
	case errors.As(err, &no) && no.Code == disk.CodeFileNotFound:
		return "", false
	case errors.As(err, &no):
		return "(not read: " + no.Hint + ")\n", true
	case err != nil:
		return "(not read: " + err.Error() + ")\n", true
	}
	text := strings.ToValidUTF8(strings.TrimPrefix(t.String(), "\ufeff"), "�")
	text, lost := cutLines(text, *left)
	*left -= len(text)
	if text = strings.TrimRight(text, "\n"); text != "" {
		text += "\n"
	}
	if lost > 0 {
		text += fmt.Sprintf("(%d more lines are left out here: all such files together may have %d KB)\n", lost, maxAgents>>10)
	}
	return text, text != ""
}

// cutLines keeps the whole lines that fit into so many bytes, and counts the rest.
func cutLines(text string, most int) (string, int) {
	if len(text) <= most {
		return text, 0
	}
	kept := text[:strings.LastIndexByte(text[:most], '\n')+1]
	lost := strings.Count(text[len(kept):], "\n")
	if !strings.HasSuffix(text, "\n") {
		lost++
	}
	return kept, lost
}
