package review

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// Drawn is one editing session as a person reads it: a head, then each letter with what it does.
func Drawn(s term.Screen, e *editing.Session, letters []view.Change) string {
	return headOf(s, e) + drawnLetters(s, letters)
}

// headOf is the head of an editing session.
func headOf(s term.Screen, e *editing.Session) string {
	state := "in progress"
	if e.State == editing.Proposed {
		state = "proposed"
	}
	head := fmt.Sprintf("#%d %s", e.N, state)
	if e.Summary != "" {
		head += ": " + term.OneLine(e.Summary, 200)
	}
	return s.Paint(term.Strong, term.Cut(head, s.Width)) + "\n"
}

func drawnLetters(s term.Screen, changes []view.Change) string {
	var b strings.Builder
	for _, c := range changes {
		b.WriteString("\n" + drawnLetter(s, c))
	}
	return b.String()
}

// drawnLetter is one change: its letter, what it is about, where, why, and its lines.
func drawnLetter(s term.Screen, c view.Change) string {
	var b strings.Builder
	b.WriteString(entry(s, c) + "\n")
	if why := c.Because(); why != "" {
		b.WriteString(s.Paint(term.Faint, term.Cut("    because: "+term.OneLine(why, 300), s.Width)) + "\n")
	}
	if c.State == editing.Conflict {
		why := cmp.Or(view.ToPerson(c.Stuck), "- is your text, + is the agent's")
		b.WriteString(s.Paint(term.Ask, term.Cut("    conflict: "+term.Clean(why), s.Width)) + "\n")
	}
	for _, l := range gutter(c.Lines.Whole(longest)) {
		b.WriteString(drawnLine(s, l))
	}
	return b.String()
}

// longest is how many characters of a line are drawn, but for what comes.
const longest = 400

// hiddenOf says what a drawn letter leaves out of what comes, "" if nothing.
func hiddenOf(c view.Change) string { return c.Lines.Whole(longest).Hidden(len(c.Lines)) }

// entry is a change on one line, or two where the terminal is too narrow.
func entry(s term.Screen, c view.Change) string {
	what, where := term.OneLine(c.Summary, 160), whereIs(s, c)
	if c.Kind.File() { // it has named its file
		where = ""
	}
	if c.State != editing.Staged {
		where = strings.TrimPrefix(where+" · "+stateOf(c), " · ")
	}
	letter := s.Paint(term.Ask, "["+c.Letter+"]") + " "
	if s.Width > 0 && term.ColumnsOf(what)+term.ColumnsOf(where)+7 > s.Width && where != "" {
		return letter + term.Cut(what, s.Width-4) + "\n" + s.Paint(term.Faint, term.Cut("    "+where, s.Width))
	}
	if where == "" {
		return letter + what
	}
	return letter + what + s.Paint(term.Faint, " · "+where)
}

// stateOf says in words where a change stands.
func stateOf(c view.Change) string {
	state := c.State
	if state == editing.Closed && c.Was != "" {
		state = c.Was
	}
	words := string(state)
	if state == editing.Applied && c.By != "" {
		words += " by " + c.By
	}
	if c.Verdict != "" {
		words += ": " + term.OneLine(c.Verdict, 80)
	}
	return words
}

// whereIs names the file and the lines.
func whereIs(s term.Screen, c view.Change) string { return c.Where.Place(s.Path(c.Name)) }

// numbered is a line of a diff with what stands before it.
type numbered struct {
	view.Line
	number string
}

// gutter numbers lines: old ones as in the file, all others as they will be.
func gutter(lines view.Lines) []numbered {
	out := make([]numbered, len(lines))
	widest := 4
	for i, l := range lines {
		n := l.Number()
		out[i] = numbered{Line: l.Spelled()}
		if n > 0 {
			out[i].number = fmt.Sprint(n)
		}
		widest = max(widest, len(out[i].number))
	}
	for i := range out {
		out[i].number = strings.Repeat(" ", widest-len(out[i].number)) + out[i].number
	}
	return out
}

// drawnLine draws a line of a diff in as many rows as the terminal needs.
func drawnLine(s term.Screen, l numbered) string {
	if l.Sign == view.Note {
		return s.Paint(term.Faint, strings.Repeat(" ", len(l.number))+"┊ "+l.Text) + "\n"
	}
	if s.Width > 0 {
		l.Line = untabbed(l.Line)
	}
	plain, marked := term.Plain, term.Plain
	switch l.Sign {
	case view.Old:
		plain, marked = term.Old, term.OldMark
	case view.New:
		plain, marked = term.New, term.NewMark
	}
	var b strings.Builder
	left := l.number
	for _, row := range rows(l.Line, s.Width-len(l.number)-2) {
		b.WriteString(s.Paint(term.Faint, left+"│") + s.Paint(plain, string(l.Sign)))
		for _, p := range row {
			as := plain
			if p.marked {
				as = marked
			}
			b.WriteString(s.Paint(as, p.text))
		}
		b.WriteString("\n")
		left = strings.Repeat(" ", len(l.number))
	}
	return b.String()
}

// piece is a stretch of a line that is marked as a whole, or not.
type piece struct {
	text   string
	marked bool
}

// rows breaks a line into rows of a width, and each into pieces. A width that is too small to break at breaks nothing.
func rows(l view.Line, width int) [][]piece {
	const narrowest = 10
	var out [][]piece
	var row []piece
	used := 0
	for _, p := range pieces(l) {
		from := 0
		for i, r := range p.text {
			if n := term.Columns(r); width >= narrowest && used+n > width {
				row = append(row, piece{p.text[from:i], p.marked})
				out, row, from, used = append(out, row), nil, i, 0
			}
			used += term.Columns(r)
		}
		row = append(row, piece{p.text[from:], p.marked})
	}
	return append(out, row)
}

func pieces(l view.Line) []piece {
	var out []piece
	at := 0
	for _, m := range l.Marks {
		out = append(out, piece{l.Text[at:m[0]], false}, piece{l.Text[m[0]:m[1]], true})
		at = m[1]
	}
	return append(out, piece{l.Text[at:], false})
}

// untabbed replaces tabs by the blanks that they stand for, since a row does not begin where the line does.
func untabbed(l view.Line) view.Line {
	const tab = 4
	column := 0
	return l.Rewritten(func(c string) string {
		if c == "\t" {
			c = strings.Repeat(" ", tab-column%tab)
		}
		column += term.ColumnsOf(c)
		return c
	})
}

// drawnPatch colours a unified diff.
func drawnPatch(s term.Screen, patch string) string {
	var b strings.Builder
	for line := range strings.Lines(view.Readable(patch)) {
		as := term.Plain
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
			as = term.Strong
		case strings.HasPrefix(line, "@@"):
			as = term.Faint
		case strings.HasPrefix(line, "-"):
			as = term.Old
		case strings.HasPrefix(line, "+"):
			as = term.New
		}
		b.WriteString(s.Paint(as, strings.TrimRight(line, "\r\n")) + "\n")
	}
	return b.String()
}
