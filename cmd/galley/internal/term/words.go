package term

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/galley-ls/galley/editing/text"
)

// Columns is how many columns of a terminal a character takes.
func Columns(r rune) int {
	if r < 0x20 || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() { // East Asian scripts, and pictures
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// ColumnsOf is the width of a text of one line.
func ColumnsOf(s string) int {
	n := 0
	for _, r := range s {
		n += Columns(r)
	}
	return n
}

// Cut shortens a line to a width; 0 leaves it as it is.
func Cut(s string, width int) string {
	if width <= 0 || ColumnsOf(s) <= width {
		return s
	}
	n := 0
	for i, r := range s {
		if n += Columns(r); n > width-1 {
			return s[:i] + "…"
		}
	}
	return s
}

// Wrap breaks a line at its blanks where the terminal ends.
func Wrap(s string, width int) string {
	if width <= 0 || ColumnsOf(s) <= width {
		return s
	}
	var b strings.Builder
	used := 0
	for i, word := range strings.Split(s, " ") {
		n := ColumnsOf(word)
		switch {
		case i > 0 && used+1+n > width:
			b.WriteString("\n")
			used = 0
		case i > 0:
			b.WriteString(" ")
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}

// Rows breaks a line where the terminal ends, also within words.
func Rows(s string, width int) []string {
	if width <= 0 {
		return []string{s}
	}
	var out []string
	used, from := 0, 0
	for i, r := range s {
		if n := Columns(r); used+n > width && i > from {
			out = append(out, s[from:i])
			used, from = 0, i
		}
		used += Columns(r)
	}
	return append(out, s[from:])
}

// Indented wraps a text whose first line begins in a column, and moves the others there.
func Indented(text string, width, column int) string {
	if width <= 0 || width <= 2*column {
		return text
	}
	return strings.ReplaceAll(Wrap(text, width-column), "\n", "\n"+strings.Repeat(" ", column))
}

// Clean makes a text of somebody else harmless for a terminal: it keeps its lines and tabs, and no control reaches it.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20:
			return '␀' + r // the pictures of the controls
		case unicode.IsControl(r) || strings.ContainsRune("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", r):
			return utf8.RuneError
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// OneLine puts a text on one line, n characters at most.
func OneLine(s string, n int) string {
	s = strings.Join(strings.Fields(Clean(s)), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// Took says how long something lasted: "0.3 s", "12 s", "2 min 5 s".
func Took(d time.Duration) string {
	const tenth = time.Second / 10
	switch {
	case d > 0 && d < tenth:
		return fmt.Sprintf("%d ms", max(1, d.Milliseconds()))
	case d < 10*time.Second && d.Round(tenth)%time.Second != 0:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Round(time.Second).Seconds()))
	case d < time.Hour:
		return inTwo(d.Round(time.Second), time.Minute, "min", time.Second, "s")
	}
	return inTwo(d.Round(time.Minute), time.Hour, "h", time.Minute, "min")
}

func inTwo(d, large time.Duration, largeName string, small time.Duration, smallName string) string {
	text := fmt.Sprintf("%d %s", d/large, largeName)
	if rest := d % large / small; rest > 0 {
		text += fmt.Sprintf(" %d %s", rest, smallName)
	}
	return text
}

// Ago says roughly how long something is past.
func Ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return text.Plural(int(d.Minutes()), "minute") + " ago"
	case d < 48*time.Hour:
		return text.Plural(int(d.Hours()), "hour") + " ago"
	}
	return text.Plural(int(d.Hours()/24), "day") + " ago"
}

// ShellWord quotes an argument so that a printed command can be copied.
func ShellWord(s string) string {
	safe := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./:=@%+,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !safe(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Pad fills a word up to a width.
func Pad(s string, width int) string {
	return s + strings.Repeat(" ", max(1, width-ColumnsOf(s)))
}

// Reflowed breaks paragraphs where the page ends. What is indented stays as it is.
func Reflowed(text string, width int) string {
	var b, paragraph strings.Builder
	end := func() {
		if paragraph.Len() > 0 {
			b.WriteString(Wrap(paragraph.String(), width) + "\n")
		}
		paragraph.Reset()
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, " ") {
			end()
			b.WriteString(line + "\n")
			continue
		}
		if paragraph.Len() > 0 {
			paragraph.WriteString(" ")
		}
		paragraph.WriteString(line)
	}
	end()
	return b.String()
}
