package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// report sums up for the person what the calls since the prompt came to: what was found, what was closed, what waits.
func (p *past) report() []string {
	var lines []string
	if p.dropped != "" {
		lines = append(lines, "Your new instruction came before the one before it was done. Left undone: "+p.dropped)
	}
	for _, u := range p.units[p.since:] {
		if line := p.told(u); line != "" {
			lines = append(lines, line)
		}
		lines = append(lines, answerTo(u.result.Decisions)...)
	}
	return append(lines, p.waiting()...)
}

// told is what one call is worth saying; staged letters are summed up at the end.
func (p *past) told(u unit) string {
	r := u.result
	switch {
	case r.closes(), r.Status == "proposed":
		return closed(r)
	case !r.ok():
		return ""
	case r.Code == codePending:
		return "The same replacement is staged already."
	}
	switch u.name {
	case "memo_read", "read":
		return p.readText(u)
	case "search_text":
		return searchText(u)
	case "list_files":
		return filesText(u)
	case "memo_preview":
		return strings.TrimRight(cmp.Or(r.Preview, r.Text, "Nothing is staged."), "\n")
	case "memo_begin_task":
		return fmt.Sprintf("Task %sbegun: %s.", number(r.Task.ID), cmp.Or(r.Task.Goal, text(u.args, "goal")))
	case "memo_drop":
		return fmt.Sprintf("%s is taken back.", text(u.args, "change_id"))
	}
	return ""
}

func number(id string) string {
	if id == "" {
		return ""
	}
	return "#" + strings.TrimPrefix(id, "#") + " "
}

// closed tells the end of an editing session, or that it waits for the person.
func closed(r result) string {
	var b strings.Builder
	switch r.Status {
	case "committed":
		fmt.Fprintf(&b, "Committed “%s”: %s", r.Summary, count(r.AppliedChanges, "change"))
		if paths := pathsOf(r.Files); len(paths) > 0 {
			fmt.Fprintf(&b, " in %s", list(paths))
		}
	case "proposed":
		fmt.Fprintf(&b, "Proposed “%s”", r.Summary)
	default:
		b.WriteString("Reverted: what was staged is thrown away")
	}
	b.WriteByte('.')
	if r.Task.ID != "" {
		fmt.Fprintf(&b, " Task %sis %s.", number(r.Task.ID), r.Task.State)
	}
	if r.History.Messages > 0 {
		fmt.Fprintf(&b, " %s folded away, about %s fewer.", count(r.History.Messages, "message"), count(r.History.Tokens, "token"))
	}
	return b.String()
}

func pathsOf(files []file) []string {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return paths
}

// readText shows the text only if reading is all that was asked for; between other steps it is the model's own matter.
func (p *past) readText(u unit) string {
	r := u.result
	path := cmp.Or(r.Path, text(u.args, "path"))
	line := fmt.Sprintf("Read %s: %s, %s.", path, count(r.TotalLines, "line"), count(r.Chars, "character"))
	for _, other := range p.units {
		if other.name != "memo_read" {
			return line
		}
	}
	return line + "\n" + strings.TrimRight(r.Text, "\n")
}

func searchText(u unit) string {
	r := u.result
	lines := []string{fmt.Sprintf("“%s” was found in %s.", text(u.args, "pattern"), count(max(r.Total, len(r.Matches)), "line"))}
	for _, m := range r.Matches {
		lines = append(lines, fmt.Sprintf("  %s:%d: %s", m.Path, m.Line, cut(m.Text, 100)))
	}
	return strings.Join(lines, "\n")
}

func filesText(u unit) string {
	r := u.result
	lines := []string{count(max(r.Total, len(r.Files)), "file") + "."}
	for _, path := range pathsOf(r.Files) {
		lines = append(lines, "  "+path)
	}
	return strings.Join(lines, "\n")
}

// edit is an editing session with the letters that wait in it.
type edit struct {
	id       string
	proposed bool
	letters  []pending
	at       int // the call whose answer named them
}

// edits are the editing sessions of the answers, in the order of their first letter.
func (p *past) edits() []edit {
	var all []edit
	for i, u := range p.units {
		r := u.result
		if i < p.since || r.SessionID == "" {
			continue
		}
		at := slices.IndexFunc(all, func(e edit) bool { return e.id == r.SessionID })
		if at < 0 {
			at, all = len(all), append(all, edit{id: r.SessionID})
		}
		switch {
		case r.closes():
			all[at] = edit{id: r.SessionID}
		case r.Pending != nil:
			all[at].letters, all[at].at = r.Pending, i
		}
		all[at].proposed = all[at].proposed || r.Status == "proposed"
	}
	return all
}

// waiting is what nobody has decided yet.
func (p *past) waiting() []string {
	var lines []string
	open := false
	for _, e := range p.edits() {
		left := slices.DeleteFunc(slices.Clone(e.letters), func(c pending) bool {
			return slices.ContainsFunc(p.decided, func(d closing) bool { return d.what == c.Letter && d.after > e.at })
		})
		switch {
		case len(left) == 0:
		case e.proposed:
			lines = append(lines, "Waiting for your decision: "+lettersText(left)+".")
		default:
			lines, open = append(lines, "Staged: "+lettersText(left)+"."), true
		}
	}
	if open {
		lines = append(lines, `Nothing is written yet. Say commit "…" or revert "…", or decide letter by letter.`)
	}
	return lines
}

// lettersText groups letters by file: "A and B in notes.md (lines 3 and 9), C in config.json (line 4)".
func lettersText(letters []pending) string {
	var paths, groups []string
	names, lines := map[string][]string{}, map[string][]string{}
	for _, c := range letters {
		if !slices.Contains(paths, c.Path) {
			paths = append(paths, c.Path)
		}
		name := c.Letter
		if c.State != "" {
			name += " (" + c.State + ")"
		}
		names[c.Path] = append(names[c.Path], name)
		if c.Line > 0 { // another name has none
			lines[c.Path] = append(lines[c.Path], fmt.Sprint(c.Line))
		}
	}
	for _, path := range paths {
		where := list(names[path]) + " in " + path
		switch at := list(lines[path]); len(lines[path]) {
		case 0:
		case 1:
			where += " (line " + at + ")"
		default:
			where += " (lines " + at + ")"
		}
		groups = append(groups, where)
	}
	return strings.Join(groups, ", ")
}
