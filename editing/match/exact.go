package match

import "strings"

// each calls f for every occurrence of the body in v[from:to], also overlapping
// ones, in order. Any line ending equals any other. Unless the needle is exact,
// blanks at the line ends of v do not count.
//
// It looks for the core and then around it. Where that does not pay, because the
// core is everywhere, it goes over to a search that is linear in any case.
func (n *needle) each(v string, from, to int, f func(start, end int)) {
	budget := 2*(to-from) + 1<<16
	cost := 32*(strings.Count(n.body, "\n")+1) + len(n.body)/16
	for at := from; ; at++ {
		i := strings.Index(v[at:to], n.core)
		if i < 0 {
			return
		}
		at += i
		start, end := n.around(v, at)
		if start >= from && end <= to {
			f(start, end)
			from = start + 1
		}
		if budget -= cost; budget < 0 {
			n.steady(v, from, to, f)
			return
		}
	}
}

// around is where the body stands if its core stands at an offset of v, else -1.
func (n *needle) around(v string, at int) (start, end int) {
	end = n.forward(v, at+len(n.core), n.body[n.at+len(n.core):])
	if end < 0 {
		return -1, -1
	}
	if start = n.backward(v, at, n.body[:n.at]); start < 0 {
		return -1, -1
	}
	return start, end
}

// forward is the end of p if it stands at v[at:], else -1.
func (n *needle) forward(v string, at int, p string) int {
	for {
		line, rest, more := strings.Cut(p, "\n")
		if !strings.HasPrefix(v[at:], line) {
			return -1
		}
		at += len(line)
		if !more {
			return at
		}
		if insideEnding(v, at) {
			return -1
		}
		if !n.exact {
			at = skipBlanks(v, at)
		}
		if at = ending(v, at); at < 0 {
			return -1
		}
		p = rest
	}
}

// insideEnding says whether an offset is between \r and \n: then the \r before it
// is no data.
func insideEnding(s string, at int) bool {
	return at > 0 && at < len(s) && s[at] == '\n' && s[at-1] == '\r'
}

// newline is the start of the next line if only blanks are between, else -1.
func newline(v string, at int) int { return ending(v, skipBlanks(v, at)) }

func skipBlanks(v string, at int) int {
	for at < len(v) && isBlank(v[at]) {
		at++
	}
	return at
}

// ending is the end of the line ending at an offset, -1 if there is none.
func ending(v string, at int) int {
	if at+1 < len(v) && v[at] == '\r' {
		at++
	}
	if at < len(v) && v[at] == '\n' {
		return at + 1
	}
	return -1
}

// backward is the start of p if it ends at v[:at], else -1.
func (n *needle) backward(v string, at int, p string) int {
	for {
		i := strings.LastIndexByte(p, '\n')
		line := p[i+1:]
		if !strings.HasSuffix(v[:at], line) {
			return -1
		}
		at -= len(line)
		if i < 0 {
			return at
		}
		if at == 0 || v[at-1] != '\n' {
			return -1
		}
		at--
		if at > 0 && v[at-1] == '\r' {
			at--
		}
		for !n.exact && at > 0 && isBlank(v[at-1]) {
			at--
		}
		p = p[:i]
	}
}
