package editing

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// windows shows what the changes do, file by file.
func (p *previewer) windows() {
	if !p.ses.State.Open() {
		return
	}
	var parts []string
	files := p.files()
	for _, d := range files {
		ps := p.ofFile(d)
		if len(files) > 1 && len(ps) > 0 {
			ps[0] = strings.Replace(ps[0], rule, heading(d.Name), 1)
		}
		parts = append(parts, ps...)
	}
	if len(parts) > 0 {
		p.sb.WriteString("\nPreview:\n" + strings.Join(parts, "") + rule + "\n")
	}
}

// heading is a rule that names a file.
func heading(name string) string {
	h := "── " + name + " "
	return h + strings.Repeat("─", max(2, utf8.RuneCountInString(rule)-utf8.RuneCountInString(h)))
}

// ofFile returns the windows of a file, each under a rule: what is staged
// together, then one by one what is not part of the proposed text.
func (p *previewer) ofFile(d *Document) []string {
	var parts []string
	add := func(head string, v view) {
		for _, w := range v.windows(p.o.extent(d.Name, v)) {
			var sb strings.Builder
			sb.WriteString(rule + "\n" + head)
			paint(&sb, w)
			parts = append(parts, sb.String())
			head = ""
		}
	}
	add("", d.viewOf(p.ses.Owner, func(c *Change) bool { return slices.Contains(p.changes, c) }))
	for _, c := range p.changes {
		if c.Path != d.Path || c.State == Staged || c.State == Applying {
			continue
		}
		if v, ok := p.view(c); ok && (c.State == Conflict || p.o.Letter != "") {
			if s := p.explained(c); len(v.runs()) > 0 {
				add(s, v)
			} else {
				parts = append(parts, rule+"\n"+s)
			}
		}
	}
	return parts
}

// explained says what the window of a change means that is not simply staged.
func (s *Snapshot) explained(c *Change) string {
	if s.heldBack(c) {
		return s.explainedFile(c)
	}
	if c.State != Conflict {
		return fmt.Sprintf("[%s] %s\n", c.Letter, c.state())
	}
	return fmt.Sprintf("[%[1]s] conflict: - is the user's text, + the agent's. Keep mine (reject %[1]s), take the agent's, or ask again; "+
		"the agent may edit the place again, or memo_drop %[1]s\n", c.Letter)
}
