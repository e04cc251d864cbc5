package lsptest

import (
	"strings"
	"unicode/utf8"
)

// The three position encodings of the protocol.
const (
	UTF8  = "utf-8"
	UTF16 = "utf-16"
	UTF32 = "utf-32"
)

// units is the length of s in an encoding.
func units(s, encoding string) int {
	n := 0
	for _, r := range s {
		n += width(r, encoding)
	}
	return n
}

func width(r rune, encoding string) int {
	switch {
	case encoding == UTF8:
		return utf8.RuneLen(r)
	case encoding == UTF16 && r > 0xFFFF:
		return 2
	}
	return 1
}

func (p Position) compare(q Position) int {
	if p.Line != q.Line {
		return p.Line - q.Line
	}
	return p.Character - q.Character
}

// position is where a byte offset lies. A line ends at \n; a \r before it belongs to the ending.
func position(text string, offset int, encoding string) Position {
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	return Position{Line: strings.Count(text[:start], "\n"), Character: units(text[start:offset], encoding)}
}

// place is the byte offset of a position. As the protocol says, a character behind the line's end means the end; a line
// behind the last one means the end of the text. exact is false if it was so, or if the position splits a code point.
func place(text string, at Position, encoding string) (offset int, exact bool) {
	start := 0
	for range at.Line {
		i := strings.IndexByte(text[start:], '\n')
		if i < 0 {
			return len(text), false
		}
		start += i + 1
	}
	line := text[start:]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = strings.TrimSuffix(line[:i], "\r")
	}
	left := at.Character
	for i, r := range line {
		if left <= 0 {
			return start + i, left == 0
		}
		if left < width(r, encoding) {
			return start + i, false
		}
		left -= width(r, encoding)
	}
	return start + len(line), left == 0
}

// addressable says whether a position can name this offset: between \r and \n none can.
func addressable(text string, offset int) bool {
	return offset <= 0 || offset >= len(text) || text[offset-1] != '\r' || text[offset] != '\n'
}

// atLineEnd says whether only a line ending, or nothing, follows.
func atLineEnd(text string, offset int) bool {
	rest := text[offset:]
	return rest == "" || rest[0] == '\n' || strings.HasPrefix(rest, "\r\n")
}
