package view

import (
	"path"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// A full preview shows the region that a change lies in: of a Markdown file the
// section, of any other the definition, or else the innermost block by indentation
// that is larger than what a compact preview shows.

const regionReach = 2000 // lines that a region reaches at most to either side

// enclosing is the extent of a full preview: the region, and context lines at least.
func enclosing(name string, context int) extent {
	near := around(context)
	find := blockAround
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown":
		find = sectionAround
	}
	return func(v comparison, r run) (int, int) {
		from, to := near(v, r)
		start, end := find(v.new, r.at, max(r.end, r.at+1), from, to)
		return min(from, max(start, r.at-regionReach)), max(to, min(end, r.end+regionReach))
	}
}

// sectionAround is the Markdown section of a line, or what stands before the
// first heading.
func sectionAround(t text.Text, at, _, _, _ int) (int, int) {
	first, end := max(0, at-regionReach), min(t.Lines(), at+regionReach)
	hs := editing.Headings(t, first, end)
	for i, h := range slices.Backward(hs) {
		if h.From <= at {
			return h.From, editing.SectionEnd(t, hs, i) + 1
		}
	}
	if len(hs) > 0 {
		return 0, hs[0].From
	}
	return 0, t.Lines()
}

// blockAround is the definition that holds the lines [at,end); without one the
// innermost block that reaches beyond the lines [from,to), or the outermost.
func blockAround(t text.Text, at, end, from, to int) (int, int) {
	depth := shallowest(t, at, end)
	if depth == 0 {
		return paragraph(t, at, end)
	}
	first := [2]int{-1}
	for {
		var start int
		start, depth = opener(t, at, depth)
		stop := closer(t, end, depth)
		if defines(t.Line(start)) {
			return start, stop
		}
		if first[0] < 0 && (depth == 0 || start < from || stop > to) {
			first = [2]int{start, stop}
		}
		if depth == 0 {
			return first[0], first[1]
		}
	}
}

// defines reports whether a line begins a definition, as most languages write it.
func defines(s string) bool {
	for i, w := range strings.Fields(s) {
		if definers[strings.TrimRight(w, ":({")] {
			return true
		}
		if i == 2 {
			break
		}
	}
	return false
}

var definers = map[string]bool{
	"func": true, "function": true, "fn": true, "def": true, "class": true, "struct": true, "interface": true, "type": true,
	"enum": true, "trait": true, "impl": true, "module": true, "sub": true, "proc": true,
}

// indent is the width of the blanks that a line begins with; ok is false for a
// blank line.
func indent(s string) (int, bool) {
	n := 0
	for i := range len(s) {
		switch s[i] {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		default:
			return n, s[i] != '\r'
		}
	}
	return 0, false
}

// shallowest is the least indentation of the lines [at,end), or of the next line
// with text before them.
func shallowest(t text.Text, at, end int) int {
	least := -1
	for i := at; i < min(end, at+regionReach, t.Lines()); i++ {
		if n, ok := indent(t.Line(i)); ok && (least < 0 || n < least) {
			least = n
		}
	}
	for i := min(at, t.Lines()) - 1; least < 0 && i >= 0; i-- {
		if n, ok := indent(t.Line(i)); ok {
			least = n
		}
	}
	return max(least, 0)
}

// paragraph is what lines without indentation belong to: the lines around up to
// blank ones, and what is indented below.
func paragraph(t text.Text, at, end int) (int, int) {
	start := min(at, t.Lines())
	for ; start > max(0, at-regionReach); start-- {
		if _, ok := indent(t.Line(start - 1)); !ok {
			break
		}
	}
	for ; end < min(t.Lines(), at+regionReach); end++ {
		if _, ok := indent(t.Line(end)); !ok {
			break
		}
	}
	return start, closer(t, end, 0)
}

// opener finds the line before at that is indented less than depth, and its own
// indentation.
func opener(t text.Text, at, depth int) (int, int) {
	for i := min(at, t.Lines()) - 1; i >= max(0, at-regionReach); i-- {
		if n, ok := indent(t.Line(i)); ok && n < depth {
			return i, n
		}
	}
	return max(0, at-regionReach), 0
}

// closer finds the end of a block whose first line is indented by depth: behind
// its closing line, or before the first line that belongs to it no more.
func closer(t text.Text, end, depth int) int {
	last := end
	for i := end; i < min(t.Lines(), end+regionReach); i++ {
		s := t.Line(i)
		n, ok := indent(s)
		switch {
		case !ok:
			continue
		case n > depth:
			last = i + 1
			continue
		case closes(s):
			return i + 1
		}
		return last
	}
	return last
}

func closes(s string) bool {
	s = strings.TrimSpace(s)
	return strings.IndexAny(s, ")]}") == 0 || strings.HasPrefix(s, "</") || strings.TrimRight(s, ";,") == "end"
}
