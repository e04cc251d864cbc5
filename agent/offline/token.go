package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/galley-ls/galley/memory"
)

type tokenKind int

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenText // quoted, in any of the ways of quote.go
	tokenMark // a comma or semicolon that stands by itself or behind a word
)

// token is one piece of a prompt.
type token struct {
	kind    tokenKind
	text    string // for a tokenText: what is between the quotes
	raw     string // as written
	at      int    // byte offset in the prompt
	newLine bool   // first on its line
}

// is reports whether the token is the given keyword, which is in lower case.
func (t token) is(keyword string) bool {
	return t.kind == tokenWord && strings.EqualFold(t.text, keyword)
}

// lexer cuts a prompt into tokens as the parser asks for them, so that the first thing that is wrong is reported first.
type lexer struct {
	src string
	pos int
}

func (l *lexer) next() (token, *Error) {
	newLine := l.skipBlanks()
	start := l.pos
	if start == len(l.src) {
		return token{kind: tokenEnd, at: start, newLine: true}, nil
	}
	t := token{at: start, newLine: newLine}
	switch rest := l.src[start:]; {
	case strings.ContainsAny(rest[:1], ",;"):
		t.kind, l.pos = tokenMark, start+1
		t.text = rest[:1]
	case startsQuote(rest):
		text, size, ok := unquote(rest)
		if !ok {
			return token{}, unclosed(l.src, start)
		}
		t.kind, t.text, l.pos = tokenText, text, start+size
	default:
		t.kind, t.text = tokenWord, l.word()
	}
	t.raw = l.src[start:l.pos]
	if t.kind == tokenWord && t.text == "" {
		return l.next()
	}
	return t, nil
}

// remark is a line of a prompt that is not for this model: all of it stands in round brackets.
var remark = memory.Pattern(`^\([^\n]*\)[ \t]*(\n|$)`)

// skipBlanks moves behind white space and remarks, and tells whether a line ended in it, or none has begun yet.
func (l *lexer) skipBlanks() bool {
	newLine := l.pos == 0
	for l.pos < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[l.pos:])
		if said := remark().FindString(l.src[l.pos:]); newLine && said != "" {
			l.pos += len(said)
			continue
		}
		if !isBlank(r) {
			break
		}
		newLine = newLine || r == '\n'
		l.pos += size
	}
	return newLine
}

// isBlank also takes the marks that people paste along without seeing them.
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B'
}

// word reads up to a blank or a quote. A comma behind it is a token of its own; the full stop that ends a sentence is
// no part of a file name, and "" is returned if nothing else is left.
func (l *lexer) word() string {
	start := l.pos
	for l.pos < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[l.pos:])
		if isBlank(r) || l.pos > start && breaksWord(r) {
			break
		}
		l.pos += size
	}
	w := strings.TrimRight(l.src[start:l.pos], ",;")
	l.pos = start + len(w)
	if strings.HasSuffix(w, ".") && !strings.HasSuffix(w, "..") && l.sentenceEnds() {
		w = w[:len(w)-1]
	}
	return w
}

// sentenceEnds looks whether a step ends here: at a new line, at "then" or with the prompt.
func (l *lexer) sentenceEnds() bool {
	rest := strings.TrimLeftFunc(l.src[l.pos:], func(r rune) bool { return isBlank(r) && r != '\n' })
	if i := strings.IndexFunc(rest, isBlank); i >= 0 {
		rest = rest[:i]
	}
	return rest == "" || strings.EqualFold(rest, "then")
}
