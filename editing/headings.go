package editing

import (
	"path"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// Heading is a heading of a Markdown text in either form: marks before it, or a
// line below it. From and To are its first and last line. One of two lines of text
// is taken for a heading below a line: more often a blank line was forgotten.
type Heading struct {
	From, To int
	Level    int
	Title    string
}

var (
	atx       = text.Pattern(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$`)
	underline = text.Pattern(`^ {0,3}(=+|-+)[ \t]*$`)
	rule      = text.Pattern(`^ {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$`)
	fence     = text.Pattern("^ {0,3}(`{3,}|~{3,})([^`]*)$")
	container = text.Pattern(`^ {0,3}(?:[><]|[-+*][ \t]|\d{1,9}[.)][ \t])`) // a quote, HTML, a list
	indented  = text.Pattern(`^(?:    | {0,3}\t)`)
)

// Headings are those that begin in the lines [from,to).
func Headings(t text.Text, from, to int) []Heading {
	var s headingScan
	if from == 0 {
		from = frontMatter(t)
	}
	for i := from; i < to; i++ {
		s.line(i, t.Line(i))
	}
	return s.found
}

// What stands above a line.
const (
	nothing = iota
	paragraph
	inside // of a quote, HTML, a list, code: text may go on in it, a rule ends it
)

type headingScan struct {
	found []Heading
	fence string // that has not been closed
	above int
	title string // the line above, if it is text
}

func (s *headingScan) line(i int, line string) {
	above, title := s.above, s.title
	s.above, s.title = nothing, ""
	if s.fenced(line) {
		return
	}
	under := underline().FindStringSubmatch(line)
	switch marks := atx().FindStringSubmatch(line); {
	case marks != nil:
		s.found = append(s.found, Heading{i, i, len(marks[1]), marks[2]})
	case under != nil && title != "" && (under[1][0] == '=' || above == paragraph):
		s.found = append(s.found, Heading{i - 1, i, 1 + strings.Count(under[1][:1], "-"), title})
	case rule().MatchString(line), strings.TrimSpace(line) == "":
	case container().MatchString(line), above == nothing && indented().MatchString(line):
		s.above = inside
	default:
		s.above, s.title = max(above, paragraph), strings.TrimSpace(line)
	}
}

// fenced says whether a line is one of a code block.
func (s *headingScan) fenced(line string) bool {
	m := fence().FindStringSubmatch(line)
	switch {
	case m != nil && s.fence == "":
		s.fence = m[1]
		return true
	case m != nil && strings.HasPrefix(m[1], s.fence) && strings.TrimSpace(m[2]) == "":
		s.fence = ""
		return true
	}
	return s.fence != ""
}

// frontMatter is the line behind it, 0 without.
func frontMatter(t text.Text) int {
	for i := 0; i < t.Lines(); i++ {
		line := strings.TrimRight(t.Line(i), " \t")
		if i == 0 && line != "---" {
			break
		}
		if i > 0 && (line == "---" || line == "...") {
			return i + 1
		}
	}
	return 0
}

// headingAt is the index of the heading that has a line, -1 if none has.
func headingAt(hs []Heading, line int) int {
	return slices.IndexFunc(hs, func(h Heading) bool { return h.From <= line && line <= h.To })
}

// prose says whether headings are looked for in a file: where marks before a line
// are comments they are none.
func prose(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case "", ".md", ".markdown", ".mkd", ".mdx", ".mdown", ".qmd", ".rmd", ".txt", ".text", ".rst":
		return true
	}
	return false
}

// SectionEnd is the last line of a section that is not blank: before the next
// heading of its level. hs are the headings of the text.
func SectionEnd(t text.Text, hs []Heading, section int) int {
	h, end := hs[section], t.Lines()
	for _, next := range hs[section+1:] {
		if next.Level <= h.Level {
			end = next.From
			break
		}
	}
	for end > h.To+1 && strings.TrimSpace(t.Line(end-1)) == "" {
		end--
	}
	return end - 1
}
