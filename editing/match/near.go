package match

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

const (
	nearRatio  = 0.8
	nearMin    = 10       // code points
	linesWorth = 0.5      // what it is worth to have all lines of old_text, to choose among windows that are near
	linesHint  = 0.1      // and among others
	linesMore  = 20       // lines that the file may have between those of old_text
	compareMax = 1 << 25  // steps of all comparisons together, some 50 ms: answers do not depend on the clock
	movedMax   = 1 << 24  // product of lengths from which on a window is not moved about
	lettersMax = 1 << 27  // product of lengths from which on only whole lines are compared
	nearOldMax = 64 << 10 // bytes of old_text from which on nothing is compared
)

// nearby is what near matching found.
type nearby struct {
	matches []Match // in document order
	diffs   []string
	file    string // the text of the last of them, and its diff
	diff    string
	applied *Match // a place that old_text resembles and that new_text would leave as it is
	best    Span   // the most similar lines, for a hint
	late    bool
}

// near finds lines that resemble old_text, or differ from it only in letter case.
func (h *haystack) near(old, new string) nearby {
	c := newComparison(h, old)
	if c.grams.count == 0 {
		return nearby{}
	}
	from, to := h.bounds(c.v)
	ws, late := c.grams.scanWindows(c.v.s, lineStart(c.v.s, from), to, len(c.lines))
	var close []compared
	var best compared
	for _, w := range ws {
		if c.over() {
			late = true
			break
		}
		w := c.refine(w, from, to)
		if w.quality > best.quality {
			best = w
		}
		inside := w.start >= from && w.end <= to
		if inside && (w.caseOnly || w.ratio >= nearRatio && c.runes >= nearMin) {
			close = append(close, w)
		}
	}
	out := nearby{late: late}
	if best.quality == 0 && len(ws) > 0 {
		best.window = ws[0]
	}
	out.best = Span{max(0, c.v.start(best.start)), max(0, c.v.end(best.end))}
	if len(pieces(old)) != len(pieces(new)) {
		return out // lines of dots that stand for text would go, and the text with them
	}
	for _, w := range apart(close) {
		h.nearMatch(&out, w, c, old, new)
	}
	return out
}

// nearMatch adds a place with its three-way merge.
func (h *haystack) nearMatch(out *nearby, w compared, c *comparison, old, new string) {
	a, b := c.v.start(w.start), c.v.end(w.end)
	if a < 0 || b < 0 {
		return
	}
	p := h.grown(h.shrink(Span{a, b}), old, new)
	m := Match{Tier: Blanks, like: w.like()}
	m.Start, m.End, m.Edits = h.change(p, Blanks, old, new)
	file := unixEndings(h.s[p.Start:p.End])
	if len(m.Edits) == 0 && within(seenLines(new), seenLines(file)) {
		m = h.match(m)
		out.applied = &m
		return
	}
	out.matches = append(out.matches, m)
	if out.diffs == nil || file != out.file { // places are often all the same
		out.file, out.diff = file, lineDiff(c.raw, file)
	}
	out.diffs = append(out.diffs, out.diff)
}

// within says whether all lines are among others, in order.
func within(lines, others []string) bool {
	for _, l := range others {
		if len(lines) > 0 && lines[0] == l {
			lines = lines[1:]
		}
	}
	return len(lines) == 0
}

// grown takes into a place the lines beside it that new_text adds beside old_text:
// the file has them already.
func (h *haystack) grown(p Span, old, new string) Span {
	was, is := seenLines(old), seenLines(new)
	slices.Reverse(is)
	if i := slices.Index(is, was[len(was)-1]); i > 0 {
		below := slices.Clone(is[:i])
		slices.Reverse(below)
		p.End = h.along(below, p.End, h.below)
	}
	if i := len(is) - 1 - slices.Index(is, was[0]); i < len(is) {
		p.Start = h.along(is[len(is)-i:], p.Start, h.above)
	}
	return p
}

