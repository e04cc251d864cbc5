package text

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

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
var mark = Pattern(`⟦(?:([0-9A-F]{2})|U\+([0-9A-F]{4,6})|(SP)|(TAB)|(CR))⟧`)

// Unmarked is s with what marks stand for in place of those that ask agrees to.
func Unmarked(s string, ask func(mark, is string) bool) string {
	if !strings.Contains(s, "⟦") {
		return s
	}
	return mark().ReplaceAllStringFunc(s, func(m string) string {
		if is := stands(mark().FindStringSubmatch(m)); is != "" && ask(m, is) {
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
	case unseen(r):
		return fmt.Sprintf("⟦U+%04X⟧", r)
	}
	return as
}

// Marked marks what a reader of a text cannot see, and leaves its blanks, line ends and emoji as they are.
func Marked(s string) string {
	var sb strings.Builder
	for s != "" {
		n := Character(s)
		if c := s[:n]; c == "\t" || Seen(c) || c == "\r" && strings.HasPrefix(s[n:], "\n") {
			sb.WriteString(c)
		} else {
			sb.WriteString(Visible(c))
		}
		s = s[n:]
	}
	return sb.String()
}

// Condensed are the lines of a text that somebody answers for: what only pushes the rest of it out of sight is left out, with its count.
func Condensed(s string) []string {
	const most = 16 // blanks side by side
	var out []string
	empty := 0
	flush := func() {
		if empty > 1 {
			out = append(out, fmt.Sprintf("⟦%d empty lines⟧", empty))
		} else if empty == 1 {
			out = append(out, "")
		}
		empty = 0
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
		if strings.TrimFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || unseen(r) }) == "" {
			empty++
			continue
		}
		flush()
		out = append(out, blankRuns().ReplaceAllStringFunc(line, func(run string) string {
			if len(run) <= most {
				return run
			}
			return fmt.Sprintf("⟦%d blanks⟧", len(run))
		}))
	}
	flush()
	return out
}

var blankRuns = Pattern("[ \t]+")

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

// Thousands writes a number so that it can be read: 12,345.
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
