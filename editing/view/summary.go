package view

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// A summary says in one line what a change is about: the smallest piece of the
// text around the first place that a person recognises, before and after.

const (
	summaryMost = 60 // code points of each side
	tinyPiece   = 12 // code points: shorter pieces say nothing by themselves …
	tellingWide = 24 // … and are widened to this, or to
	wholeWide   = 40 // the whole line if it is not longer
)

// Summary describes a change in words, as its document shows it.
func Summary(s *editing.Snapshot, c *editing.Change) string {
	v, ok := compared(s, c)
	if !ok || c.Kind.File() {
		return BareSummary(c)
	}
	return v.summary()
}

// BareSummary describes a change by its hunks alone, without the text around them.
func BareSummary(c *editing.Change) string {
	if c.Kind.File() {
		return c.FileSummary()
	}
	if len(c.Hunks) == 0 {
		return "no change"
	}
	h := c.Hunks[0]
	old, new := excerptOf(h.Old), excerptOf(h.New)
	if old == new {
		old, new = h.Old, h.New
	}
	return sentence(old, new) + morePlaces(len(c.Hunks)-1)
}

func (v comparison) summary() string {
	rs := v.runs()
	if len(rs) == 0 {
		return "no change"
	}
	old, new := v.excerpts(rs[0])
	return sentence(old, new) + morePlaces(len(rs)-1)
}

func sentence(old, new string) string {
	switch {
	case old == "":
		return "insert " + quote(trimmed(new))
	case new == "":
		return "delete " + quote(trimmed(old))
	}
	return "replace " + quote(old) + " → " + quote(new)
}

// trimmed cuts blank edges off, if there is anything else.
func trimmed(s string) string {
	if t := strings.TrimSpace(s); t != "" {
		return t
	}
	return s
}

func morePlaces(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " (+1 more place)"
	}
	return fmt.Sprintf(" (+%d more places)", n)
}

// excerpts is what a run is about on both sides.
func (v comparison) excerpts(r run) (string, string) {
	if r.to-r.from == 1 && r.end-r.at == 1 {
		return v.telling(r)
	}
	old, new := excerpt(v.old, r.from, r.to), excerpt(v.new, r.at, r.end)
	if old == new { // they differ in blanks
		old, new = wholeLine(v.old, r.from), wholeLine(v.new, r.at)
	}
	return old, new
}

// excerpt is the first line of the lines [from,to) that is not blank.
func excerpt(t text.Text, from, to int) string {
	const reach = 20
	at := from
	for at < min(to, from+reach) && strings.TrimSpace(t.Line(at)) == "" {
		at++
	}
	switch {
	case from >= to:
		return ""
	case at >= min(to, from+reach):
		return t.Slice(t.LineStart(from), t.LineStart(min(to, from+3)))
	}
	s := strings.TrimSpace(t.Line(at))
	for i := at + 1; i < to; i++ {
		if i == at+reach || strings.TrimSpace(t.Line(i)) != "" {
			return s + "…"
		}
	}
	return s
}

func excerptOf(s string) string {
	t := text.New(s)
	if t.Lines() == 1 && content(s) == s {
		return s
	}
	return excerpt(t, 0, t.Lines())
}

// telling narrows two versions of a line to what tells them apart, in whole words
// and, where that is tiny, with what is around it.
func (v comparison) telling(r run) (string, string) {
	old, new := wholeLine(v.old, r.from), wholeLine(v.new, r.at)
	a, b := content(old), content(new)
	if a == b {
		return old, new // they differ in their endings
	}
	cs, start := v.words(r.cuts), v.old.LineStart(r.from)
	p := pair{a: a, b: b, head: max(0, cs[0].start-start), tail: max(0, start+len(a)-cs[len(cs)-1].end)}
	if p.head+p.tail > min(len(a), len(b)) {
		return a, b
	}
	if p.size() < tinyPiece {
		p.widen()
	}
	if old, new = p.pieces(); old == new {
		return a, b
	}
	return old, new
}

// pair is two lines that share head bytes at the beginning and tail at the end.
type pair struct {
	a, b       string
	head, tail int
}

func (p pair) pieces() (string, string) {
	return p.a[p.head : len(p.a)-p.tail], p.b[p.head : len(p.b)-p.tail]
}

func (p pair) size() int {
	a, b := p.pieces()
	return max(utf8.RuneCountInString(strings.TrimSpace(a)), utf8.RuneCountInString(strings.TrimSpace(b)))
}

// widen takes in the whole line if it is short, else one token after the other
// on both sides in turn.
func (p *pair) widen() {
	first, last := blankStart(p.a[:p.head]), blankEnd(p.a[len(p.a)-p.tail:])
	whole := pair{p.a, p.b, first, last}
	if whole.size() <= wholeWide {
		*p = whole
		return
	}
	head, tail := p.head, p.tail
	for p.size() < tellingWide && (p.head > first || p.tail > last) {
		p.head = max(first, p.head-lastToken(p.a[:p.head]))
		p.tail = max(last, p.tail-firstToken(p.a[len(p.a)-p.tail:]))
	}
	p.head += blankStart(p.a[p.head:head])
	p.tail += blankEnd(p.a[len(p.a)-tail : len(p.a)-p.tail])
}

func blankStart(s string) int { return len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace)) }
func blankEnd(s string) int   { return len(s) - len(strings.TrimRightFunc(s, unicode.IsSpace)) }

// lastToken is the length of the token that s ends with, firstToken of that it
// begins with: a word with the blanks beside it, or one other character.
func lastToken(s string) int {
	n := blankEnd(s)
	rest := s[:len(s)-n]
	if !wordEnd(rest) {
		return len(s) - back(rest, len(rest), 1)
	}
	return len(s) - len(strings.TrimRightFunc(rest, isWord))
}

func firstToken(s string) int {
	n := blankStart(s)
	rest := s[n:]
	if !wordStart(rest) {
		return n + ahead(rest, 0, 1)
	}
	return len(s) - len(strings.TrimLeftFunc(rest, isWord))
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func wordStart(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && isWord(r)
}

func wordEnd(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && isWord(r)
}

// quote puts a text between quotes on one line, cut to what a summary shows.
func quote(s string) string {
	var sb strings.Builder
	sb.WriteByte('"')
	for n := 0; s != ""; {
		c := s[:text.Character(s)]
		as := quoted(c)
		if n += utf8.RuneCountInString(as); n > summaryMost {
			sb.WriteString("…")
			break
		}
		sb.WriteString(as)
		s = s[len(c):]
	}
	sb.WriteByte('"')
	return sb.String()
}

func quoted(c string) string {
	switch c {
	case `"`, `\`:
		return `\` + c
	case "\n":
		return `\n`
	case "\r":
		return `\r`
	case "\t":
		return `\t`
	}
	return text.Marked(c)
}
