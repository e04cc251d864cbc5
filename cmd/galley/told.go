package main

import (
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
)

// succeeded reports whether the status of a tool call or a decision is a success.
func succeeded(status string) bool { return editing.Result{Status: status}.OK() }

// warn tells what a session has to say about itself.
func warn(c console, s *session.Session) {
	for _, w := range s.Warnings() {
		c.err.println(c.err.paint(styleAsk, "! ") + clean(w))
	}
}

// outcomeLines says in plain lines what became of a decision.
func outcomeLines(o tools.Outcome) []styledLine {
	if !succeeded(o.Status) && o.Status != tools.StatusCommitting {
		return failedLines(o)
	}
	var lines []styledLine
	for _, d := range o.Decisions {
		lines = append(lines, decisionLine(d))
	}
	switch o.Status {
	case tools.StatusCommitted:
		lines = append(lines, styledLine{styleGood, "✓ " + closedLine(o, "committed")})
	case tools.StatusReverted:
		lines = append(lines, styledLine{styleFaint, "↩ " + closedLine(o, "reverted")})
	}
	if o.Hint != "" {
		lines = append(lines, styledLine{styleFaint, "  " + clean(o.Hint)})
	}
	return lines
}

func failedLines(o tools.Outcome) []styledLine {
	lines := []styledLine{{styleBad, "! not done: " + clean(orElse(o.Hint, strings.TrimSpace(o.Status+" "+o.Code)))}}
	for _, f := range o.Files {
		if f.Code != "" {
			lines = append(lines, styledLine{stylePlain, clean(fmt.Sprintf("  %s: %s", f.Path, f.Message))})
		}
	}
	return lines
}

// decisionLine says what became of one letter.
func decisionLine(d editing.Decision) styledLine {
	line := styledLine{stylePlain, "· " + d.Letter + " " + d.State}
	switch d.State {
	case "applied":
		line = styledLine{styleGood, "✓ " + d.Letter + " applied"}
	case "rejected":
		line = styledLine{styleFaint, "✗ " + d.Letter + " rejected"}
	case "closed":
		line = styledLine{styleFaint, "✗ " + d.Letter + " thrown away"}
	case "staged":
		line = styledLine{styleAsk, "↺ " + d.Letter + " waits again"}
	}
	if d.Reason != "" {
		line.text += ": " + oneLine(d.Reason, 200)
	}
	return line
}

// closedLine is the end of an editing session: "#3 committed: enable X (1 change in config.json)".
func closedLine(o tools.Outcome, how string) string {
	line := orElse(editName(o.SessionID), "the editing session") + " " + how
	if o.Summary != "" {
		line += ": " + oneLine(o.Summary, 120)
	}
	var facts []string
	if o.AppliedChanges != nil && (*o.AppliedChanges > 0 || o.Status == tools.StatusCommitted) {
		facts = append(facts, plural(*o.AppliedChanges, "change")+inFiles(o.Files))
	}
	if d := o.HistoryDelta; d != nil && d.MessagesRemoved > 0 {
		facts = append(facts, plural(d.MessagesRemoved, "message")+" folded")
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

func inFiles(files []tools.File) string {
	const most = 3
	switch n := len(files); {
	case n == 0:
		return ""
	case n > most:
		return fmt.Sprintf(" in %d files", n)
	}
	var names []string
	for _, f := range files {
		names = append(names, clean(f.Path))
	}
	return " in " + strings.Join(names, ", ")
}
