package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokens is a text cut into pieces for comparison. Equal pieces have equal ids.
type tokens struct {
	s  string
	at []int // where each piece starts, and the end
	id []rune
}

func (t tokens) piece(i int) string { return t.s[t.at[i]:t.at[i+1]] }

func (t tokens) join(from, to int) string { return t.s[t.at[from]:t.at[to]] }

// names gives an id to each different piece. They are numbers, not characters.
type names map[string]rune

func (n names) id(piece string) rune {
	id, ok := n[piece]
	if !ok {
		id = rune(len(n))
		n[piece] = id
	}
	return id
}

func (n names) of(pieces []string) []rune {
	out := make([]rune, len(pieces))
	for i, p := range pieces {
		out[i] = n.id(p)
	}
	return out
}

// linesOf cuts two texts into lines.
func linesOf(old, new string) (a, b tokens) {
	m, n := strings.Count(old, "\n"), strings.Count(new, "\n")
	ids := make(names, max(m, n)+1)
	return ids.cut(old, m, nextLine), ids.cut(new, n, nextLine)
}

// wordsOf cuts two texts into words.
func wordsOf(old, new string) (a, b tokens) {
	const usual = 4 // bytes in a word: a guess saves copying
	ids := names{}
	return ids.cut(old, len(old)/usual, nextWord), ids.cut(new, len(new)/usual, nextWord)
}

// cut cuts a text into about some pieces.
func (n names) cut(s string, about int, next func(string) int) tokens {
	t := tokens{s: s, at: make([]int, 1, about+2), id: make([]rune, 0, about+1)}
	for at := 0; at < len(s); {
		size := next(s[at:])
		t.id = append(t.id, n.id(s[at:at+size]))
		at += size
		t.at = append(t.at, at)
	}
	return t
}

// nextLine is the length of the first line with its ending.
func nextLine(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i + 1
	}
	return len(s)
}

// A class says what a code point does to the word it stands in.
type class int

const (
	single   class = iota // a word of its own: a bracket, a quote, an ideograph, a stray byte
	letter                // of words, names and numbers
	blanks                // spaces and tabs
	operator              // what operators and Markdown's marks are made of
	newline               // \n or \r\n
	extend                // belongs to the code point before
)

// nextWord is the length of the first word: a name, a number, a run of blanks, an operator, a line ending, or one code point.
func nextWord(s string) int {
	kind, size := classOf(s)
	for at := size; at < len(s); {
		k, n := classOf(s[at:])
		switch {
		case k == extend && kind != blanks && kind != newline:
		case k == kind && (k == letter || k == blanks || k == operator):
		case kind == letter && s[at] == '.' && digit(s, at-1) && digit(s, at+1):
		default:
			return at
		}
		at += n
	}
	return len(s)
}

func digit(s string, at int) bool { return at < len(s) && '0' <= s[at] && s[at] <= '9' }

// classOf is the class of the first code point and its length in bytes.
func classOf(s string) (class, int) {
	c := s[0]
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_':
		return letter, 1
	case c == ' ', c == '\t':
		return blanks, 1
	case c == '\n':
		return newline, 1
	case c == '\r' && len(s) > 1 && s[1] == '\n':
		return newline, 2
	case strings.IndexByte("=!<>+-*/%&|^~:?", c) >= 0:
		return operator, 1
	case c < utf8.RuneSelf:
		return single, 1
	}
	r, size := utf8.DecodeRuneInString(s)
	return classOfRune(r), size
}

func classOfRune(r rune) class {
	const joiner = '\u200D'
	switch {
	case unicode.IsMark(r), r == joiner:
		return extend
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return single // written without blanks between words
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return letter
	case unicode.IsSpace(r) && r != '\u0085' && r != '\u2028' && r != '\u2029':
		return blanks
	}
	return single
}

// hasWord says whether there is anything in s but blanks and punctuation.
func hasWord(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			return true
		}
	}
	return false
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
