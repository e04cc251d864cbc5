package view

import (
	"fmt"
	"strings"
	"unicode/utf8"

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

// First is so many of the lines as diffs write them, and what is missing. Where there
// is too little room the lines around go first, then the old ones, and what comes last.
func (ls Lines) First(most int) string {
	shown := ls.fitting(most)
	var b strings.Builder
	for _, l := range shown {
		b.WriteString(l.String() + "\n")
	}
	if missing := ls.less(shown); missing.lines > 0 {
		b.WriteString("… " + missing.String() + "\n")
	}
	return b.String()
}

// fitting are most of the lines.
func (ls Lines) fitting(most int) Lines {
	if len(ls) > most {
		ls = ls.Around(0)
	}
	if len(ls) > most {
		ls = ls.fold(foldEnds)
	}
	return ls[:min(most, len(ls))]
}

// fold leaves so many lines at either end of each run of old ones.
func (ls Lines) fold(ends int) Lines {
	var out Lines
	for i := 0; i < len(ls); {
		n := i
		for n < len(ls) && (ls[n].Sign == Old || ls[n].folds > 0) {
			n++
		}
		if n-i <= 2*ends+1 {
			out, i = append(out, ls[i:max(n, i+1)]...), max(n, i+1)
			continue
		}
		middle := ls[i+ends : n-ends]
		out = append(append(append(out, ls[i:i+ends]...), folded(middle.count().lines, middle[0].Old)), ls[n-ends:n]...)
		i = n
	}
	return out
}

// amount is how much there is of a text.
type amount struct{ lines, comes, chars int }

func (ls Lines) count() (a amount) {
	for _, l := range ls {
		switch {
		case l.Sign == Note:
			a.lines += l.folds
			continue
		case l.Sign == New:
			a.comes++
			a.chars += utf8.RuneCountInString(l.raw)
		}
		a.lines++
	}
	return a
}

// less is what shown has less; what is counted in shown itself is not.
func (ls Lines) less(shown Lines) amount {
	a, b := ls.count(), shown.count()
	return amount{a.lines - b.lines, a.comes - b.comes, a.chars - b.chars}
}

// String says how much is not shown.
func (a amount) String() string {
	s := text.Plural(a.lines, "more line")
	if a.comes > 0 {
		s += fmt.Sprintf(", %d of them new (%s)", a.comes, text.Plural(a.chars, "char"))
	}
	return s
}

// Whole cuts long lines, but leaves in them all that comes.
func (ls Lines) Whole(width int) Lines {
	out := make(Lines, len(ls))
	for i, l := range ls {
		out[i] = l.Whole(width)
	}
	return out
}

// Hidden says what is not shown of what comes where no more than so many lines are, ""
// if all of it is.
func (ls Lines) Hidden(most int) string {
	shown := ls.fitting(most)
	missing := ls.less(shown)
	for _, l := range shown {
		missing.chars += l.Hidden
	}
	switch chars := text.Plural(missing.chars, "char"); {
	case missing.comes > 0:
		return fmt.Sprintf("%s (%s) not shown", text.Plural(missing.comes, "line"), chars)
	case missing.chars > 0:
		return chars + " not shown"
	}
	return ""
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
