package openai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// section is a part of one of the text files that are compiled in: a name in square brackets, and lines below it. A line
// is “name: text”, or “name (condition): text”. Lines that start with # are comments.
type section struct {
	name  string
	lines []sectionLine
}

type sectionLine struct{ name, condition, text string }

func readSections(text string) (all []section) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			all = append(all, section{name: strings.Trim(line, "[]")})
		default:
			name, text, _ := strings.Cut(line, ": ")
			name, condition, _ := strings.Cut(name, " (")
			s := &all[len(all)-1]
			s.lines = append(s.lines, sectionLine{name, strings.TrimSuffix(condition, ")"), text})
		}
	}
	return all
}

// text is the first line of a name whose condition holds; "": there is none.
func (s section) text(name string, holds func(condition string) bool) string {
	i := slices.IndexFunc(s.lines, func(l sectionLine) bool {
		return l.name == name && (l.condition == "" || holds(l.condition))
	})
	if i < 0 {
		return ""
	}
	return s.lines[i].text
}

// texts are all lines of a name.
func (s section) texts(name string) (texts []string) {
	for _, l := range s.lines {
		if l.name == name {
			texts = append(texts, l.text)
		}
	}
	return texts
}

// profile is the one that the lines of a name hold. What is compiled in and no profile is a mistake in this package.
func (s section) profile(name string) (p Profile) {
	for _, text := range s.texts(name) {
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			panic(fmt.Sprintf("[%s] %s: %v", s.name, name, err))
		}
	}
	return p
}
