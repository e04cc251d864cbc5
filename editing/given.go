package editing

import (
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// What is shown can be given back: tools show a text as plain lines with marks for
// what cannot be shown, and maybe our own prefix before each. A line that comes back as
// it was shown is the line that was there, and a mark is what it stands for.

// Given is p as content wants it, which may hold what tools show of p.
func Given(p text.Text, content string) text.Text {
	q := p.Plain()
	var es text.Edits
	for _, h := range given(p, content, nil) {
		es = append(es, fine(p, q, h)...)
	}
	return p.MustApply(es)
}

// fine is a hunk of given as edits of p, word by word.
func fine(p, q text.Text, h text.Edit) text.Edits {
	es := text.Diff(q.Slice(h.Start, h.End), h.New)
	return p.EndPlain(moved(es, h.Start))
}

// given are the hunks of whole lines, in the plain text of p, that make p read as
// content, which may hold what mask has made of lines. Whether the last line has an ending
// stays as it is, but for lines that come behind it: those have one where content has, or p.
func given(p text.Text, content string, mask func(string) string) text.Edits {
	q := p.Plain()
	if p.Len() == 0 {
		return text.LineDiff("", text.Unix(unprefixed(p, content)))
	}
	was, now := asShown(q), endedLine(text.Unix(unprefixed(p, content)))
	if mask != nil {
		if as := mask(was); strings.Count(as, "\n") == strings.Count(was, "\n") {
			was = as
		}
	}
	es := text.LineDiff(was, now)
	line, at := 0, 0
	place := func(offset int) int {
		line, at = line+strings.Count(was[at:offset], "\n"), offset
		if offset > 0 && was[offset-1] != '\n' { // an insertion behind the line
			return q.LineEnd(line)
		}
		return q.LineStart(line)
	}
	bare := !q.FinalNewline()
	for i := range es {
		e := &es[i]
		e.Start, e.End = place(e.Start), place(e.End)
		e.New = unmarked(e.New, q.Slice(e.Start, e.End), q)
		if bare && e.End == q.Len() {
			*e = unendedEdit(*e, strings.HasSuffix(content, "\n"))
		}
	}
	return es
}

// unendedEdit is an edit of lines at the end of a text whose last line has no ending.
func unendedEdit(e text.Edit, ends bool) text.Edit {
	switch {
	case e.Start == e.End && ends:
		e.New += "\n"
	case e.Start == e.End:
	case e.New == "" && e.Start > 0: // the last lines go with the break before them
		e.Start--
	default:
		e.New = strings.TrimSuffix(e.New, "\n")
	}
	return e
}

// asShown is a plain text as tools show it, every line with an ending.
func asShown(q text.Text) string { return text.Unix(endedLine(text.MarkStray(q.String()))) }

func endedLine(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// ownPrefix is what memo_read puts before a line.
var ownPrefix = text.Pattern(`^[ \t]*(\d+:[0-9a-f]{4}) *(?:[A-Z]!?)? *│`)

// unprefixed takes our own prefixes off s where all its lines have one, or where they
// name lines of p. A text whose own lines begin so keeps them.
func unprefixed(p text.Text, s string) string {
	if !strings.Contains(s, "│") {
		return s
	}
	lines, all := strings.Split(s, "\n"), true
	for i, l := range lines {
		all = all && (ownPrefix().MatchString(l) || l == "" && i == len(lines)-1)
	}
	for line := range strings.Lines(p.String()) {
		if ownPrefix().MatchString(line) {
			return s
		}
	}
	for i, l := range lines {
		if m := ownPrefix().FindStringSubmatch(l); m != nil && (all || names(p, m[1])) {
			lines[i] = l[len(m[0]):]
		}
	}
	return strings.Join(lines, "\n")
}

// names reports whether a line key is one of p.
func names(p text.Text, key string) bool {
	n, hash, _ := lineKey(key)
	return n >= 1 && n <= p.Lines() && text.LineKey(p.Line(n-1)) == hash
}

// unmarked turns the marks in s into what they stand for: what old has, else what p has
// where p does not have the mark itself.
func unmarked(s, old string, p text.Text) string {
	return text.Unmarked(s, func(mark, is string) bool {
		switch {
		case text.Has(old, is):
			return true
		case strings.Contains(old, mark) || strings.Contains(p.String(), mark):
			return false
		}
		return text.Has(p.String(), is)
	})
}
