package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

// mergeLine applies the model's change from base to theirs to ours, the file's
// version of the line. What the model changed is one unit: it takes the place of
// all that the file has there. Where the file changed it, too, that is only ever
// asked about.
func mergeLine(base, theirs, ours string) string {
	m := lineMerge{base: words(base), theirs: words(theirs), ours: words(ours)}
	m.toTheirs = alignWords(m.base, m.theirs, func(s string) string { return s })
	m.toOurs = alignWords(m.base, m.ours, loose)
	eachGap(m.toTheirs, len(m.theirs), m.hunk)
	m.copy(len(m.ours))
	return m.out
}

// lineMerge goes through the words of a line of the file.
type lineMerge struct {
	base, theirs, ours []string
	toTheirs, toOurs   []int
	out                string
	done               int // of ours
}

func (m *lineMerge) copy(to int) {
	m.write(strings.Join(m.ours[m.done:max(m.done, to)], ""), false)
	m.done = max(m.done, to)
}

// put writes a text in place of ours[from:to].
func (m *lineMerge) put(from, to int, s string) {
	m.copy(from)
	m.write(s, true)
	m.done = max(m.done, to)
}

// hunk writes theirs[t0:t1], which the model has for base[b0:b1].
func (m *lineMerge) hunk(b0, b1, t0, t1 int) {
	if b0 == b1 && t0 == t1 {
		return
	}
	b0, b1, t0, t1 = m.halves(b0, b1, t0, t1)
	from, to := m.place(b0, b1)
	is, was := strings.Join(m.theirs[t0:t1], ""), strings.Join(m.base[b0:b1], "")
	has := strings.Join(m.ours[from:to], "")
	switch {
	case b0 == b1:
		is = both(has, is)
	case b1-b0 == 1 && wordRune(firstRune(was)) && loose(was) == loose(has) && lookAlikes(has) == withoutWidth(has):
		is = mergeWord(was, is, has)
	}
	from, to = m.shared(from, to, is)
	m.put(from, to, is)
}

// halves takes a neighbour into a hunk whose look-alike the hunk makes longer: the
// file's dash and another one, or half an arrow, would be neither.
func (m *lineMerge) halves(b0, b1, t0, t1 int) (_, _, _, _ int) {
	longer := func(b, t int) bool {
		o := m.toOurs[b]
		return o >= 0 && m.ours[o] != m.base[b] && (m.theirs[t] == m.base[b] || m.base[b] == "-" && strings.Contains("<>=", m.theirs[t]))
	}
	if b0 > 0 && t0 < t1 && longer(b0-1, t0) {
		b0, t0 = b0-1, t0-1
	}
	if b1 < len(m.base) && t0 < t1 && longer(b1, t1-1) {
		b1, t1 = b1+1, t1+1
	}
	return b0, b1, t0, t1
}

// place is where ours has base[b0:b1].
func (m *lineMerge) place(b0, b1 int) (from, to int) {
	from, to = 0, len(m.ours)
	for b := b0 - 1; b >= 0 && from == 0; b-- {
		from = m.toOurs[b] + 1
	}
	for b := len(m.base) - 1; b >= b1; b-- {
		if m.toOurs[b] >= 0 {
			to = m.toOurs[b]
		}
	}
	if b0 < b1 && m.toOurs[b0] >= 0 {
		from = m.toOurs[b0]
	}
	if b0 < b1 && m.toOurs[b1-1] >= 0 {
		to = m.toOurs[b1-1] + 1
	}
	from = max(from, m.done)
	return from, max(from, to)
}

// shared widens a place to what only the file has beside it, where the new text has
// the same at that end.
func (m *lineMerge) shared(from, to int, is string) (_, _ int) {
	const longest = 8
	for n := min(longest, len(m.ours)-to); n > 0; n-- {
		if extra := loose(strings.Join(m.ours[to:to+n], "")); m.alone(to, to+n) && extra != "" && strings.HasSuffix(loose(is), extra) {
			return from, to + n
		}
	}
	for n := min(longest, from-m.done); n > 0; n-- {
		if extra := loose(strings.Join(m.ours[from-n:from], "")); m.alone(from-n, from) && extra != "" && strings.HasPrefix(loose(is), extra) {
			return from - n, to
		}
	}
	return from, to
}

// alone says whether base has nothing of ours[from:to].
func (m *lineMerge) alone(from, to int) bool {
	return !slices.ContainsFunc(m.toOurs, func(o int) bool { return o >= from && o < to })
}

// write puts a text behind what is there. Where blanks would meet, those that the
// model wrote stand alone.
func (m *lineMerge) write(s string, theirs bool) {
	if before, last := trimSpaces(m.out, strings.TrimRightFunc), trimSpaces(s, strings.TrimLeftFunc); before != m.out && last != s {
		if theirs {
			m.out = before
		} else {
			s = last
		}
	}
	m.out += s
}

func trimSpaces(s string, trim func(string, func(rune) bool) string) string {
	return trim(s, func(r rune) bool { return blankRune(r) && !zeroWidth(r) })
}

// both is what the file and the model put in at one place. What both have comes
// once, blanks are the model's.
func both(ours, theirs string) string {
	switch a, b := loose(ours), loose(theirs); {
	case strings.HasPrefix(b, a) || strings.HasSuffix(b, a):
		return theirs
	case strings.HasPrefix(a, b) || strings.HasSuffix(a, b):
		return ours
	}
	m := lineMerge{out: ours}
	m.write(theirs, true)
	return m.out
}

func withoutWidth(s string) string {
	return strings.Map(func(r rune) rune {
		if zeroWidth(r) {
			return -1
		}
		return r
	}, s)
}

// mergeWord merges a word character by character, so that what the model left of it
// keeps the file's form.
func mergeWord(base, theirs, ours string) string {
	m := lineMerge{base: characters(base), theirs: characters(theirs), ours: characters(ours)}
	m.toTheirs, m.toOurs = text.Align(m.base, m.theirs), text.Align(keys(m.base, loose), keys(m.ours, loose))
	eachGap(m.toTheirs, len(m.theirs), func(b0, b1, t0, t1 int) {
		from, to := m.place(b0, b1)
		if b0 == b1 {
			from = to // what has no width stays
		}
		m.put(from, to, strings.Join(m.theirs[t0:t1], ""))
	})
	m.copy(len(m.ours))
	return m.out
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// alignWords pairs equal words. Blanks are no landmarks: they go with a word beside
// them.
func alignWords(a, b []string, key func(string) string) []int {
	ka, kb := keys(a, key), keys(b, key)
	inA, inB := notBlank(a), notBlank(b)
	to := make([]int, len(a))
	for i := range to {
		to[i] = -1
	}
	for i, j := range text.Align(pickLines(ka, inA), pickLines(kb, inB)) {
		if j >= 0 {
			to[inA[i]] = inB[j]
		}
	}
	last := -1
	for i, k := range ka {
		switch blank := to[i] < 0 && trim(k) == ""; {
		case blank && i > 0 && to[i-1] >= 0 && to[i-1]+1 < len(b) && kb[to[i-1]+1] == k:
			to[i] = to[i-1] + 1
		case blank && i+1 < len(a) && to[i+1]-1 > last && kb[to[i+1]-1] == k:
			to[i] = to[i+1] - 1
		}
		last = max(last, to[i])
	}
	return to
}

// loose is what two texts have in common that a tier calls equal.
func loose(s string) string { return collapse(folded(s)) }

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
