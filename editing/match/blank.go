package match

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isBlank is what tiers 0 and 1 call a blank, and what every other blank is
// folded to.
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// blankRune adds the odd spaces and the characters without width.
func blankRune(r rune) bool {
	return r == ' ' || r == '\t' || r >= 0x80 && (oddSpace(r) || zeroWidth(r))
}

func oddSpace(r rune) bool {
	switch {
	case r == 0x00A0, r == 0x1680, r >= 0x2000 && r <= 0x200A, r == 0x202F, r == 0x205F, r == 0x3000:
		return true
	}
	return false
}

func zeroWidth(r rune) bool {
	switch {
	case r == 0x00AD, r == 0x180E, r >= 0x200B && r <= 0x200F, r >= 0x2060 && r <= 0x2064, r == 0xFEFF, r >= 0xFE0E && r <= 0xFE0F:
		return true
	}
	return false
}

func trimLeft(s string) string  { return strings.TrimLeftFunc(s, blankRune) }
func trimRight(s string) string { return strings.TrimRightFunc(s, blankRune) }
func trim(s string) string      { return trimLeft(trimRight(s)) }

// trimBlanksLeft and trimBlanksRight do it for isBlank. They are asked for every
// line of a text.
func trimBlanksLeft(s string) string {
	for s != "" && isBlank(s[0]) {
		s = s[1:]
	}
	return s
}

func trimBlanksRight(s string) string {
	for s != "" && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// allBlank says whether s has nothing to see, except newlines.
func allBlank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r != '\n' && !blankRune(r) }) < 0
}

// unixEndings makes every line ending \n. A lone \r is data and stays.
func unixEndings(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\r\n", "\n")
}

// whole says whether s may be cut at an offset: not inside a line ending or a
// code point, nor before a mark that belongs to the character before it.
func whole(s string, at int) bool {
	return at >= len(s) || s[at] < utf8.RuneSelf && s[at] != '\n' || mayCut(s, at)
}

// mayCut is whole where it takes a closer look: at a \n or a byte that is not ASCII.
func mayCut(s string, at int) bool {
	switch {
	case at == 0:
		return true
	case s[at] == '\n':
		return s[at-1] != '\r'
	}
	r, size := utf8.DecodeRuneInString(s[at:])
	if r == utf8.RuneError && size == 1 {
		return utf8.RuneStart(s[at]) || !insideRune(s, at)
	}
	return s[at-1] == '\n' || !unicode.Is(unicode.M, r) && !joined(s[:at], r)
}

// joined says whether r continues the emoji that ends before it.
func joined(before string, r rune) bool {
	const joiner = 0x200D
	return r == joiner || r >= 0x1F3FB && r <= 0x1F3FF || r > 0x2000 && strings.HasSuffix(before, string(rune(joiner)))
}

// insideRune says whether the continuation byte at an offset belongs to a code
// point, and is not a stray byte.
func insideRune(s string, at int) bool {
	for i := at - 1; i >= max(0, at-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(s[i]) {
			_, size := utf8.DecodeRuneInString(s[i:])
			return i+size > at
		}
	}
	return false
}

// lineStart and lineEnd bound the line that holds an offset, without its ending.
func lineStart(s string, at int) int { return strings.LastIndexByte(s[:at], '\n') + 1 }

func lineEnd(s string, at int) int {
	n := strings.IndexByte(s[at:], '\n')
	if n < 0 {
		return len(s)
	}
	if end := at + n; end > 0 && s[end-1] == '\r' {
		return max(at, end-1)
	}
	return at + n
}
