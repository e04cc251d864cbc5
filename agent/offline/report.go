package offline

import (
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
	waiting := &waiting{}
	for i, u := range p.units {
		if i < p.since {
			continue
		}
		waiting.decide(p.decided, i)
		if line := p.told(u); line != "" {
			lines = append(lines, line)
		}
		lines = append(lines, answerTo(u.result.Decisions)...)
		waiting.follow(u)
	}
	waiting.decide(p.decided, len(p.units))
	return append(lines, waiting.lines()...)
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
		return strings.TrimRight(firstOf(r.Preview, r.Text, "Nothing is staged."), "\n")
	case "memo_begin_task":
		return fmt.Sprintf("Task %sbegun: %s.", number(r.Task.ID), firstOf(r.Task.Goal, text(u.args, "goal")))
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
	path := firstOf(r.Path, text(u.args, "path"))
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

// waiting is what is undecided, by editing session in the order of their first letter.
type waiting struct {
	edits []edit
}

type edit struct {
	id       string
	proposed bool
	letters  []pending
}

// follow takes over what an answer says of its editing session.
func (w *waiting) follow(u unit) {
	r := u.result
	if r.SessionID == "" {
		return
	}
	i := slices.IndexFunc(w.edits, func(e edit) bool { return e.id == r.SessionID })
	if i < 0 {
		w.edits = append(w.edits, edit{id: r.SessionID})
		i = len(w.edits) - 1
	}
	switch {
	case r.closes():
		w.edits[i] = edit{id: r.SessionID}
	case r.Pending != nil:
		w.edits[i].letters = r.Pending
	}
	w.edits[i].proposed = w.edits[i].proposed && !r.closes() || r.Status == "proposed"
}

// decide takes off what the person decided when n calls had been made.
func (w *waiting) decide(decided []closing, n int) {
	for _, d := range decided {
		for i := range w.edits {
			if d.after == n {
				kept := slices.Clone(w.edits[i].letters)
				w.edits[i].letters = slices.DeleteFunc(kept, func(c pending) bool { return c.Letter == d.what })
			}
		}
	}
}

func (w *waiting) lines() []string {
	var lines []string
	open := false
	for _, e := range w.edits {
		if len(e.letters) == 0 {
			continue
		}
		head := "Staged: "
		if e.proposed {
			head = "Waiting for your decision: "
		}
		open = open || !e.proposed
		lines = append(lines, head+lettersText(e.letters)+".")
	}
	if open {
		lines = append(lines, `Nothing is written yet. Say commit "…" or revert "…", or decide letter by letter.`)
	}
	return lines
}

// lettersText groups letters by file: "A and B in notes.md (lines 3 and 9), C in config.json (line 4)".
func lettersText(letters []pending) string {
	var groups []string
	for len(letters) > 0 {
		path := letters[0].Path
		var names, lines []string
		rest := slices.DeleteFunc(slices.Clone(letters), func(c pending) bool {
			if c.Path != path {
				return false
			}
			name := c.Letter
			if c.State != "" {
				name += " (" + c.State + ")"
			}
			if names = append(names, name); c.Line > 0 { // another name has none
				lines = append(lines, fmt.Sprint(c.Line))
			}
			return true
		})
		where := list(names) + " in " + path
		switch len(lines) {
		case 0:
		case 1:
			where += " (line " + lines[0] + ")"
		default:
			where += " (lines " + list(lines) + ")"
		}
		groups = append(groups, where)
		letters = rest
	}
	return strings.Join(groups, ", ")
}
