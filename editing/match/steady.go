package match

import "strings"

// steady finds what each finds, by the algorithm of Knuth, Morris and Pratt: it
// never looks at anything twice, whatever repeats. What it walks over are bytes
// or, if the body has several, lines.
func (n *needle) steady(v string, from, to int, f func(start, end int)) {
	if lines := strings.Split(n.body, "\n"); len(lines) > 1 {
		n.steadyLines(v, from, to, lines, f)
		return
	}
	p := n.body
	back := borders([]byte(p))
	k := 0
	for i := from; i < to; i++ {
		c := v[i]
		for k > 0 && p[k] != c {
			k = back[k]
		}
		if p[k] == c {
			k++
		}
		if k == len(p) {
			f(i+1-k, i+1)
			k = back[k]
		}
	}
}

// steadyLines walks over the lines of v. Those between the first and the last line
// of the body must be the same; then what is before and behind them is compared.
func (n *needle) steadyLines(v string, from, to int, lines []string, f func(start, end int)) {
	first, inner, last := lines[0], lines[1:len(lines)-1], lines[len(lines)-1]
	back := borders(inner)
	ends := make([]int, len(inner)+1) // of the last lines, -1 where the first line of the body does not end
	k, seen := 0, 0
	for at := from; at < to; seen++ {
		end, next := lineAt(v[:to], at)
		line := v[at:end]
		if !n.exact {
			line = trimBlanksRight(line)
		}
		oldest := &ends[seen%len(ends)]
		if k == len(inner) && seen > len(inner) && *oldest >= 0 && strings.HasPrefix(v[at:to], last) {
			f(*oldest-len(first), at+len(last))
		}
		*oldest = -1
		if strings.HasSuffix(line, first) {
			*oldest = at + len(line)
		}
		at = next
		if len(inner) == 0 {
			continue
		}
		for k > 0 && (k == len(inner) || inner[k] != line) {
			k = back[k]
		}
		if inner[k] == line {
			k++
		}
	}
}

// borders are the lengths of the longest proper borders of all prefixes of p.
func borders[E comparable](p []E) []int {
	b := make([]int, len(p)+1)
	for i, k := 1, 0; i < len(p); i++ {
		for k > 0 && p[k] != p[i] {
			k = b[k]
		}
		if p[k] == p[i] {
			k++
		}
		b[i+1] = k
	}
	return b
}
