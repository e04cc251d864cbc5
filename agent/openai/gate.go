package openai

import (
	"slices"
	"strings"
)

// gate holds back the part of an answer that may be a call written as text, so that nobody is shown what is no answer.
// What turns out to be none is shown then.
type gate struct {
	tools toolset // none: everything passes
	show  func(string)

	line string // the line that is being written, up to what was shown of it
	held []byte // once it is long, it is held to the end
}

// decided is how much of a text settles whether it is held to the end.
const decided = 4 << 10

// add takes the next piece of the answer.
func (g *gate) add(text string) {
	if len(g.tools) == 0 {
		g.show(text)
		return
	}
	sure := len(g.held) > decided
	if g.held = append(g.held, text...); sure {
		return
	}
	held, passed := string(g.held), 0
	for passed < len(held) {
		n := g.harmless(held[passed:])
		if n == 0 {
			break
		}
		g.advance(held[passed : passed+n])
		passed += n
	}
	if passed > 0 {
		g.show(held[:passed])
	}
	g.held = g.held[passed:]
}

// end shows what is held, but for the calls at its end.
func (g *gate) end(calls int) {
	rest := string(g.held)
	if n := len(rest) - calls; n > 0 {
		g.show(rest[:n])
	}
	g.reset()
}

// reset forgets what is held.
func (g *gate) reset() { g.held, g.line = nil, "" }

// advance notes which line is being written.
func (g *gate) advance(text string) {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		g.line = text[i+1:]
		return
	}
	g.line += text
}

// harmless is the length of the beginning of a text that is certainly no call.
func (g *gate) harmless(text string) int {
	switch at := g.suspect(text); {
	case at > 0:
		return at
	case g.mayBeCall(text):
		return 0
	}
	return 1
}

// suspect is the first place where a call may begin.
func (g *gate) suspect(text string) int {
	lineStart := strings.TrimSpace(g.line) == ""
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '<' || c == '[' || lineStart && (c == '{' || c == '`'):
			return i
		case c == '\n':
			lineStart = true
		case c != ' ' && c != '\t' && c != '\r':
			lineStart = false
		}
	}
	return len(text)
}

// mayBeCall tells whether a text that begins with a suspect character may go on as a call.
func (g *gate) mayBeCall(text string) bool {
	for _, m := range markers {
		if strings.HasPrefix(m, text) {
			return true
		}
		if rest, found := strings.CutPrefix(text, m); found {
			return g.mayBeMarked(m, rest)
		}
	}
	switch {
	case strings.TrimSpace(g.line) != "":
		return false
	case strings.HasPrefix(fence, text):
		return true
	case strings.HasPrefix(text, fence):
		return g.mayBeFenced(text[len(fence):])
	}
	return g.mayBeJSON(text)
}

// mayBeMarked looks at the name where it stands right behind the marker.
func (g *gate) mayBeMarked(marker, rest string) bool {
	if marker != "<function=" && marker != "<invoke name=" {
		return true
	}
	name, _, complete := strings.Cut(strings.TrimPrefix(rest, `"`), ">")
	return g.mayBeName(strings.Trim(name, `" `), complete)
}

func (g *gate) mayBeFenced(text string) bool {
	info, inner, found := strings.Cut(text, "\n")
	if !found {
		return slices.ContainsFunc(fenceInfos, func(word string) bool { return strings.HasPrefix(word, strings.TrimSpace(info)) })
	}
	inner = strings.TrimLeft(inner, " \t\r\n")
	switch {
	case !slices.Contains(fenceInfos, strings.TrimSpace(info)):
		return false
	case inner == "":
		return true
	case inner[0] == '<':
		return slices.ContainsFunc(markers, func(m string) bool { return strings.HasPrefix(inner, m) || strings.HasPrefix(m, inner) })
	}
	return g.mayBeJSON(inner)
}

func (g *gate) mayBeName(name string, complete bool) bool {
	if g.tools.find(name) != "" {
		return true
	}
	for tool := range g.tools {
		if !complete && (strings.HasPrefix(tool, name) || strings.HasPrefix("functions."+tool, name)) {
			return true
		}
	}
	return false
}

// mayBeJSON tells whether a text may be the beginning of JSON that names a tool. It looks at the first key only.
func (g *gate) mayBeJSON(text string) bool {
	rest, may := next(strings.TrimPrefix(text, "["), '{')
	if rest != "" {
		rest, may = next(rest, '"')
	}
	if rest == "" {
		return may
	}
	key, rest, complete := strings.Cut(rest, `"`)
	switch {
	case !complete:
		return slices.ContainsFunc(callKeys, func(k string) bool { return strings.HasPrefix(k, key) })
	case !slices.Contains(nameKeys, key):
		return slices.Contains(callKeys, key)
	}
	rest, may = next(rest, ':')
	if rest == "" {
		return may
	}
	if rest = strings.TrimLeft(rest, " \t\r\n"); rest == "" || rest[0] == '{' {
		return true
	}
	rest, may = next(rest, '"')
	if rest == "" {
		return may
	}
	name, _, complete := strings.Cut(rest, `"`)
	return g.mayBeName(name, complete)
}

// next is what stands behind a character, and whether the text holds that character next, or may still.
func next(text string, c byte) (rest string, may bool) {
	text = strings.TrimLeft(text, " \t\r\n")
	if text == "" {
		return "", true
	}
	if text[0] != c {
		return "", false
	}
	return text[1:], true
}
