package run

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
)

// Call is a tool call with its result.
type Call struct {
	name   string
	args   arguments
	result tools.Outcome
	at     term.Screen // that the files are named for
}

// arguments are those that a line about a call may mention.
type arguments struct {
	Path    string `json:"path"`
	Pattern string `json:"pattern"`
	Glob    string `json:"glob"`
	Goal    string `json:"goal"`
	Letter  string `json:"change_id"`
	Reason  string `json:"reason"`
	Task    string `json:"task_id"`
	Summary string `json:"summary"`
	To      string `json:"to"`
	Command string `json:"command"`
}

// callOf is a call that was answered so: with an outcome, or with a text where there is none, since the tool broke.
func callOf(c memory.ToolCall, answer string) Call {
	out := Call{name: c.Name}
	_ = json.Unmarshal([]byte(c.Arguments), &out.args) // arguments that are none have been refused, and the result says so
	_ = json.Unmarshal([]byte(answer), &out.result)
	return out
}

// Told tells a call with its answer in one line.
func Told(c memory.ToolCall, answer string) string { return callOf(c, answer).step().Text }

// step tells a call in one line.
func (c Call) step() term.Line {
	if c.name == runCommand {
		return c.ran()
	}
	if !review.Succeeded(c.result.Status) {
		return c.failed()
	}
	if line, ok := c.changed(); ok {
		return line
	}
	return term.Line{As: term.Faint, Text: "· " + c.looked()}
}

// path is the file of a call, as far as it is known.
func (c Call) path() string {
	path := c.result.Path
	if path == "" {
		path = c.args.Path
	}
	return c.at.Path(path)
}

// in names the file behind a sentence: " in config.json".
func (c Call) in() string {
	if c.path() == "" {
		return ""
	}
	return " in " + c.path()
}

// looked is a call that changed nothing.
func (c Call) looked() string {
	switch r := c.result; c.name {
	case "memo_read", "read":
		return "read " + cmp.Or(c.path(), "the document") + c.lines()
	case "list_files":
		return "listed " + cmp.Or(term.Clean(c.args.Glob), "the files") + found(r, "file")
	case "search_text":
		return "searched “" + term.OneLine(c.args.Pattern, 40) + "”" + c.in() + found(r, "match")
	case "memo_preview":
		return "looked at the preview"
	case "memo_export_diff", "memo_export_session":
		return "exported " + map[bool]string{true: "the patch", false: "the log"}[c.name == "memo_export_diff"] +
			map[bool]string{true: " to " + term.Clean(c.args.To)}[c.args.To != ""]
	case "memo_update_task":
		return "updated task #" + strings.TrimPrefix(c.args.Task, "#")
	case "write", "memo_append", "memory_notebook_replace", "memory_notebook_replace_span":
		if r.Preview != "" {
			return "tried a change" + c.in()
		}
		return "wrote " + c.path()
	}
	return term.Clean(c.name) + ": " + term.Clean(c.result.Status)
}

func (c Call) lines() string {
	r := c.result
	if r.StartLine == nil || r.EndLine == nil || r.TotalLines == nil || *r.EndLine-*r.StartLine+1 >= *r.TotalLines {
		return ""
	}
	return fmt.Sprintf(", lines %d–%d of %d", *r.StartLine, *r.EndLine, *r.TotalLines)
}

func found(r tools.Outcome, what string) string {
	switch {
	case r.Total == nil:
		return ""
	case what == "match" && *r.Total != 1:
		return fmt.Sprintf(": %d matches", *r.Total)
	}
	return ": " + text.Plural(*r.Total, what)
}

