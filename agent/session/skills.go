package session

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/memory"
)

// Skill is a folder of instructions for one kind of work. A request names it; its text is
// read on demand.
type Skill struct {
	Name        string
	Description string
	File        string // its SKILL.md, without symbolic links
}

const (
	// mostSkills and skillBytes bound what every request pays for skills.
	mostSkills = 50
	skillBytes = 8 << 10
)

// skillRoots are the folders of the skills, as what may be read beside the workspace.
func skillRoots(cfg Config) *disk.Roots {
	var dirs []string
	for _, s := range cfg.Skills {
		dir := filepath.Dir(s.File)
		if _, err := disk.Open([]string{dir}, nil, nil); err == nil { // one may be gone meanwhile
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return nil
	}
	roots, err := disk.Open(dirs, nil, cfg.AllowRead)
	if err != nil {
		return nil
	}
	return roots
}

// skillList is the element of a request that names the skills, "" if there are none.
func (s *settings) skillList() string {
	if len(s.Skills) == 0 {
		return ""
	}
	var sb strings.Builder
	sb.WriteString("Instructions for kinds of work. Where a description fits what you do, read the file first; paths in it are relative to its folder.\n")
	for i, k := range s.Skills {
		line := fmt.Sprintf("- %s: %s (%s)\n", k.Name, oneLine(k.Description), s.shownSkill(k.File))
		if i == mostSkills || sb.Len()+len(line) > skillBytes {
			fmt.Fprintf(&sb, "(%d more skills are left out here: they are too many)\n", len(s.Skills)-i)
			break
		}
		sb.WriteString(line)
	}
	return s.secrets.Mask(memory.Element("skills", sb.String()))
}

// shownSkill is the path by which a skill is read: from the workspace if it lies there.
func (s *settings) shownSkill(file string) string {
	if rel, err := filepath.Rel(s.Workspace, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

// joined are parts of a request, those that are not blank, one behind the other.
func joined(parts ...string) string {
	var all []string
	for _, p := range parts {
		if p = strings.TrimRight(p, "\n"); p != "" {
			all = append(all, p)
		}
	}
	return strings.Join(all, "\n")
}

// LookForReading is LookFor for a tool that only reads: it may look into the folders of
// skills too, wherever they are.
func (s *queue) LookForReading(path string) (Seen, error) {
	if skills := s.set.Load().skills; skills != nil && filepath.IsAbs(path) {
		if _, err := s.resolve(path, false); err != nil {
			if p, fault := skills.Resolve(path, false); fault == nil {
				t, err := skills.Read(p.Abs)
				if err == nil {
					err = skills.Permit(path, p, t, false)
				}
				return Seen{Document: editing.NewDocument(p.Abs, path, t), Path: p.Abs, Name: path, Named: path}, err
			}
		}
	}
	return s.LookFor(path, "read", false)
}
