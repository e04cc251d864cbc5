package match

import (
	"strings"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

// How far up a heading is looked for, and how much of a line is shown.
const (
	headingLines = 400
	shownMax     = 160     // bytes
	longLine     = 1 << 14 // no heading is as long as that
)

var (
	definition = text.Pattern(`^(@?[\w.]+[ \t]+)*?(func|def|class|fn|function|type|struct|interface|trait|impl|enum|module|namespace|package|sub|proc|procedure|method|record|object|protocol|extension|macro|describe|test|it)\b|` +
		`^[\w<>\[\],*&: ]+[ *&]\w+\([^;]*\)[^;]*\{$|^(async |static |public |private |get |set )*#?\w+\([^;]*\) *\{$`)
	notDefinition = text.Pattern(`^(\} *)?(if|else|for|while|switch|match|try|catch|do|return|with|when|case|await|throw|elif|except|finally|select|go|defer)\b`)
	section       = text.Pattern(`^\[\[?[^\[\]]+\]\]?[ \t]*([#;].*)?$`)
	markdown      = text.Pattern(`^#{1,6}[ \t]+\S`)
	comments      = text.Pattern(`^(//|#|--|;|/\*|<!--|%|\*)`)
)

// firstVisible is where in a range the first line with something to see begins
// to show it.
func (h *haystack) firstVisible(start, end int) int {
	rest := strings.TrimLeftFunc(h.s[start:end], func(r rune) bool { return blankRune(r) || r == '\n' || r == '\r' })
	if rest == "" {
		return start
	}
	return end - len(rest)
}

// lineText is the line at an offset, cut if it is very long.
func (h *haystack) lineText(at int) string {
	start, end := h.line(at), h.lineEnd(at)
	if end-start <= shownMax {
		return text.MarkStray(h.s[start:end])
	}
	from := runeEdge(h.s, max(start, at-shownMax/4))
	to := runeEdge(h.s, min(end, from+shownMax))
	out := text.MarkStray(h.s[from:to])
	if from > start {
		out = "…" + out
	}
	if to < end {
		out += "…"
	}
	return out
}

// cut shortens a text to one line of a length to show.
func cut(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) <= shownMax {
		return s
	}
	return s[:runeEdge(s, shownMax)] + "…"
}

// runeEdge is an offset at or before another that is not inside a code point.
func runeEdge(s string, at int) int {
	for i := at; i > max(0, at-utf8.UTFMax); i-- {
		if i == len(s) || utf8.RuneStart(s[i]) {
			return i
		}
	}
	return at
}

// context is the heading of the place at an offset, or else the line next to it.
func (h *haystack) context(at int) string {
	if s, _ := h.heading(at); s != "" {
		return s
	}
	return h.neighbour(at)
}

// heading is what encloses the line at an offset, and where that stands: a comment
// right above it, the definition or the line of smaller indentation that it is in,
// a section, a heading.
func (h *haystack) heading(at int) (string, int) {
	start := h.line(at)
	s := scan{depth: columns(indentOf(h.s[start:h.lineEnd(at)]))}
	for i := 0; i < headingLines && start > 0; i++ {
		before, ok := h.before(start)
		if !ok || s.look(h.text(before), before.Start, i == 0) {
			break
		}
		start = before.Start
	}
	found := s.answer()
	return cut(text.MarkStray(found.text)), found.at
}

// before is the line that ends where another starts, unless it is very long.
func (h *haystack) before(start int) (line Span, ok bool) {
	end := start - 1
	from := max(0, end-longLine)
	i := strings.LastIndexByte(h.s[from:end], '\n')
	return Span{from + i + 1, end}, i >= 0 || from == 0
}

func (h *haystack) text(line Span) string { return strings.TrimSuffix(h.s[line.Start:line.End], "\r") }

func indentOf(line string) string { return line[:len(line)-len(trimLeft(line))] }

// scan goes up the lines above a place.
type scan struct {
	depth  int   // smallest indentation so far
	found  above // what is surely the heading
	parent above // the nearest line of smaller indentation that opens something
}

// above is a line above a place.
type above struct {
	text string
	at   int
}

// look looks at the next line above. It answers whether the search is over.
func (s *scan) look(line string, at int, next bool) bool {
	t := trim(line)
	if t == "" {
		return false
	}
	depth := columns(indentOf(line))
	switch {
	case depth == 0 && t[0] == '#' && markdown().MatchString(t),
		depth == 0 && t[0] == '[' && section().MatchString(t),
		next && depth <= s.depth && comments().MatchString(t),
		depth < s.depth && definition().MatchString(t) && !notDefinition().MatchString(t):
		s.found = above{t, at}
		return true
	case depth < s.depth:
		s.depth = depth
		if s.parent.text == "" && opens(t) {
			s.parent = above{t, at}
		}
	}
	return false
}

// answer prefers the nearest parent to a section or heading that is further out.
func (s *scan) answer() above {
	f := s.found.text
	if s.parent.text != "" && (f == "" || markdown().MatchString(f) || section().MatchString(f)) {
		return s.parent
	}
	return s.found
}

// opens says whether deeper lines may belong to a line.
func opens(t string) bool {
	return strings.ContainsAny(t[len(t)-1:], ":{[(>") || strings.HasSuffix(t, "|") || strings.HasSuffix(t, "then") || strings.HasSuffix(t, "do")
}

// neighbour is the line before the one at an offset, or after it, that has
// something to see.
func (h *haystack) neighbour(at int) string {
	if start := h.line(at); start > 0 {
		if l, ok := h.before(start); ok && trim(h.text(l)) != "" {
			return cut(text.MarkStray(trim(h.text(l))))
		}
	}
	return h.following(at)
}

func (h *haystack) following(at int) string {
	next := newline(h.s, h.lineEnd(at))
	if next < 0 {
		return ""
	}
	return cut(text.MarkStray(trim(h.s[next:h.lineEnd(next)])))
}

// tellApart adds to contexts that are the same what is around them, or else a
// neighbouring line.
func (h *haystack) tellApart(ms []Match) {
	for _, more := range []func(Match) string{h.around, h.neighbourOf, h.followingOf} {
		count := make(map[string]int)
		for _, m := range ms {
			count[m.Context]++
		}
		for i, m := range ms {
			if s := more(m); count[m.Context] > 1 && s != "" && s != m.Context && s != trim(m.LineText) {
				ms[i].Context = strings.TrimPrefix(m.Context+" · ", " · ") + s
			}
		}
	}
}

// around is the heading of the heading.
func (h *haystack) around(m Match) string {
	heading, at := h.heading(h.firstVisible(m.Start, m.End))
	if heading == "" {
		return ""
	}
	outer, _ := h.heading(at)
	return outer
}

func (h *haystack) neighbourOf(m Match) string { return h.neighbour(h.firstVisible(m.Start, m.End)) }
func (h *haystack) followingOf(m Match) string { return h.following(m.End) }
