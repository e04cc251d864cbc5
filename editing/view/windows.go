package view

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing"
)

// windows shows what the changes do, file by file.
func (p *previewer) windows() {
	if !p.ses.State.Open() {
		return
	}
	var parts []string
	title := "Preview:"
	files := p.files()
	for _, d := range files {
		ps := p.ofFile(d)
		if len(files) > 1 && len(ps) > 0 {
			ps[0] = strings.Replace(ps[0], rule, heading(d.Name), 1)
		}
		parts = append(parts, ps...)
	}
	if p.mixed {
		title = "Preview (the letter at a line's number has a part in the line, and waits too):"
	}
	if len(parts) > 0 {
		p.sb.WriteString("\n" + title + "\n" + strings.Join(parts, "") + rule + "\n")
	}
}

// heading is a rule that names a file.
func heading(name string) string {
	h := "── " + name + " "
	return h + strings.Repeat("─", max(2, utf8.RuneCountInString(rule)-utf8.RuneCountInString(h)))
}

// ofFile returns the windows of a file, each under a rule: what is staged
// together, then one by one what is not part of the proposed text.
func (p *previewer) ofFile(d *editing.Document) []string {
	var parts []string
	add := func(head string, v comparison) {
		for _, w := range v.windows(p.o.extent(d.Name, v)) {
			parts = append(parts, rule+"\n"+head+p.o.painted(w))
			p.mixed = p.mixed || slices.ContainsFunc(w, func(l Line) bool { return l.Theirs != "" })
			head = ""
		}
	}
	add("", together(d, p.ses.Owner, func(c *editing.Change) bool { return slices.Contains(p.changes, c) }))
	for _, c := range p.changes {
		if c.Path != d.Path || c.Proposes() {
			continue
		}
		if v, ok := compared(p.Snapshot, c); ok && (c.State == editing.Conflict || p.o.Letter != "") {
			if s := explained(p.Snapshot, c); len(v.runs()) > 0 {
				add(s, v)
			} else {
				parts = append(parts, rule+"\n"+s)
			}
		}
	}
	return parts
}

// explained says what the window of a change means that is not simply staged.
func explained(s *editing.Snapshot, c *editing.Change) string {
	if why, ok := s.Stuck(c); ok {
		return fmt.Sprintf("[%s] conflict: %s; %s\n", c.Letter, why, wayOut(s, c))
	}
	if c.State != editing.Conflict {
		return fmt.Sprintf("[%s] %s\n", c.Letter, standing(c))
	}
	return fmt.Sprintf("[%[1]s] conflict: - is the user's text, + the agent's. Keep mine (reject %[1]s), take the agent's, or ask again; "+
		"the agent may edit the place again, or memo_drop %[1]s\n", c.Letter)
}

// wayOut says what ends a conflict that is about files.
func wayOut(s *editing.Snapshot, c *editing.Change) string {
	d, _ := s.Document(c.Path)
	switch {
	case !c.Kind.File():
		return "it waits for the file to come back; reject it, or ask again"
	case c.Kind != editing.KindRename && !d.Gone():
		return fmt.Sprintf("- is the user's text, + the agent's. Keep mine (reject %s), take the agent's, or ask again", c.Letter)
	}
	return "reject it, or ask again"
}
