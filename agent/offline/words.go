package offline

import (
	"cmp"
	"fmt"
	"strings"
)

// failures says in plain words what a code means for the person who gave the step.
var failures = map[string]string{
	"no_match":            "the text is not there",
	"anchor_not_found":    "the anchor is not there",
	"match_before_anchor": "the text stands only before the anchor",
	"already_applied":     "the new text is there already",
	"file_not_found":      "there is no such file",
	"file_exists":         "there is a file of that name",
	"empty_old_text":      "the text to look for is empty",
	"no_change":           "old and new text are the same",
	"placeholder":         "the new text holds a placeholder in place of text",
	"unknown_match_id":    "there is no candidate with this letter",
	codeUsed:              "this candidate is taken already",
	codeAmbiguous:         "not all of the places can be taken at once",
	"letters_full":        "all 26 letters are in use",
	"outside_roots":       "the file is outside the workspace",
	"denied":              "this file may not be touched",
	"not_text":            "the file is not text",
	"too_large":           "the file is too large",
	"bad_arguments":       "the tool did not take the arguments",
	"depth":               "the tasks are nested too deep",
	"applying":            "the change is just being applied",
	"commit_failed":       "the commit failed and nothing was written",
	"owned":               "another agent has a change there",
	"user_edit":           "you have changed the same place",
	"line_key":            "the line has changed",
}

// failureText says which step did not work, why, and what the tool advises.
func failureText(s Step, r result) string {
	why, ok := failures[r.Code]
	if !ok {
		why = "the tool answered " + strings.TrimSpace(r.Status+" "+r.Code)
	}
	text := fmt.Sprintf("%s: %s.", cut(s.String(), 100), why)
	for _, f := range r.Files {
		if f.Code != "" {
			text += fmt.Sprintf("\n  %s: %s", f.Path, cmp.Or(f.Message, f.Code))
		}
	}
	if r.Hint != "" {
		text += "\n" + indent(r.Hint)
	}
	return text
}

// candidatesText asks the person which of several places is meant.
func candidatesText(u unit) string {
	r := u.result
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", question(u))
	for _, c := range r.Candidates {
		fmt.Fprintf(&b, "  %s  line %d  %s", c.ID, c.Line, cut(c.Text, 60))
		if c.Context != "" {
			fmt.Fprintf(&b, "  (%s)", cut(c.Context, 60))
		}
		if c.ChangeID != "" {
			fmt.Fprintf(&b, "  [in change %s]", c.ChangeID)
		}
		if c.Recommended {
			fmt.Fprintf(&b, "  ← recommended: %s", cmp.Or(c.Why, "the most likely one"))
		}
		b.WriteByte('\n')
		if c.Diff != "" {
			b.WriteString(indent(c.Diff) + "\n")
		}
	}
	if len(r.Candidates) == 0 {
		return b.String() + indent(cmp.Or(r.Hint, "Name the place more exactly."))
	}
	return b.String() + howToPick(r)
}

// question says what was looked for and why there is no answer yet.
func question(u unit) string {
	r, old := u.result, text(u.args, "old_text")
	where := cmp.Or(r.Path, text(u.args, "path"))
	if where != "" {
		where = " in " + where
	}
	switch r.Code {
	case "near_match":
		return fmt.Sprintf("“%s” is not%s word for word; something like it is. I do not take it by myself:", cut(old, 60), where)
	case "ambiguous_anchor":
		return fmt.Sprintf("The anchor for “%s” stands%s in several places:", cut(old, 60), where)
	}
	return fmt.Sprintf("“%s” stands%s in %s:", cut(old, 60), where, count(max(r.Total, len(r.Candidates)), "place"))
}

// howToPick says the next prompt word for word.
func howToPick(r result) string {
	letter := r.Candidates[0].ID
	for _, c := range r.Candidates {
		if c.Recommended {
			letter = c.ID
		}
	}
	how := "Say which: pick " + letter
	if r.Code == codeAmbiguous && len(r.Candidates) > 1 {
		how += "; or several: pick " + r.Candidates[0].ID + ", " + r.Candidates[1].ID + "; or each: pick all"
	}
	if more := r.Total - len(r.Candidates); more > 0 {
		how += fmt.Sprintf(". %d more are not shown: say the replacement with everywhere, or name the place with after \"…\"", more)
	}
	return how + ". The list stays open."
}

func text(args map[string]any, key string) string {
	s, _ := args[key].(string)
	return s
}

func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n  ")
}

// count writes "1 change", "2 changes".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// list writes "A", "A and B", "A, B and C".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// summary makes the summary of a commit that was given none: the goal of the task, else what was replaced.
func (p *past) summary() string {
	for i := len(p.all) - 1; i >= 0; i-- {
		u := p.all[i]
		if u.result.closes() || u.result.Status == "proposed" {
			break
		}
		if goal := text(u.args, "goal"); u.name == "memo_begin_task" && u.result.ok() && goal != "" {
			return goal
		}
	}
	for i := len(p.all) - 1; i >= 0; i-- {
		if u := p.all[i]; isEdit(u) && u.result.ok() {
			return editSummary(u)
		}
	}
	return "changes made by instruction"
}

func isEdit(u unit) bool {
	return strings.HasPrefix(u.name, "memory_notebook_replace") || u.name == "memo_append"
}

func editSummary(u unit) string {
	where := ""
	if path := text(u.args, "path"); path != "" {
		where = " in " + path
	}
	switch {
	case u.name == "memo_append":
		return "append to " + cmp.Or(text(u.args, "path"), "the file")
	case text(u.args, "new_text") == "":
		return fmt.Sprintf("delete “%s”%s", cut(text(u.args, "old_text"), 30), where)
	}
	return fmt.Sprintf("replace “%s” with “%s”%s", cut(text(u.args, "old_text"), 30), cut(text(u.args, "new_text"), 30), where)
}
