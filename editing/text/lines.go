package text

import (
	"sort"
	"strings"
)

// Lines is the number of lines. A line ends with \n or \r\n; what stands behind the last ending is a line only if it is not empty: "" has 0
// lines, "a" and "a\n" 1, "a\n\n" 2.
func (t Text) Lines() int {
	b := t.body()
	n := b.lines[len(b.chunks)]
	if b.size() > 0 && !t.FinalNewline() {
		n++
	}
	return n
}

// LineOf is the line, counted from 0, that holds a byte offset. An ending belongs to its line. The end of a text with a final newline is on
// line Lines(), which is empty.
func (t Text) LineOf(offset int) int {
	b := t.body()
	offset = clamp(offset, b.size())
	if offset == 0 {
		return 0
	}
	i := b.at(offset)
	return b.lines[i] + strings.Count(b.chunks[i].s[:offset-b.starts[i]], "\n")
}

// LineStart is the byte offset at which a line begins. From line Lines() on it is the end of the text.
func (t Text) LineStart(line int) int {
	b := t.body()
	if line <= 0 {
		return 0
	}
	if line > b.lines[len(b.chunks)] {
		return b.size()
	}
	// The chunk with the line-th ending: the first one after which there are at least that many.
	i := sort.SearchInts(b.lines[1:], line)
	return b.starts[i] + afterEnding(b.chunks[i].s, line-b.lines[i])
}

// afterEnding is the offset behind the n-th \n of s, counted from 1. Whole blocks are counted first: that is many times faster than going
// from line to line.
func afterEnding(s string, n int) int {
	const block = 1 << 10
	at := 0
	for len(s)-at > block {
		k := strings.Count(s[at:at+block], "\n")
		if k >= n {
			break
		}
		n -= k
		at += block
	}
	for ; n > 0; n-- {
		at += strings.IndexByte(s[at:], '\n') + 1
	}
	return at
}

// LineEnd is the byte offset at which a line ends, before its ending.
func (t Text) LineEnd(line int) int {
	b := t.body()
	start, end := t.LineStart(line), t.LineStart(line+1)
	return end - len(ending(b.tail(start, end)))
}

// Line is a line without its ending.
func (t Text) Line(line int) string {
	start, end := t.LineStart(line), t.LineStart(line+1)
	s := t.Slice(start, end)
	return s[:len(s)-len(ending(s))]
}

// tail is the last two bytes of a range: all that is needed to see how it ends.
func (b *body) tail(start, end int) string { return b.join(max(start, end-2), end) }

// ending is the line ending at the end of s: "\n", "\r\n" or none.
func ending(s string) string {
	switch {
	case strings.HasSuffix(s, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(s, "\n"):
		return "\n"
	}
	return ""
}

// BOM says whether the file begins with a byte order mark.
func (t Text) BOM() bool { return t.body().bom }

// EOL is the line ending that most lines have: "\r\n", or "\n" also when there are as many of both or none. A text that has none but \r
// is of a system that ended lines so.
func (t Text) EOL() string {
	b := t.body()
	switch n := b.lines[len(b.chunks)]; {
	case b.crlf > n-b.crlf:
		return "\r\n"
	case n == 0 && b.cr > 0:
		return "\r"
	}
	return "\n"
}

// LoneCR says whether there is a \r that is no part of an ending. It is data, but not to everybody.
func (t Text) LoneCR() bool { return t.body().cr > 0 }

// MixedEOL says whether lines end in both ways.
func (t Text) MixedEOL() bool {
	b := t.body()
	return b.crlf > 0 && b.crlf < b.lines[len(b.chunks)]
}

// FinalNewline says whether the last line has an ending. An empty text has none.
func (t Text) FinalNewline() bool {
	b := t.body()
	return b.size() > 0 && b.byteAt(b.size()-1) == '\n'
}

// EOLAt is the line ending that a line inserted at offset should have: that of the line there, else of the line before, else the usual one.
func (t Text) EOLAt(offset int) string {
	if !t.MixedEOL() {
		return t.EOL()
	}
	b := t.body()
	line := t.LineOf(offset)
	for _, l := range []int{line, line - 1} {
		if l < 0 {
			break
		}
		if e := ending(b.tail(t.LineStart(l), t.LineStart(l+1))); e != "" {
			return e
		}
	}
	return t.EOL()
}
