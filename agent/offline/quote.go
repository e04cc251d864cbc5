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
	if s[0] == '"' {
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
