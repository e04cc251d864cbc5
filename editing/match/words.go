package match

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

// mergeLine applies the model's change from base to theirs to ours, the file's
// version of the line. Where both changed the same words theirs wins: that is
// only ever asked about.
func mergeLine(base, theirs, ours string) string {
	return merge3(words(base), words(theirs), words(ours), func(b, t, o string) string {
		if loose(b) != loose(o) {
			return t
		}
		return merge3(characters(b), characters(t), characters(o), func(_, t, _ string) string { return t })
	})
}

// merge3 keeps what is the same in all three, in the form that ours has, and
// decides piece by piece about what is between.
func merge3(base, theirs, ours []string, both func(b, t, o string) string) string {
	toTheirs := text.Align(base, theirs)
	toOurs := text.Align(looseAll(base), looseAll(ours))
	var sb strings.Builder
	b, t, o := 0, 0, 0
	for i := range base {
		if toTheirs[i] < 0 || toOurs[i] < 0 {
			continue
		}
		sb.WriteString(decide(base[b:i], theirs[t:toTheirs[i]], ours[o:toOurs[i]], both))
		sb.WriteString(ours[toOurs[i]])
		b, t, o = i+1, toTheirs[i]+1, toOurs[i]+1
	}
	sb.WriteString(decide(base[b:], theirs[t:], ours[o:], both))
	return sb.String()
}

func decide(base, theirs, ours []string, both func(b, t, o string) string) string {
	b, t, o := strings.Join(base, ""), strings.Join(theirs, ""), strings.Join(ours, "")
	switch {
	case b == t:
		return o
	case b == o:
		return t
	case b == "":
		return o + t
	}
	return both(b, t, o)
}

// loose is what two texts have in common that a tier calls equal.
func loose(s string) string { return collapse(folded(s)) }

func looseAll(all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = loose(s)
	}
	return out
}

// words parts a line into words, runs of blanks, ellipses and single characters,
// each with its marks.
func words(s string) []string {
	var out []string
	for s != "" {
		n := wordLen(s)
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

func wordLen(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case wordRune(r) || zeroWidth(r):
		return spanLen(s, func(r rune) bool { return wordRune(r) || zeroWidth(r) })
	case blankRune(r):
		return spanLen(s, func(r rune) bool { return blankRune(r) && !zeroWidth(r) })
	case r == '.':
		return spanLen(s, func(r rune) bool { return r == '.' })
	case r == utf8.RuneError && size == 1:
		return 1
	}
	return size + spanLen(s[size:], func(r rune) bool { return unicode.Is(unicode.M, r) })
}

func wordRune(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}

// characters parts a text into code points, each with its marks.
func characters(s string) []string {
	var out []string
	for s != "" {
		_, n := utf8.DecodeRuneInString(s)
		n += spanLen(s[n:], func(r rune) bool { return unicode.Is(unicode.M, r) })
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

func spanLen(s string, in func(rune) bool) int {
	n := strings.IndexFunc(s, func(r rune) bool { return !in(r) })
	if n < 0 {
		return len(s)
	}
	return n
}
