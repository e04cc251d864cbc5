package settings

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Problem is something wrong in what was said, or worth a word: where, what, and what to do instead.
type Problem struct {
	Origin Origin
	What   string
	Next   string // "": what is wrong says it
}

// String is the problem as one line. It never shows a value that may be secret.
func (p Problem) String() string {
	line := p.What
	if where := p.Origin.String(); where != "" {
		line = where + ": " + line
	}
	if p.Next != "" {
		line += "; " + p.Next
	}
	return line
}

// Source is a place where settings come from. Later ones win.
type Source int

// The sources, in their order.
const (
	FromDefault Source = iota
	FromUser           // the file in the configuration folder
	FromWorkspace
	FromEditor
	FromEnvironment
	FromFlag
)

// Origin says where a value comes from.
type Origin struct {
	Source Source
	Name   string // of the file, variable or flag
	Line   int    // in the file, 0: none
}

// inFile reports whether it is a line of a file.
func (o Origin) inFile() bool { return o.Source == FromUser || o.Source == FromWorkspace }

// String is the origin for people: "~/.config/galley/config.yaml:3", "GALLEY_MODEL_MODEL", "--set".
func (o Origin) String() string {
	switch o.Source {
	case FromDefault:
		return "default"
	case FromEditor:
		return "the editor"
	case FromUser, FromWorkspace:
		name := homely(o.Name)
		if o.Line > 0 {
			name += fmt.Sprintf(":%d", o.Line)
		}
		return name
	}
	return o.Name
}

// say is a problem with this origin.
func (o Origin) say(next, format string, args ...any) Problem {
	return Problem{Origin: o, What: fmt.Sprintf(format, args...), Next: next}
}

// oneLine puts words of somebody else on one line, on which nothing is hidden.
func oneLine(s string) string {
	const most = 200
	s = strings.Join(strings.Fields(s), " ")
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return utf8.RuneError
	}, s)
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
