package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
)

// toPerson is what was said to the model, on a person's terminal.
func toPerson(hint string) string { return term.Clean(view.ToPerson(hint)) }

// Succeeded reports whether the status of a tool call or a decision is a success.
func Succeeded(status string) bool { return editing.Result{Status: status}.OK() }

// outcomeLines says in plain lines what became of a decision; places are where the letters stand.
func outcomeLines(s term.Screen, o tools.Outcome, places map[string]string) []term.Line {
	if !Succeeded(o.Status) && o.Status != tools.StatusCommitting {
		return failedLines(s, o)
	}
	var lines []term.Line
	for _, d := range o.Decisions {
		lines = append(lines, decisionLine(d, places[d.Letter]))
	}
	switch o.Status {
	case tools.StatusCommitted:
		lines = append(lines, term.Line{As: term.Good, Text: "✓ " + ClosedLine(s, o, "committed")})
	case tools.StatusReverted:
		lines = append(lines, term.Line{As: term.Faint, Text: "↩ " + ClosedLine(s, o, "reverted")})
	}
	if o.Hint != "" {
		lines = append(lines, term.Line{As: term.Faint, Text: "  " + toPerson(o.Hint)})
	}
	return lines
}

func failedLines(s term.Screen, o tools.Outcome) []term.Line {
	lines := []term.Line{{As: term.Bad, Text: "! not done: " + toPerson(cmp.Or(o.Hint, strings.TrimSpace(o.Status+" "+o.Code)))}}
	for _, f := range o.Files {
		if f.Code != "" {
			lines = append(lines, term.Line{As: term.Plain, Text: "  " + s.Path(f.Path) + ": " + toPerson(f.Message)})
		}
	}
	return lines
}

// decisionLine says what became of one letter: "✓ A applied: src/app.py, line 12".
func decisionLine(d editing.Decision, place string) term.Line {
	line := term.Line{As: term.Plain, Text: "· " + d.Letter + " " + d.State}
	switch d.State {
	case "applied":
		line = term.Line{As: term.Good, Text: "✓ " + d.Letter + " applied"}
	case "rejected":
		line = term.Line{As: term.Faint, Text: "✗ " + d.Letter + " rejected"}
	case "closed":
		line = term.Line{As: term.Faint, Text: "✗ " + d.Letter + " thrown away"}
	case "staged":
		line = term.Line{As: term.Ask, Text: "↺ " + d.Letter + " waits again"}
	}
	if place != "" {
		line.Text += ": " + place
	}
	if d.Reason != "" {
		line.Text += " · “" + term.OneLine(d.Reason, 200) + "”"
	}
	return line
}

// placeOf names the file and the line of a letter, or what it does to a file.
func placeOf(s term.Screen, c view.Change) string {
	switch {
	case c.Kind.File():
		return term.OneLine(c.Summary, 160)
	case c.Where.Line == 0:
		return s.Path(c.Name)
	}
	return fmt.Sprintf("%s, line %d", s.Path(c.Name), c.Where.Line)
}

// ClosedLine is the end of an editing session: "#3 committed: enable X (1 change in config.json)".
func ClosedLine(s term.Screen, o tools.Outcome, how string) string {
	line := cmp.Or(editName(o.SessionID), "the editing session") + " " + how
	if o.Summary != "" {
		line += ": " + term.OneLine(o.Summary, 120)
	}
	var facts []string
	if o.AppliedChanges != nil && (*o.AppliedChanges > 0 || o.Status == tools.StatusCommitted) {
		facts = append(facts, text.Plural(*o.AppliedChanges, "change")+inFiles(s, o.Files))
	}
	if d := o.HistoryDelta; d != nil && d.MessagesRemoved > 0 {
		facts = append(facts, text.Plural(d.MessagesRemoved, "message")+" folded")
	}
	if len(facts) > 0 {
		line += " (" + strings.Join(facts, "; ") + ")"
	}
	return line
}

// editName is an editing session as people name it: "#3" for "sess-3".
func editName(id string) string {
	n, ok := tools.EditNumber(id)
	if !ok || n == 0 {
		return ""
	}
	return fmt.Sprintf("#%d", n)
}

func inFiles(s term.Screen, files []tools.File) string {
	const most = 3
	switch n := len(files); {
	case n == 0:
		return ""
	case n > most:
		return fmt.Sprintf(" in %d files", n)
	}
	var names []string
	for _, f := range files {
		names = append(names, s.Path(f.Path))
	}
	return " in " + strings.Join(names, ", ")
}

// Remind says which letters wait, if any, and the command that reviews them. It is not cut, since it is copied.
func Remind(s term.Screen, letters []string, galley func(words ...string) string, session string) {
	if len(letters) > 0 {
		s.Println(s.Paint(term.Ask, WaitLetters(letters)+": ") + galley("review", "--session", session))
	}
}

// WaitLetters says that letters wait: "A, C wait for you".
func WaitLetters(letters []string) string {
	switch len(letters) {
	case 0:
		return "nothing waits"
	case 1:
		return letters[0] + " waits for you"
	}
	return strings.Join(letters, ", ") + " wait for you"
}

// waysOut says how conflicts end that stood in the way of a decision.
func (r *Reviewer) waysOut(o tools.Outcome, letters []string) {
	if Succeeded(o.Status) {
		return
	}
	for _, c := range r.Waiting() {
		if c.State != editing.Conflict || !slices.Contains(letters, c.Letter) {
			continue
		}
		for _, w := range waysOut {
			if c.Stuck != "" && w.texts {
				continue
			}
			how := wordOf(w.verb) + " " + c.Letter
			if r.Galley != nil {
				how = r.Galley("review", "--session", r.Session.ID(), w.flag, c.Letter)
			}
			r.Console.Out.Println("  " + term.Pad(w.does+":", 21) + how)
		}
	}
}

// waysOut are the ends of a conflict: where texts meet, and where a file is in the way.
var waysOut = []struct {
	verb  verb
	flag  string
	does  string
	texts bool // it chooses between two texts
}{
	{verbMine, "--keep-mine", "keep your text", true},
	{verbAgents, "--take-agents", "take the agent's", true},
	{verbReject, "--reject", "throw it away", false},
	{verbAgain, "--ask-again", "ask the agent again", false},
}
