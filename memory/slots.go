package memory

import (
	"slices"
	"strings"
)

// section is a headed part of an overview: the lines behind its heading up to
// the next.
type section struct {
	heading     string // "" for what stands above the first
	first, last int    // its lines, the heading not included; last is exclusive
}

// sections cuts the lines of an overview at its headings. A # in a code fence
// is none; a fence that nobody closed hides nothing.
func sections(lines []string) []section {
	fences := 0
	for _, line := range lines {
		if isFence(line) {
			fences++
		}
	}
	out := []section{{}}
	fenced := false
	for i, line := range lines {
		if isFence(line) && (fenced || fences > 1) {
			fenced = !fenced
			fences--
		}
		if fenced || !isHeading(line) {
			continue
		}
		out[len(out)-1].last = i
		out = append(out, section{heading: strings.TrimSpace(strings.TrimLeft(line, "#")), first: i + 1})
	}
	out[len(out)-1].last = len(lines)
	return out
}

func isFence(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "```") }

func isHeading(line string) bool {
	text := strings.TrimLeft(line, "#")
	return len(text) < len(line) && strings.HasPrefix(text, " ")
}

// addLine puts a line of code's own at the end of a slot, making the slot if it
// is gone. A line that stands there already is not repeated.
func addLine(body, heading, text string) string {
	cr := strings.TrimSuffix(eolOf(body), "\n")
	line := "- " + oneLine(text) + codeMark + cr
	lines := strings.Split(body, "\n")
	all := sections(lines)
	i := slices.IndexFunc(all, func(s section) bool { return strings.EqualFold(s.heading, heading) })
	if i < 0 {
		if !strings.HasSuffix(body, "\n") && body != "" {
			body += cr + "\n"
		}
		return body + strings.Join([]string{cr, "## " + heading + cr, line, ""}, "\n")
	}
	s := all[i]
	held := lines[s.first:s.last]
	switch {
	case slices.Contains(held, line):
		return body
	case heading == slotDetail:
		held = dropIndexed(held, text)
	case heading == slotSteps:
		held = dropOldest(held, maxSteps-1)
	}
	written := trimBlank(held)
	blanks := held[len(written):]
	if len(blanks) == 0 {
		blanks = []string{""}
	}
	return strings.Join(slices.Concat(lines[:s.first], written, []string{line}, blanks, lines[s.last:]), "\n")
}

// trimBlank is lines without the blank ones at their end.
func trimBlank(lines []string) []string {
	n := len(lines)
	for n > 0 && strings.TrimSpace(lines[n-1]) == "" {
		n--
	}
	return lines[:n:n]
}

// dropOldest keeps the newest of code's own lines, and all others.
func dropOldest(lines []string, keep int) []string {
	own := 0
	for _, l := range lines {
		if isCode(l) {
			own++
		}
	}
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool {
		if !isCode(l) || own <= keep {
			return false
		}
		own--
		return true
	})
}

// dropIndexed takes out code's line for the same file.
func dropIndexed(lines []string, text string) []string {
	file, _, _ := strings.Cut(text, " — ")
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool {
		return isCode(l) && strings.HasPrefix(l, "- "+file+" — ")
	})
}

// isCode tells whether code wrote a line of the overview.
func isCode(line string) bool { return strings.HasSuffix(strings.TrimRight(line, "\r"), codeMark) }
