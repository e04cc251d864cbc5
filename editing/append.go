package editing

import (
	"fmt"
	"slices"
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
		a.Text, a.After = unmarked(unprefixed(p, a.Text), "", p), unmarked(unprefixed(p, a.After), "", p)
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
	var hs []Heading
	if prose(a.Path) {
		hs = Headings(p, 0, p.Lines())
	}
	lines := a.lines(p, hs)
	switch len(lines) {
	case 0:
		return 0, notFound("anchor_not_found", "`after` (%s) is not in the text; read the file and name a heading or a line of it, or leave `after` out to append at the end", text.Visible(a.After))
	case 1:
		line := lines[0]
		if i := headingAt(hs, line); i >= 0 {
			line = SectionEnd(p, hs, i)
		}
		return p.LineEnd(line), Result{}
	}
	var shown []string
	for _, line := range lines[:min(5, len(lines))] {
		shown = append(shown, fmt.Sprint(line+1))
	}
	return 0, Result{Status: StatusNeedsMatch, Code: "ambiguous_anchor", Total: len(lines), Hint: fmt.Sprintf(
		"`after` stands in %d places (lines %s…); name it with more of the text around it", len(lines), strings.Join(shown, ", "))}
}

// lines are those that After may mean: whole lines, of which headings go first, or
// else headings by what they say, or else lines that have it somewhere.
func (a Appending) lines(p text.Text, hs []Heading) []int {
	whole := lastLines(p, match.Whole(p, a.After))
	titled := slices.DeleteFunc(slices.Clone(whole), func(line int) bool { return headingAt(hs, line) < 0 })
	switch {
	case len(titled) == 1:
		return titled
	case len(whole) > 0:
		return whole
	}
	for _, h := range hs {
		if h.Title == strings.TrimSpace(a.After) {
			titled = append(titled, h.To)
		}
	}
	if len(titled) > 0 {
		return titled
	}
	return lastLines(p, match.Locate(p, a.After))
}

// lastLines are the lines that matches end on.
func lastLines(p text.Text, ms []match.Match) []int {
	var all []int
	for _, m := range ms {
		all = append(all, p.LineOf(max(m.Start, m.End-1)))
	}
	return slices.Compact(all)
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
