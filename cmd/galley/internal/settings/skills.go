package settings

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// Skill is a folder with a SKILL.md: instructions for one kind of work, which the model reads when it needs them.
type Skill struct {
	Name        string
	Description string
	File        string // its SKILL.md
	Source      Source
}

const (
	skillFile       = "SKILL.md"
	mostSkills      = 64 // of one folder
	mostSkillName   = 64
	mostSkillWords  = 1024
	mostSkillLength = 256 << 10
)

// SkillsDir is the folder of the skills beside a file of settings.
func SkillsDir(folder string) string { return filepath.Join(folder, "skills") }

// readSkills reads what a folder of skills has. A broken one is told, and not offered.
func (l *loader) readSkills(from Source, folder string) []Skill {
	dir := SkillsDir(folder)
	entries, _ := os.ReadDir(dir) // most often there is none
	var out []Skill
	for _, e := range entries {
		file := filepath.Join(dir, e.Name(), skillFile)
		if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		o := Origin{Source: from, Name: file}
		if len(out) == mostSkills {
			l.warn(Origin{Source: from, Name: dir}.say("remove some, or put them into one", "there are more than %d skills; those behind %s are not offered", mostSkills, out[len(out)-1].Name))
			break
		}
		s, err := l.readSkill(o)
		if err != nil {
			l.warn(o.say("put it right, or remove the folder", "this skill is not offered: %s", err))
			continue
		}
		out = append(out, s)
	}
	return out
}

var skillName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// readSkill reads the head of one skill.
func (l *loader) readSkill(o Origin) (Skill, error) {
	real := RealPath(o.Name)
	if o.Source == FromWorkspace && !within(l.src.Workspace, real) {
		return Skill{}, errors.New("a link leads out of the workspace")
	}
	data, err := readSmall(o.Name, mostSkillLength)
	if err != nil {
		return Skill{}, err
	}
	head, err := skillHead(string(data))
	if err != nil {
		return Skill{}, err
	}
	s := Skill{Name: head.Name, Description: strings.Join(strings.Fields(head.Description), " "), File: real, Source: o.Source}
	switch {
	case !skillName.MatchString(s.Name) || len(s.Name) > mostSkillName:
		return s, fmt.Errorf("its name is %q; a name has small letters, digits and single hyphens, %d characters at most", s.Name, mostSkillName)
	case s.Description == "":
		return s, errors.New("it has no description, which says what it is for and when to use it")
	case len([]rune(s.Description)) > mostSkillWords:
		return s, fmt.Errorf("its description is longer than %d characters", mostSkillWords)
	}
	return s, nil
}

// within reports whether a real path lies in a folder.
func within(folder, real string) bool {
	rel, err := filepath.Rel(RealPath(folder), real)
	return err == nil && filepath.IsLocal(rel)
}

// headOfSkill is what galley reads of the front matter; other keys are for others.
type headOfSkill struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
}

// skillHead reads the front matter of a SKILL.md.
func skillHead(text string) (head headOfSkill, err error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	rest, opened := strings.CutPrefix(text, "---\n")
	front, _, closed := strings.Cut("\n"+rest+"\n", "\n---\n")
	if !opened || !closed {
		return head, errors.New("it does not begin with front matter: name and description between two lines ---")
	}
	if len(front) > mostBytes {
		return head, fmt.Errorf("its front matter is larger than %d KB", mostBytes>>10)
	}
	defer func() { // there are texts that the library panics on; they are as wrong as others
		if p := recover(); p != nil {
			err = errors.New("its front matter is no YAML that can be read")
		}
	}()
	if _, err := parseYAML([]byte(front)); err != nil { // which bounds what is read
		return head, fmt.Errorf("its front matter is not valid: %w", err)
	}
	if err := yaml.Unmarshal([]byte(front), &head); err != nil {
		return head, errors.New("its front matter is not valid: name and description must be texts")
	}
	return head, nil
}

// takeSkills takes skills over that come behind others; of one name, those.
func (l *loader) takeSkills(fresh []Skill) {
	for _, s := range fresh {
		l.out.Skills = slices.DeleteFunc(l.out.Skills, func(have Skill) bool { return have.Name == s.Name })
		l.out.Skills = append(l.out.Skills, s)
	}
	slices.SortFunc(l.out.Skills, func(a, b Skill) int { return cmp.Compare(a.Name, b.Name) })
}

// takeWorkspaceSkills takes the skills of a trusted workspace over, and asks for trust otherwise.
func (l *loader) takeWorkspaceSkills(own []Skill) {
	if l.out.Trust.State.ok() {
		l.takeSkills(own)
		return
	}
	for _, s := range own {
		l.out.Trust.Asks = append(l.out.Trust.Asks, Ask{
			Name: l.inWorkspace(s.File), Value: "a skill for the model", Origin: Origin{Source: FromWorkspace, Name: s.File},
		})
	}
}
