package text

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// blank are the code points that count as printable and yet show nothing.
const blank = "\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0"

// Visible shows to people and models what they could not see: tabs, spaces at the end of a line, control and zero-width characters, odd
// spaces, the \r of a line ending, and stray bytes. Newlines stay. Unmarked is the way back.
func Visible(s string) string {
	var sb strings.Builder
	for s != "" {
		if rest := strings.TrimLeft(s, " "); len(rest) < len(s) {
			spaces := s[:len(s)-len(rest)]
			if rest == "" || startsEnding(rest) {
				spaces = strings.Repeat("⟦SP⟧", len(spaces))
			}
			sb.WriteString(spaces)
			s = rest
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		sb.WriteString(visible(r, s[:size]))
		s = s[size:]
	}
	return sb.String()
}

// MarkStray marks stray bytes and nothing else, so that everything that is text can still be copied from what is shown.
func MarkStray(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var sb strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&sb, "⟦%02X⟧", s[i])
		} else {
			sb.WriteString(s[i : i+size])
		}
		i += size
	}
	return sb.String()
}

// mark is what Visible and MarkStray write.
var mark = regexp.MustCompile(`⟦(?:([0-9A-F]{2})|U\+([0-9A-F]{4,6})|(SP)|(TAB)|(CR))⟧`)

// Unmarked is s with what marks stand for in place of those that ask agrees to.
func Unmarked(s string, ask func(mark, is string) bool) string {
	if !strings.Contains(s, "⟦") {
		return s
	}
	return mark.ReplaceAllStringFunc(s, func(m string) string {
		if is := stands(mark.FindStringSubmatch(m)); is != "" && ask(m, is) {
			return is
		}
		return m
	})
}

// stands is what a mark stands for, given its parts.
func stands(m []string) string {
	switch {
	case m[1] != "":
		n, _ := strconv.ParseUint(m[1], 16, 8)
		return string([]byte{byte(n)})
	case m[2] != "":
		n, _ := strconv.ParseUint(m[2], 16, 32)
		return string(rune(n)) //nolint:gosec // six digits
	case m[3] != "":
		return " "
	case m[4] != "":
		return "\t"
	}
	return "\r"
}

// Has says whether a code point, or a stray byte, is in s.
func Has(s, one string) bool {
	if utf8.ValidString(one) {
		return strings.Contains(s, one)
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 && s[i] == one[0] {
			return true
		}
		i += size
	}
	return false
}

// visible is one code point, or stray byte, as it is shown.
func visible(r rune, as string) string {
	switch {
	case r == utf8.RuneError && len(as) == 1:
		return fmt.Sprintf("⟦%02X⟧", as[0])
	case r == '\n':
		return as
	case r == '\t':
		return "⟦TAB⟧"
	case r == '\r':
		return "⟦CR⟧"
	case !unicode.IsPrint(r) || strings.ContainsRune(blank, r):
		return fmt.Sprintf("⟦U+%04X⟧", r)
	}
	return as
}

// LineKey names the content of a line, given without its ending: the first four hexadecimal digits of its SHA-256.
func LineKey(line string) string {
	sum := sha256.Sum256([]byte(line))
	return hex.EncodeToString(sum[:2])
}

// Plural is a number with its word.
func Plural(n int, word string) string {
	if n != 1 && n != -1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}
