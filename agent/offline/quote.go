package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// closers names, for each mark that opens a quoted text, the marks that close it.
var closers = map[rune]string{
	'"': `"`, '\'': "'", '`': "`",
	'“': "”", '„': "“”", '”': "”", '‘': "’", '‚': "‘’",
	'«': "»", '»': "«", '「': "」", '『': "』",
}

const fence = "```"

func startsQuote(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	_, ok := closers[r]
	return ok
}

// breaksWord holds for the quotes that no word has inside; an apostrophe may stand in one.
func breaksWord(r rune) bool {
	_, ok := closers[r]
	return ok && !strings.ContainsRune("'‘‚", r)
}

// unquote reads the quoted text that s starts with and tells how many bytes it takes.
func unquote(s string) (text string, size int, ok bool) {
	switch {
	case strings.HasPrefix(s, fence):
		return unquoteFence(s)
	case s[0] == '"':
		return unquoteEscaped(s)
	}
	opener, start := utf8.DecodeRuneInString(s)
	for i, r := range s[start:] {
		if !strings.ContainsRune(closers[opener], r) {
			continue
		}
		after := start + i + utf8.RuneLen(r)
		if apostrophe(r, s[after:]) {
			continue
		}
		return s[start : start+i], after, true
	}
	return "", 0, false
}

// apostrophe holds for a mark inside a word: 'don't' is one text.
func apostrophe(r rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	return (r == '\'' || r == '’') && (unicode.IsLetter(next) || unicode.IsDigit(next))
}

// unquoteEscaped reads "…", the only form with escapes. A backslash before any other character is itself.
func unquoteEscaped(s string) (string, int, bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), i + 1, true
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte(`ntr"\`, s[i+1]) >= 0:
			i++
			b.WriteByte(escapes[s[i]])
		default:
			b.WriteByte(s[i])
		}
	}
	return "", 0, false
}

var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '"': '"', '\\': '\\'}

var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`)

// quote writes a text so that unquoteEscaped reads it back.
func quote(s string) string { return `"` + escaper.Replace(s) + `"` }

// unquoteFence reads a block of three or more backticks. Closed on its own line it is verbatim; else a first line
// without blanks is a language name, and the block ends where a line starts with as many backticks again. The last
// line's ending belongs to the fence.
func unquoteFence(s string) (string, int, bool) {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	marks, rest := s[:n], s[n:]
	first, _, more := strings.Cut(rest, "\n")
	if end := strings.Index(first, marks); end >= 0 {
		return rest[:end], n + end + n, true
	}
	if !more {
		return "", 0, false
	}
	if strings.ContainsAny(strings.TrimSpace(first), " \t`") {
		end := strings.Index(rest, marks)
		return rest[:max(end, 0)], n + end + n, end >= 0
	}
	return fencedLines(rest, len(first)+1, n)
}

// fencedLines reads the lines of a block from the given offset on, up to the line that closes it.
func fencedLines(rest string, start, n int) (string, int, bool) {
	for at := start; at <= len(rest); {
		line, _, _ := strings.Cut(rest[at:], "\n")
		text := strings.TrimLeft(line, " \t")
		behind := strings.TrimLeft(text, "`")
		if len(text)-len(behind) >= n && !startsLetter(behind) {
			size := n + at + len(line) - len(behind)
			return strings.TrimSuffix(rest[min(start, at):at], "\n"), size, true
		}
		at += len(line) + 1
	}
	return "", 0, false
}

// startsLetter tells the opening of a nested block, which has a language behind it, from the end of this one.
func startsLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}
