package view

import (
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file writes the lines of a change down for whatever shows plain text.

// Around leaves n unchanged lines around those of the change.
func (ls Lines) Around(n int) Lines {
	near := make([]bool, len(ls))
	for i, l := range ls {
		if l.Sign == Context || l.between() {
			continue
		}
		for k := max(0, i-n); k <= min(len(ls)-1, i+n); k++ {
			near[k] = true
		}
	}
	var out Lines
	gap := false
	for i, l := range ls {
		if !near[i] || l.between() {
			gap = len(out) > 0
			continue
		}
		if gap {
			out, gap = append(out, Line{Sign: Note}), false
		}
		out = append(out, l)
	}
	return out
}

// between reports whether a line stands between two windows.
func (l Line) between() bool { return l.Sign == Note && l.Text == "" }

// String is the lines as diffs write them.
func (ls Lines) String() string { return ls.First(len(ls)) }

// First is the first of the lines as diffs write them, and how many are missing.
func (ls Lines) First(most int) string {
	var b strings.Builder
	for _, l := range ls[:min(most, len(ls))] {
		b.WriteString(l.String() + "\n")
	}
	if more := len(ls) - most; more > 0 {
		b.WriteString("… " + text.Plural(more, "more line") + "\n")
	}
	return b.String()
}

// String is a line as diffs write it.
func (l Line) String() string {
	if l.Sign == Note {
		return strings.TrimRight("… "+l.Text, " ")
	}
	return string(l.Sign) + l.Spelled().Text
}

// Markdown is the first of the lines as a block of Markdown.
func (ls Lines) Markdown(most int) string {
	diff, fence := ls.First(most), "```"
	for strings.Contains(diff, fence) {
		fence += "`"
	}
	return fence + "diff\n" + diff + fence
}