// along is how far the file's lines beside an offset are those that are wanted,
// blank lines aside.
func (h *haystack) along(want []string, at int, step func(int) (Span, int)) int {
	edge := at
	for n := 0; n < len(want); {
		line, next := step(at)
		if next < h.lo || next > h.hi {
			break
		}
		at = next
		switch l := seen(h.s[line.Start:line.End]); l {
		case "":
		case want[n]:
			if n++; says(want[:n]) {
				edge = at
			}
		default:
			return edge
		}
	}
	return edge
}

// above and below are the next line from an offset, and its far edge, -1 if there
// is none.
func (h *haystack) above(at int) (line Span, edge int) {
	start := h.line(at)
	if start == 0 {
		return Span{}, -1
	}
	line = Span{h.line(start - 1), 0}
	line.End = h.lineEnd(line.Start)
	return line, line.Start
}

func (h *haystack) below(at int) (line Span, edge int) {
	start := ending(h.s, h.lineEnd(at))
	if start < 0 || start == len(h.s) {
		return Span{}, -1
	}
	line = Span{start, h.lineEnd(start)}
	return line, line.End
}

// over says whether enough was compared.
func (c *comparison) over() bool { return c.steps > compareMax }

// compared is a window with how much it resembles old_text.
type compared struct {
	window
	verdict
}

type verdict struct {
	ratio    float64
	quality  float64 // to choose among windows that overlap
	caseOnly bool
	steps    int // what it took to find out
}

// like is how much a window is like old_text, to compare it with those elsewhere.
func (v verdict) like() float64 { return v.ratio + float64(truth(v.caseOnly)) }

// apart keeps the best of windows that overlap, in document order.
func apart(all []compared) []compared {
	slices.SortStableFunc(all, func(a, b compared) int { return cmp.Or(cmp.Compare(b.quality, a.quality), a.start-b.start) })
	var kept []compared
	for _, w := range all {
		overlaps := func(k compared) bool { return w.start < k.end && k.start < w.end }
		if !slices.ContainsFunc(kept, overlaps) {
			kept = append(kept, w)
		}
	}
	slices.SortFunc(kept, func(a, b compared) int { return a.start - b.start })
	return kept
}

// comparison is old_text, prepared to be compared with many windows.
type comparison struct {
	v         *view
	lines     []string
	raw, even string         // as it is, and with even blanks
	known     map[string]int // lines of even, how often
	verdicts  map[string]verdict
	runes     int
	grams     *grams
	steps     int
}

func newComparison(h *haystack, old string) *comparison {
	c := &comparison{v: h.view(), verdicts: make(map[string]verdict)}
	_, c.raw, _ = edges(folded(old), Unicode)
	c.lines = strings.Split(c.raw, "\n")
	c.even = even(c.raw)
	c.known = make(map[string]int)
	for _, l := range strings.Split(c.even, "\n") {
		c.known[l]++
	}
	c.runes = utf8.RuneCountInString(c.even)
	stride := 1
	if len(c.v.s) > sparseSize {
		stride = 2
	}
	c.grams = newGrams(c.lines, stride)
	if len(old) > nearOldMax {
		c.grams.count = 0
	}
	return c
}

// even is a text without blanks around its lines and with single ones inside.
func even(s string) string {
	lines := strings.Split(unixEndings(s), "\n")
	for i, l := range lines {
		lines[i] = collapse(strings.Trim(l, " \t"))
	}
	return strings.Join(lines, "\n")
}

// compare is how much a window resembles old_text. Windows with the same text are
// judged once, and counted each.
func (c *comparison) compare(w window) compared {
	raw := unixEndings(c.v.s[w.start:w.end])
	v, ok := c.verdicts[raw]
	if !ok {
		v = c.judge(raw)
		c.verdicts[raw] = v
	}
	c.steps += v.steps
	return compared{w, v}
}

