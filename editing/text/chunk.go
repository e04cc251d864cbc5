package text

import (
	"sort"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// A text is a list of chunks, substrings of what it was made from or of what edits wrote. A keystroke rewrites one chunk and the lists beside.
// The size balances both. No chunk begins inside a code point or between \r and \n, so what is counted in each chunk can be added up.
const (
	chunkMin = 4 << 10 // smaller ones join a neighbour, except a text's only chunk
	chunkAim = 16 << 10
	chunkMax = 32 << 10
)

type chunk struct {
	s     string
	lf    int          // line endings, \n and \r\n
	crlf  int          // those of them that are \r\n
	cr    int          // \r that are no part of an ending
	chars atomic.Int64 // code points, 0 before they are counted
	plain atomic.Pointer[chunk]
}

func newChunk(s string) *chunk {
	c := &chunk{s: s, lf: strings.Count(s, "\n")}
	if strings.IndexByte(s, '\r') >= 0 {
		c.crlf = strings.Count(s, "\r\n")
		c.cr = strings.Count(s, "\r") - c.crlf
	}
	return c
}

// withoutCR is the chunk with every \r\n as \n.
func (c *chunk) withoutCR() *chunk {
	if c.crlf == 0 {
		return c
	}
	if p := c.plain.Load(); p != nil {
		return p
	}
	p := newChunk(Unix(c.s))
	c.plain.Store(p)
	return p
}

func (c *chunk) charCount() int {
	if n := c.chars.Load(); n > 0 {
		return int(n)
	}
	n := utf8.RuneCountInString(c.s)
	c.chars.Store(int64(n))
	return n
}

func (b *body) size() int { return b.starts[len(b.chunks)] }

// at is the chunk that holds the byte at offset; for the end of the text the last one.
func (b *body) at(offset int) int {
	i := sort.SearchInts(b.starts[:len(b.chunks)], offset+1) - 1
	return max(i, 0)
}

func (b *body) byteAt(offset int) byte {
	i := b.at(offset)
	return b.chunks[i].s[offset-b.starts[i]]
}

// join is the content from start to end, copied only if it lies in several chunks.
func (b *body) join(start, end int) string {
	if start == end && start >= 0 && end <= b.size() {
		return ""
	}
	i := b.at(start)
	if c := b.chunks[i].s; end-b.starts[i] <= len(c) {
		return c[start-b.starts[i] : end-b.starts[i]]
	}
	var sb strings.Builder
	sb.Grow(end - start)
	sb.WriteString(b.chunks[i].s[start-b.starts[i]:])
	for i++; end > b.starts[i+1]; i++ {
		sb.WriteString(b.chunks[i].s)
	}
	sb.WriteString(b.chunks[i].s[:end-b.starts[i]])
	return sb.String()
}

// clean says whether a text may be parted before s[at]: not inside a code point and not between \r and \n.
func clean(s string, at int) bool {
	if at <= 0 || at >= len(s) {
		return true
	}
	if s[at] == '\n' && s[at-1] == '\r' {
		return false
	}
	if utf8.RuneStart(s[at]) {
		return true
	}
	for i := at - 1; i >= max(0, at-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(s[i]) {
			_, size := utf8.DecodeRuneInString(s[i:])
			return i+size <= at
		}
	}
	return true
}

// cleanBetween says whether a text may be parted between a and b.
func cleanBetween(a, b string) bool {
	a = a[max(0, len(a)-utf8.UTFMax):]
	b = b[:min(len(b), utf8.UTFMax)]
	return clean(a+b, len(a))
}
