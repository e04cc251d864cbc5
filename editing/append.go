package editing

import (
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing/match"
	"github.com/galley-ls/galley/editing/text"
)

// Appending asks for text at the end of a document, or behind a place in it: a
// Markdown heading stands for its whole section.
type Appending struct {
	Meta
	Path  string
	Text  string
	After string // heading or text, empty: the end
}

// Append stages an insertion of whole lines.
func Append(a Appending) Op {
	return func(t *tx) Result {
		d, absent := t.sight(a.Owner, a.Path)
		if absent != nil {
			return *absent
		}
		if strings.TrimSpace(a.Text) == "" {
			return refuse("no_change", "text is empty, so there is nothing to append")
		}
		p := d.Proposed(a.Owner)
		a.Text = unmarked(unprefixed(p, a.Text), "", p)
		at, res := a.place(p)
		if res.Status != "" {
			res.Path = d.Path
			return res
		}
		c, refusal := t.stage(d.Path, a.Meta, text.Edits{insertLines(p, at, a.Text)}, requestKey("append", a.Text, a.After))
		if refusal != nil {
			return t.undo(*refusal)
		}
		return Result{Status: StatusEditing, Path: d.Path, Owner: a.Owner, Session: c.Session, Touched: []string{c.Letter}}
	}
}

// place is the offset behind which the lines go.
func (a Appending) place(p text.Text) (int, Result) {
	if a.After == "" {
		return p.Len(), Result{}
	}
	ms := match.Locate(p, a.After)
	switch len(ms) {
	case 0:
		return 0, notFound("anchor_not_found", "`after` (%s) is not in the text; read the file and name a heading or a line of it, or leave `after` out to append at the end", text.Visible(a.After))
	case 1:
		return SectionEnd(p, p.LineOf(max(ms[0].Start, ms[0].End-1))), Result{}
	}
	var lines []string
	for _, m := range ms[:min(5, len(ms))] {
		lines = append(lines, fmt.Sprint(p.LineOf(m.Start)+1))
	}
	return 0, Result{Status: StatusNeedsMatch, Code: "ambiguous_anchor", Total: len(ms), Hint: fmt.Sprintf(
		"`after` stands in %d places (lines %s…); name it with more of the text around it", len(ms), strings.Join(lines, ", "))}
}

// SectionEnd is the end of the line, or of the section if the line is a Markdown
// heading: its last line that is not blank.
func SectionEnd(p text.Text, line int) int {
	level := HeadingLevel(p.Line(line))
	if level == 0 {
		return p.LineEnd(line)
	}
	last := line
	fenced := false
	for i := line + 1; i < p.Lines(); i++ {
		s := p.Line(i)
		if strings.HasPrefix(strings.TrimSpace(s), "```") {
			fenced = !fenced
		}
		if l := HeadingLevel(s); !fenced && l > 0 && l <= level {
			break
		}
		if strings.TrimSpace(s) != "" {
			last = i
		}
	}
	return p.LineEnd(last)
}

// HeadingLevel counts the marks of an ATX heading, 0 for any other line.
func HeadingLevel(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "#"))
	if n == 0 || n > 6 || (len(s) > n && s[n] != ' ' && s[n] != '\t') {
		return 0
	}
	return n
}

// insertLines makes an insertion of whole lines behind offset at, with the line
// endings of the place.
func insertLines(p text.Text, at int, s string) text.Edit {
	nl := p.EOLAt(at)
	body := strings.TrimSuffix(text.Ended(s, nl), nl)
	last := max(0, p.Len()-len(nl))
	switch ended := p.Slice(last, p.Len()) == nl; {
	case at < p.Len():
	case ended && last == 0: // how some editors show an empty file
		return text.Edit{New: body}
	case ended:
		at = last
	default:
		body += nl
	}
	if p.Len() == 0 {
		nl = ""
	}
	return text.Edit{Start: at, End: at, New: nl + body}
}
