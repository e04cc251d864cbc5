package view

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

const (
	wideLine = 50_000 // code points that a line of a preview has at most
	saneLine = 200    // the same where windows are to be short
)

// unseemly are characters that change how the text around them is laid out: line
// separators and the controls of writing direction.
const unseemly = "\u2028\u2029\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069"

// shown writes out what a line must not do to a terminal and, where both sides look
// the same, everything that cannot be seen but blanks.
func (l Line) shown() Line {
	l = l.Narrowed(wideLine)
	if l.alike {
		return l.writtenOut(func(r rune, _ bool) bool { return r != ' ' && r != '\t' })
	}
	if strings.ContainsFunc(l.Text, mustShow) {
		return l.writtenOut(func(r rune, _ bool) bool { return mustShow(r) })
	}
	return l
}

// Spelled is the line with its blanks written out too where both sides look the
// same, for whoever shows plain text.
func (l Line) Spelled() Line {
	if !l.alike {
		return l
	}
	return l.writtenOut(func(r rune, trailing bool) bool { return r == '\t' || r == ' ' && trailing })
}

// writtenOut makes the characters visible that out names. The places move along.
func (l Line) writtenOut(out func(r rune, trailing bool) bool) Line {
	var ends []int
	for _, p := range l.places {
		ends = append(ends, p[0], p[1])
	}
	var sb strings.Builder
	k := 0
	line := strings.TrimSuffix(l.Text, noNewline)
	trailing := len(strings.TrimRight(line, " "))
	for i := 0; i < len(l.Text); {
		for ; k < len(ends) && ends[k] <= i; k++ {
			ends[k] = sb.Len()
		}
		r, size := utf8.DecodeRuneInString(l.Text[i:])
		c := l.Text[i : i+size]
		if out(r, trailing <= i && i < len(line)) {
			c = text.Visible(c)
		}
		sb.WriteString(c)
		i += size
	}
	for ; k < len(ends); k++ {
		ends[k] = sb.Len()
	}
	places := make([][2]int, len(l.places))
	for i := range places {
		places[i] = [2]int{ends[2*i], ends[2*i+1]}
	}
	return l.with(sb.String(), places)
}

// with is the line with another text, in which its places are these.
func (l Line) with(s string, places [][2]int) Line {
	l.Text, l.places = s, places
	if l.Marks != nil {
		l.Marks = nonEmpty(places)
	}
	return l
}

func mustShow(r rune) bool {
	if r >= ' ' && r < 0x7F || r == '\t' {
		return false
	}
	return r == utf8.RuneError || unicode.IsControl(r) || strings.ContainsRune(unseemly, r)
}

// seen is what a person sees of a text: words, and nothing about blanks.
func seen(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) && r != utf8.RuneError })
	return strings.Join(words, " ")
}

// Narrowed cuts a line to about width code points, around what changes on it.
func (l Line) Narrowed(width int) Line {
	if len(l.Text) <= width || utf8.RuneCountInString(l.Text) <= width {
		return l
	}
	k := keeper{s: l.Text, left: width}
	for _, m := range l.places {
		k.keepEnds(m[0], m[1], width/max(5, 4*len(l.places)))
	}
	if len(k.parts) == 0 {
		k.keep(0, len(l.Text))
	}
	return l.keeping(k.parts)
}

// keeping leaves the parts of a line, with … for what is left out.
func (l Line) keeping(parts [][2]int) Line {
	var sb strings.Builder
	var places [][2]int
	last := 0
	for _, p := range parts {
		if p[0] > last {
			sb.WriteString("…")
		}
		for _, m := range l.places {
			if from, to := max(m[0], p[0]), min(m[1], p[1]); from <= to {
				places = append(places, [2]int{sb.Len() + from - p[0], sb.Len() + to - p[0]})
			}
		}
		sb.WriteString(l.Text[p[0]:p[1]])
		last = p[1]
	}
	if last < len(l.Text) {
		sb.WriteString("…")
	}
	return l.with(sb.String(), places)
}

// keeper chooses parts of a line, ascending, until left code points are used up.
type keeper struct {
	s     string
	left  int
	parts [][2]int
}

// keepEnds keeps both ends of a range, with edge code points on either side.
func (k *keeper) keepEnds(from, to, edge int) {
	k.keep(back(k.s, from, edge), min(to, ahead(k.s, from, edge)))
	k.keep(max(from, back(k.s, to, edge)), ahead(k.s, to, edge))
}

func (k *keeper) keep(from, to int) {
	n := len(k.parts) - 1
	if n >= 0 {
		from = max(from, k.parts[n][1])
	}
	to = min(to, ahead(k.s, from, k.left))
	if from >= to {
		return
	}
	k.left -= utf8.RuneCountInString(k.s[from:to])
	if n >= 0 && k.parts[n][1] == from {
		k.parts[n][1] = to
		return
	}
	k.parts = append(k.parts, [2]int{from, to})
}

// back is n code points before offset, ahead n behind it.
func back(s string, offset, n int) int {
	for ; n > 0 && offset > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:offset])
		offset -= size
	}
	return offset
}

func ahead(s string, offset, n int) int {
	for ; n > 0 && offset < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[offset:])
		offset += size
	}
	return offset
}
