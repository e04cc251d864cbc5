package match

import "strings"

// lines finds a text as whole lines: at tier Indent with other leading blanks, at
// tier Blanks with other runs of blanks and blank lines, too. It walks over the
// lines as steady walks over bytes.
func (h *haystack) lines(n *needle, tier Tier) hits {
	found := h.hits(tier)
	v := h.view()
	p := pattern(n.body, tier)
	back := borders(p)
	ring := make([]int, len(p)) // where the last lines began
	from, to := h.bounds(v)
	k, seen := 0, 0
	for at := lineStart(v.s, from); at < to; {
		end, next := lineAt(v.s, at)
		line := trimBlanksLeft(v.s[at:end])
		start := end - len(line)
		line, at = trimBlanksRight(line), next
		if line == "" && tier == Blanks {
			continue
		}
		ring[seen%len(p)] = start
		seen++
		for k > 0 && !sameLine(line, p[k], tier) {
			k = back[k]
		}
		if sameLine(line, p[k], tier) {
			k++
		}
		if k == len(p) {
			a, b := v.start(ring[seen%len(p)]), v.end(start+len(line))
			if a >= h.lo && b >= 0 && b <= h.hi {
				found.add(a, b)
			}
			k = back[k]
		}
	}
	return found
}

// lineAt is the end of the line at an offset, without its ending, and the start
// of the next one.
func lineAt(s string, at int) (end, next int) {
	i := strings.IndexByte(s[at:], '\n')
	if i < 0 {
		return len(s), len(s)
	}
	end, next = at+i, at+i+1
	if end > at && s[end-1] == '\r' {
		end--
	}
	return end, next
}

// pattern is the lines of a body in the form that sameLine compares with.
func pattern(body string, tier Tier) []string {
	lines := strings.Split(body, "\n")
	kept := lines[:0]
	for _, l := range lines {
		l = strings.Trim(l, " \t")
		if tier == Blanks {
			if l = collapse(l); l == "" {
				continue
			}
		}
		kept = append(kept, l)
	}
	return kept
}

// collapse makes every run of blanks one space.
func collapse(s string) string {
	if !strings.Contains(s, "  ") && !strings.Contains(s, "\t") {
		return s
	}
	var sb strings.Builder
	for i := 0; i < len(s); i++ {
		if !isBlank(s[i]) {
			sb.WriteByte(s[i])
		} else if i == 0 || !isBlank(s[i-1]) {
			sb.WriteByte(' ')
		}
	}
	return sb.String()
}

// sameLine compares a line without its outer blanks with one of a pattern.
func sameLine(line, p string, tier Tier) bool {
	if len(line) == len(p) || tier == Indent {
		if line == p || tier == Indent {
			return line == p
		}
	}
	j := 0
	for i := 0; i < len(line); i++ {
		c := line[i]
		if isBlank(c) {
			if isBlank(line[i-1]) {
				continue
			}
			c = ' '
		}
		if j == len(p) || p[j] != c {
			return false
		}
		j++
	}
	return j == len(p)
}