func (c *comparison) judge(raw string) verdict {
	level := even(raw)
	var out verdict
	if len(raw)*len(c.raw) > lettersMax {
		out.ratio = alikeLines(level, c.even)
	} else {
		out.steps = 64 + len(raw)*len(c.raw)/32
		out.ratio = max(c.alike(level, c.even), c.alike(strings.Trim(raw, " \t"), c.raw))
	}
	out.quality = out.ratio + linesHint*c.shared(level)
	if out.ratio >= nearRatio {
		out.quality = out.ratio + linesWorth*c.shared(level)
	}
	if strings.EqualFold(level, c.even) && strings.ContainsFunc(level, unicode.IsLetter) {
		out.caseOnly, out.quality = true, 2
	}
	return out
}

// shared is the share of old_text's lines that a window has.
func (c *comparison) shared(level string) float64 {
	n, left := 0, maps.Clone(c.known)
	for _, l := range strings.Split(level, "\n") {
		if l != "" && left[l] > 0 {
			n++
			left[l]--
		}
	}
	return float64(n) / float64(len(c.lines))
}

// alikeLines counts only lines that are the same, so it is never too much.
func alikeLines(a, b string) float64 {
	lines := strings.Split(a, "\n")
	to := text.Align(lines, strings.Split(b, "\n"))
	n := 0
	for i, l := range lines {
		if to[i] >= 0 {
			n += utf8.RuneCountInString(l) + 1
		}
	}
	return 2 * float64(n) / float64(utf8.RuneCountInString(a)+utf8.RuneCountInString(b)+2)
}

// alike spares the comparison where the lengths alone say no.
func (c *comparison) alike(a, b string) float64 {
	n, m := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if most := 2 * float64(min(n, m)) / float64(max(n+m, 1)); most < nearRatio/2 {
		return 0
	}
	return alike(a, b)
}

const refineSteps = 8

// refine moves the edges of a window by lines as long as that makes it better.
func (c *comparison) refine(w window, from, to int) compared {
	best := c.compare(c.tight(w))
	if len(c.raw)*(w.end-w.start) > movedMax {
		return best
	}
	for i := 0; i < refineSteps && !c.over(); i++ {
		better := best
		for _, m := range c.moved(best.window, from, to) {
			if now := c.compare(m); now.quality > better.quality {
				better = now
			}
		}
		if better.window == best.window {
			break
		}
		best = better
	}
	return best
}

// moved is the windows with one line more or less at either edge, or that go on to
// the next line that is one of old_text's.
func (c *comparison) moved(w window, from, to int) []window {
	var out []window
	add := func(start, end int) {
		m := c.tight(window{start, end, w.score})
		if m.start < m.end && m.start >= from && m.end <= to && m != w {
			out = append(out, m)
		}
	}
	s := c.v.s
	for i, start := 0, lineStart(s, w.start); i < linesMore && start > 0; i++ {
		end := start - 1
		if start = lineStart(s, end); i == 0 || c.known[even(s[start:end])] > 0 {
			add(start, w.end)
		}
	}
	for i, end := 0, w.end; i < linesMore; i++ {
		_, next := lineAt(s, end)
		if next >= len(s) {
			break
		}
		if end, _ = lineAt(s, next); i == 0 || c.known[even(s[next:end])] > 0 {
			add(w.start, end)
		}
	}
	if _, second := lineAt(s, w.start); second < w.end {
		add(second, w.end)
	}
	if start := lineStart(s, w.end); start > w.start {
		add(w.start, start-1)
	}
	return out
}

// tight takes blank lines off the edges of a window.
func (c *comparison) tight(w window) window {
	text := c.v.s[w.start:w.end]
	for {
		end, next := lineAt(text, 0)
		if next == len(text) || strings.Trim(text[:end], " \t") != "" {
			break
		}
		w.start += next
		text = text[next:]
	}
	w.end = w.start + len(strings.TrimRight(text, " \t\r\n"))
	return w
}
