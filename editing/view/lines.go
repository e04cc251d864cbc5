package view

import (
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// The kinds of preview lines.
const (
	Context = ' '
	Old     = '-'
	New     = '+'
	Gap     = '…' // lines left out: Text says which; empty between two windows
)

// Line is one line of a preview, ready to be shown: stray bytes and
// control characters are made visible, so it is not text to be edited.
type Line struct {
	Kind  rune
	Old   int // 1-based, in the base; 0: none
	New   int // 1-based, in the proposed text; 0: none
	Text  string
	Marks [][2]int // byte ranges of Text that really change, word by word

	places [][2]int // Marks, and empty ranges where the other side has more
}

const (
	foldOver = 40 // deleted lines at most before they are folded
	foldEnds = 3  // lines kept at either end of a fold
)

// Lines shows a change with context lines around it, for whoever draws it. They
// come whole up to 50,000 code points. In a conflict '-' is what
// the user has and '+' what the agent wants. A change whose editing session is
// closed has no place any more: its lines come without numbers and context.
func Lines(s *editing.Snapshot, c *editing.Change, context int) []Line {
	v, ok := compared(s, c)
	if !ok {
		return bareLines(c)
	}
	var out []Line
	for i, w := range v.windows(around(context)) {
		if i > 0 {
			out = append(out, Line{Kind: Gap})
		}
		out = append(out, w...)
	}
	return out
}

// bareLines shows the texts of the hunks alone.
func bareLines(c *editing.Change) []Line {
	var out []Line
	for i, h := range c.Hunks {
		if i > 0 {
			out = append(out, Line{Kind: Gap})
		}
		v := comparison{old: text.New(h.Old), new: text.New(h.New)}
		p := painter{comparison: v}
		p.run(run{to: v.old.Lines(), end: v.new.Lines()})
		for _, l := range p.lines {
			l.Old, l.New = 0, 0
			out = append(out, l)
		}
	}
	return out
}

// extent says which lines of the new text are shown for a run.
type extent func(v comparison, r run) (from, to int)

func around(context int) extent {
	context = max(context, 0)
	return func(v comparison, r run) (int, int) {
		return max(0, r.at-context), min(v.new.Lines(), r.end+context)
	}
}

// window is a stretch of lines of the new text with its runs.
type window struct {
	from, to int
	runs     []run
}

// joinRuns makes windows of runs; those that touch are one.
func joinRuns(v comparison, rs []run, show extent) []window {
	var out []window
	for _, r := range rs {
		from, to := show(v, r)
		if n := len(out) - 1; n >= 0 && from <= out[n].to {
			out[n].to = max(out[n].to, to)
			out[n].runs = append(out[n].runs, r)
			continue
		}
		out = append(out, window{from, to, []run{r}})
	}
	return out
}

// windows shows the runs with what is around them.
func (v comparison) windows(show extent) [][]Line {
	var out [][]Line
	for _, w := range joinRuns(v, v.runs(), show) {
		p := painter{comparison: v}
		p.window(w)
		out = append(out, p.lines)
	}
	return out
}

// painter writes the lines of a window.
type painter struct {
	comparison
	lines []Line
}

func (p *painter) window(w window) {
	at := w.from
	for _, r := range w.runs {
		p.context(at, r.at, r.from-r.at)
		p.run(r)
		at = r.end
	}
	last := w.runs[len(w.runs)-1]
	p.context(at, w.to, last.to-last.end)
}

// context writes the unchanged lines [from,to) of the new text, whose numbers in
// the old text are higher by delta.
func (p *painter) context(from, to, delta int) {
	for i, s := range linesBetween(p.new, from, to) {
		old, line := from+i+delta, from+i
		if p.outside {
			line = old
		}
		l := Line{Kind: Context, Old: p.baseLine(old) + 1, New: line + 1, Text: content(s)}
		p.lines = append(p.lines, l.shown(false))
	}
}

// run writes the old lines of a run, a long deletion folded, and its new ones.
func (p *painter) run(r run) {
	all, cuts := p.lookAlike(r), p.words(r.cuts)
	head, tail := r.to, r.to
	if r.to-r.from > foldOver {
		head, tail = r.from+foldEnds, r.to-foldEnds
	}
	p.side(Old, p.old, r.from, head, cuts, all)
	if tail > head {
		p.lines = append(p.lines, Line{
			Kind: Gap, Old: p.baseLine(head) + 1, Text: fmt.Sprintf("%d more lines deleted", tail-head),
		})
	}
	p.side(Old, p.old, tail, r.to, cuts, all)
	p.side(New, p.new, r.at, r.end, cuts, all)
}

// side writes the changed lines [from,to) of one text.
func (p *painter) side(kind rune, t text.Text, from, to int, cuts []cut, all bool) {
	at := t.LineStart(from)
	for i, s := range linesBetween(t, from, to) {
		l := Line{Kind: kind, New: from + i + 1}
		if kind == Old {
			l.Old, l.New = p.baseLine(from+i)+1, 0
		}
		body := content(s)
		if all {
			body = strings.TrimSuffix(s, "\n") // with its \r
		}
		for len(cuts) > 0 && cuts[0].last(kind) < at {
			cuts = cuts[1:]
		}
		l.Text, l.places = body, placesOn(cuts, kind, at, at+len(body))
		l = l.shown(all)
		if !strings.HasSuffix(s, "\n") && p.old.FinalNewline() != p.new.FinalNewline() {
			l.Text += "⟦no newline⟧"
		}
		p.lines = append(p.lines, l)
		at += len(s)
	}
}

func (c cut) last(kind rune) int {
	if kind == Old {
		return c.end
	}
	return c.to
}

// placesOn returns where cuts lie on the bytes [from,to), counted from there.
func placesOn(cuts []cut, kind rune, from, to int) [][2]int {
	var out [][2]int
	for _, c := range cuts {
		start, end := c.start, c.end
		if kind == New {
			start, end = c.at, c.to
		}
		if start > to {
			break
		}
		if start, end = max(start, from), min(end, to); start <= end {
			out = append(out, [2]int{start - from, end - from})
		}
	}
	return out
}

func nonEmpty(ranges [][2]int) [][2]int {
	var out [][2]int
	for _, r := range ranges {
		if r[0] < r[1] {
			out = append(out, r)
		}
	}
	return out
}

// lookAlike reports whether both sides of a run look the same to a person: only
// blanks, line endings or invisible characters differ.
func (p *painter) lookAlike(r run) bool {
	const most = 1 << 16
	if r.from == r.to || r.at == r.end {
		return false
	}
	a, b := p.old.LineStart(r.from), p.old.LineStart(r.to)
	c, d := p.new.LineStart(r.at), p.new.LineStart(r.end)
	if b-a > most || d-c > most {
		return false
	}
	return seen(p.old.Slice(a, b)) == seen(p.new.Slice(c, d))
}

// linesBetween returns the lines [from,to) with their endings.
func linesBetween(t text.Text, from, to int) []string {
	if from >= to {
		return nil
	}
	lines := strings.SplitAfter(t.Slice(t.LineStart(from), t.LineStart(to)), "\n")
	if n := len(lines) - 1; lines[n] == "" {
		lines = lines[:n]
	}
	return lines
}
