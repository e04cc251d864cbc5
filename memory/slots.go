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

// sectionOf is the first section of this heading.
func sectionOf(lines []string, heading string) (section, bool) {
	all := sections(lines)
	i := slices.IndexFunc(all, func(s section) bool { return strings.EqualFold(s.heading, heading) })
	if i < 0 {
		return section{}, false
	}
	return all[i], true
}

func isFence(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "```") }

func isHeading(line string) bool {
	text := strings.TrimLeft(line, "#")
	return len(text) < len(line) && strings.HasPrefix(text, " ")
}

// addLine puts a line of code's own at the end of a slot, making the slot if it
// is gone. A line that stands there already is not repeated.
func addLine(body, heading, text string) string {
	return addMarked(body, heading, "- "+oneLine(text)+codeMark)
}

// addMarked is addLine for a line with its mark.
func addMarked(body, heading, line string) string {
	cr := strings.TrimSuffix(eolOf(body), "\n")
	line += cr
	lines := strings.Split(body, "\n")
	s, found := sectionOf(lines, heading)
	if !found {
		if !strings.HasSuffix(body, "\n") && body != "" {
			body += cr + "\n"
		}
		return body + strings.Join([]string{cr, "## " + heading + cr, line, ""}, "\n")
	}
	held := lines[s.first:s.last]
	switch {
	case slices.Contains(held, line):
		return body
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

// isCode tells whether code wrote a line of the overview.
func isCode(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	return strings.HasSuffix(line, strings.TrimLeft(codeMark, " ")) || strings.HasSuffix(line, strings.TrimLeft(carriedMark, " "))
}
