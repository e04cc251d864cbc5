package view

import (
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// The signs of lines.
const (
	Context = ' '
	Old     = '-'
	New     = '+'
	Note    = '!' // lines left out: Text says which; empty between two windows
)

// Line is one display line of a change, ready to be shown: stray bytes and
// characters that a reader cannot see are written out, and what is left out is
// counted, so it is not text to be edited. Blanks stay as they are, see Spelled.
type Line struct {
	Sign   rune
	Old    int // 1-based, in the text without the change; 0: none
	New    int // 1-based, in the text with it; 0: none
	Text   string
	Marks  [][2]int // byte ranges of Text that really change, word by word
	Hidden int      // code points that come, and are not in Text
	Theirs string   // the letters of other changes that have a part in the line

	folds int // of a note: how many lines it stands for
	source
}

// Lines are the display lines of a change. In a conflict '-' is what the user has
// and '+' what the agent wants.
type Lines []Line

const (
	foldOver  = 40 // deleted lines at most before they are folded
	foldEnds  = 3  // lines kept at either end of a fold
	noNewline = "⟦no newline⟧"
)

// lines are the windows of a comparison, one below the other.
func (v comparison) lines(show extent) Lines {
	var out Lines
	for i, w := range v.windows(show) {
		if i > 0 {
			out = append(out, Line{Sign: Note})
		}
		out = append(out, w...)
	}
	return out
}

// bareLines shows the texts of the hunks alone.
func bareLines(c *editing.Change) Lines {
	var out Lines
	for i, h := range c.Hunks {
		if i > 0 {
			out = append(out, Line{Sign: Note})
		}
		v := comparison{old: text.New(h.Old), new: text.New(h.New)}
		p := painter{comparison: v}
		p.run(run{to: v.old.Lines(), end: v.new.Lines()})
		for _, l := range p.out {
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
func (v comparison) windows(show extent) []Lines {
	var out []Lines
	for _, w := range joinRuns(v, v.runs(), show) {
		p := painter{comparison: v}
		p.window(w)
		out = append(out, p.out)
	}
	return out
}

// painter writes the lines of a window.
type painter struct {
	comparison
	out Lines
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
		p.out = append(p.out, Line{
			Sign: Context, Old: p.baseLine(old) + 1, New: line + 1, Theirs: p.theirsOn(Context, from+i),
			source: source{raw: content(s), width: wideLine},
		}.drawn())
	}
}

// run writes the old lines of a run, a long deletion folded, and its new ones.
func (p *painter) run(r run) {
	k := side{cuts: p.words(p.finer(r.cuts)), alike: p.alike(r)}
	k.marked = p.tell(r, k.cuts)
	head, tail := r.to, r.to
	if r.to-r.from > foldOver {
		head, tail = r.from+foldEnds, r.to-foldEnds
	}
	p.side(Old, p.old, r.from, head, k)
	if tail > head {
		p.out = append(p.out, folded(tail-head, p.baseLine(head)+1))
	}
	p.side(Old, p.old, tail, r.to, k)
	p.side(New, p.new, r.at, r.end, k)
}

// folded stands for old lines that are left out.
func folded(n, line int) Line {
	return Line{Sign: Note, Old: line, Text: text.Plural(n, "more line") + " deleted", folds: n}
}

// side is how both sides of a run are written.
type side struct {
	cuts   []cut
	alike  func(line string) bool
	marked bool
}

// tell reports whether marks say something: not if all of a side is new, nor if
// there is little that the sides share.
func (p *painter) tell(r run, cuts []cut) bool {
	old := weight(p.old.Slice(p.old.LineStart(r.from), p.old.LineStart(r.to)))
	new := weight(p.new.Slice(p.new.LineStart(r.at), p.new.LineStart(r.end)))
	if r.from == r.to || r.at == r.end {
		return false
	}
	kept := old
	for _, c := range cuts {
		from, to := max(c.start, p.old.LineStart(r.from)), min(c.end, p.old.LineStart(r.to))
		kept -= weight(p.old.Slice(from, max(from, to)))
	}
	return 5*kept >= min(old, new)
}

// weight counts the bytes of a text that are no blanks.
func weight(s string) int {
	n := len(s)
	for i := range len(s) {
		if s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r' {
			n--
		}
	}
	return n
}

// side writes the changed lines [from,to) of one text.
func (p *painter) side(sign rune, t text.Text, from, to int, k side) {
	at, cuts := t.LineStart(from), k.cuts
	for i, s := range linesBetween(t, from, to) {
		l := Line{Sign: sign, New: from + i + 1, Theirs: p.theirsOn(sign, from+i)}
		if sign == Old {
			l.Old, l.New = p.baseLine(from+i)+1, 0
		}
		body, alike := content(s), k.alike(s)
		if alike {
			body = strings.TrimSuffix(s, "\n") // with its \r
		}
		for len(cuts) > 0 && cuts[0].last(sign) < at {
			cuts = cuts[1:]
		}
		l.source = source{raw: body, places: placesOn(cuts, sign, at, at+len(body)), marked: k.marked, alike: alike, width: wideLine}
		if !strings.HasSuffix(s, "\n") && p.old.FinalNewline() != p.new.FinalNewline() {
			l.end = noNewline
		}
		p.out = append(p.out, l.drawn())
		at += len(s)
	}
}

func (c cut) last(sign rune) int {
	if sign == Old {
		return c.end
	}
	return c.to
}

// placesOn returns where cuts lie on the bytes [from,to), counted from there.
func placesOn(cuts []cut, sign rune, from, to int) [][2]int {
	var out [][2]int
	for _, c := range cuts {
		start, end := c.start, c.end
		if sign == New {
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

// alike finds what looks the same on both sides of a run, as far as a person sees:
// all of it, if only blanks, line endings or invisible characters differ, else lines.
func (p *painter) alike(r run) func(line string) bool {
	const most = 1 << 16
	none := func(string) bool { return false }
	a, b := p.old.LineStart(r.from), p.old.LineStart(r.to)
	c, d := p.new.LineStart(r.at), p.new.LineStart(r.end)
	if r.from == r.to || r.at == r.end || b-a > most || d-c > most {
		return none
	}
	old, new := p.old.Slice(a, b), p.new.Slice(c, d)
	if seen(strings.Join(strings.Fields(old), " ")) == seen(strings.Join(strings.Fields(new), " ")) {
		return func(string) bool { return true }
	}
	stands := map[string][2]string{} // by what is seen of a line, what it is on either side
	for i, side := range []string{old, new} {
		for line := range strings.Lines(side) {
			is := stands[look(line)]
			is[i] = strings.TrimSuffix(line, "\n") + "\n"
			stands[look(line)] = is
		}
	}
	return func(line string) bool {
		is := stands[look(line)]
		return is[0] != "" && is[1] != "" && is[0] != is[1]
	}
}

// look is what is seen of a line.
func look(line string) string { return strings.TrimRight(seen(strings.TrimRight(line, "\r\n")), " \t") }

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
