package match

import "strings"

// needle is a text to look for: its body, and the blank edges around it.
type needle struct {
	lead, body, trail string
	exact             bool
	core              string // the part of the body that is searched for first
	at                int    // where in the body it stands
}

// newNeedle prepares a text that is not blank. Unless it is to be found exactly,
// blanks at its line ends are no part of the body. The sample is like the text
// that will be searched.
func newNeedle(s, sample string, exact bool) needle {
	n := needle{body: strings.Trim(s, " \t\n"), exact: exact}
	at := strings.Index(s, n.body)
	n.lead, n.trail = s[:at], s[at+len(n.body):]
	if !exact && (strings.Contains(n.body, " \n") || strings.Contains(n.body, "\t\n")) {
		lines := strings.Split(n.body, "\n")
		for i, l := range lines {
			lines[i] = strings.TrimRight(l, " \t")
		}
		n.body = strings.Join(lines, "\n")
	}
	n.choose(sample)
	return n
}

const (
	coreMax   = 48 // what the standard library compares in one go
	sampleMax = 4096
)

// choose takes as core a piece of a line that starts with what is rare in the
// text, so that the search can skip most of it.
func (n *needle) choose(sample string) {
	freq := frequencies(sample)
	best := -1.0
	for start := 0; start < min(len(n.body), 4*sampleMax); {
		end := len(n.body)
		if i := strings.IndexByte(n.body[start:], '\n'); i >= 0 {
			end = start + i
		}
		for i := start; i < end && i < start+sampleMax; i++ {
			cost := 1.0
			for k := i; k < min(i+6, end); k++ {
				cost *= freq[n.body[k]]
			}
			cost += freq[n.body[i]] / 64
			if best < 0 || cost < best {
				best, n.at, n.core = cost, i, n.body[i:min(i+coreMax, end)]
			}
		}
		start = end + 1
	}
}

// frequencies are the shares of the byte values in a text, from a sample of it.
func frequencies(s string) *[256]float64 {
	var f [256]float64
	step := max(1, len(s)/sampleMax)
	share := 1 / float64(len(s)/step+2)
	for i := range f {
		f[i] = share / 2
	}
	for i := 0; i < len(s); i += step {
		f[s[i]] += share
	}
	return &f
}
