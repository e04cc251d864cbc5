package match

import "strings"

// steady finds what each finds, by the algorithm of Knuth, Morris and Pratt: it
// never looks at a byte twice, whatever repeats. A second reader follows the
// first by the length of the body and knows where an occurrence began.
func (n *needle) steady(v string, from, to int, f func(start, end int)) {
	p := n.body
	back := borders(p)
	if n.exact && strings.IndexByte(v[from:to], '\r') < 0 {
		plain(v, from, to, p, back, f)
		return
	}
	head := reader{s: v, at: from, to: to, exact: n.exact}
	tail := head
	for k, read := 0, 0; ; {
		c, pos, ok := head.next()
		if !ok {
			return
		}
		read++
		start := 0
		if read >= len(p) {
			_, start, _ = tail.next()
		}
		for k > 0 && (k == len(p) || p[k] != c) {
			k = int(back[k])
		}
		if p[k] == c {
			k++
		}
		if k == len(p) {
			f(start, pos+1)
		}
	}
}

// plain is steady for a text of which every byte counts.
func plain(v string, from, to int, p string, back []int32, f func(start, end int)) {
	k := 0
	for i := from; i < to; i++ {
		c := v[i]
		for k > 0 && (k == len(p) || p[k] != c) {
			k = int(back[k])
		}
		if p[k] == c {
			k++
		}
		if k == len(p) {
			f(i+1-k, i+1)
		}
	}
}

// borders are the lengths of the longest proper borders of all prefixes of p.
func borders(p string) []int32 {
	b := make([]int32, len(p)+1)
	for i, k := 1, 0; i < len(p); i++ {
		for k > 0 && p[k] != p[i] {
			k = int(b[k])
		}
		if p[k] == p[i] {
			k++
		}
		b[i+1] = int32(k)
	}
	return b
}

// reader gives the bytes of a text with line endings as \n and, unless it is
// exact, without blanks at line ends.
type reader struct {
	s      string
	at, to int
	inside int // blanks before this are not at a line end
	exact  bool
}

func (r *reader) next() (c byte, pos int, ok bool) {
	for r.at < r.to {
		c := r.s[r.at]
		if c <= ' ' && r.at >= r.inside && (isBlank(c) && !r.exact || c == '\r') && r.skip() {
			continue
		}
		r.at++
		return c, r.at - 1, true
	}
	return 0, 0, false
}

// skip goes to the \n that ends the line, if nothing else is before it.
func (r *reader) skip() bool {
	at := r.at
	for at < r.to && isBlank(r.s[at]) {
		at++
	}
	r.inside = max(at, r.at+1)
	if at+1 < r.to && r.s[at] == '\r' && r.s[at+1] == '\n' {
		at++
	}
	if at == r.to || r.s[at] == '\n' {
		r.at = at
		return true
	}
	return false
}