// changed is a call that staged, decided or began something.
func (c Call) changed() (line term.Line, ok bool) {
	switch r := c.result; r.Status {
	case tools.StatusEditing:
		return term.Line{As: term.Good, Text: "✎ " + c.staged()}, true
	case tools.StatusProposed:
		return term.Line{As: term.Ask, Text: "✓ " + proposedLine(c.at, r)}, true
	case tools.StatusCommitted:
		return term.Line{As: term.Good, Text: "✓ " + c.ended("committed", "done")}, true
	case tools.StatusReverted:
		return term.Line{As: term.Faint, Text: "↩ " + c.ended("reverted", "given up")}, true
	}
	switch c.name {
	case "memo_begin_task":
		return term.Line{As: term.Strong, Text: "▸ task" + taskName(c.result.Task) + ": " + term.OneLine(c.args.Goal, 80)}, true
	case "memo_drop":
		return term.Line{As: term.Plain, Text: "✎ took " + term.Clean(c.args.Letter) + " back" + because(c.args.Reason)}, true
	}
	return term.Line{}, false
}

func taskName(t *tools.TaskState) string {
	if t == nil || t.ID == "" {
		return ""
	}
	return " #" + t.ID
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + term.OneLine(reason, 80)
}

// staged names the letters that the call touched, and what the first one does.
func (c Call) staged() string {
	var letters []string
	what, path := "", c.path()
	for _, p := range c.result.PendingChanges {
		if p.Preview == "" {
			continue
		}
		if letters = append(letters, p.ChangeID); what == "" {
			what, path = term.OneLine(p.Summary, 100), c.at.Path(p.Path)
		}
	}
	line := "staged " + cmp.Or(strings.Join(letters, ", "), "a change")
	if path != "" {
		line += " in " + path
	}
	if len(letters) == 1 && what != "" {
		line += ": " + what
	}
	return line
}

// ended is the end of an editing session, or of a task without one.
func (c Call) ended(how, without string) string {
	if c.result.SessionID == "" {
		return "task" + taskName(c.result.Task) + " " + without + because(c.result.Summary)
	}
	return review.ClosedLine(c.at, c.result, how)
}

// proposedLine says what a commit leaves for the person: "#3 proposed: enable X · A, C wait for you".
func proposedLine(s term.Screen, o tools.Outcome) string {
	o.AppliedChanges = nil
	return review.ClosedLine(s, o, "proposed") + " · " + review.WaitLetters(pendingLetters(o))
}

func pendingLetters(o tools.Outcome) []string {
	var letters []string
	for _, p := range o.PendingChanges {
		letters = append(letters, p.ChangeID)
	}
	return letters
}

// failed is a call that the model has to think about.
func (c Call) failed() term.Line {
	r := c.result
	switch {
	case len(r.Candidates) > 0 && r.Code == tools.CodeNearMatch:
		return term.Line{As: term.Ask, Text: "? nothing is exactly that" + c.in() + ", but similar: " + c.places()}
	case len(r.Candidates) > 0:
		total := len(r.Candidates)
		if r.Total != nil {
			total = *r.Total
		}
		return term.Line{As: term.Ask, Text: "? " + text.Plural(total, "place") + c.in() + ": " + c.places()}
	case r.Status == "":
		return term.Line{As: term.Bad, Text: "! " + term.Clean(c.name) + " broke"}
	case r.Status == tools.StatusNotFound && r.Code == tools.CodeNoMatch:
		return term.Line{As: term.Ask, Text: "– not found" + c.in() + because(view.ToPerson(r.Hint))}
	}
	what := strings.ReplaceAll(cmp.Or(r.Code, r.Status), "_", " ")
	return term.Line{As: term.Ask, Text: "– " + what + because(view.ToPerson(r.Hint))}
}

// places lists candidates: "A line 12, B line 45 (recommended)".
func (c Call) places() string {
	var places []string
	for _, p := range c.result.Candidates {
		place := fmt.Sprintf("%s line %d", p.ID, p.Line)
		if p.Recommended {
			place += " (recommended: " + term.OneLine(cmp.Or(p.Why, "the first"), 60) + ")"
		}
		places = append(places, place)
	}
	return strings.Join(places, ", ")
}
