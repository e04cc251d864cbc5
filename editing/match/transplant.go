package match

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// fileLine is a line of the file with its ending.
type fileLine struct {
	text, ending string
	at           int // byte offset in the text
}

// merger moves the change from base (old_text) to theirs (new_text) onto ours,
// the lines found. What the model left alone stays as the file has it.
type merger struct {
	h            *haystack
	f            fitted
	base, theirs []string
	ours         []fileLine
	toTheirs     []int
	toOurs       []int
	units        []unit // lines of base and of ours that are the same, in other pieces
	in           indents
	strict       bool // also blanks at line ends become what new_text has
	out          []fileLine
}

// transplant is the text of f's range after the change. For places that are all
// the same it is made once.
func (h *haystack) transplant(f fitted) string {
	is := moved{ours: h.s[f.start:f.end], ending: h.t.EOLAt(f.start), unit: indentUnit(h.s, f.start), f: f}
	is.f.start, is.f.end, is.f.outer = 0, 0, Span{}
	if is.result = h.moved.result; is != h.moved || h.t.MixedEOL() {
		is.result = h.merge(f)
		h.moved = is
	}
	return is.result
}

// moved is all that a transplanted text depends on, and the text.
type moved struct {
	ours, ending string
	unit         string
	f            fitted
	result       string
}

func (h *haystack) merge(f fitted) string {
	m := newMerger(h, f)
	out := m.run()
	if out == h.s[f.start:f.end] && f.base != f.theirs {
		m.strict, m.out = true, nil
		out = m.run()
	}
	return out
}

func newMerger(h *haystack, f fitted) *merger {
	m := &merger{h: h, f: f, ours: h.fileLines(f.start, f.end)}
	m.base, m.theirs = strings.Split(f.base, "\n"), strings.Split(f.theirs, "\n")
	texts := make([]string, len(m.ours))
	for i, o := range m.ours {
		texts[i] = o.text
	}
	m.toOurs, m.units = m.pair(texts, seen)
	m.straighten(texts)
	m.toTheirs, _ = m.pair(m.theirs, trimRight)
	m.learnIndents()
	return m
}

// pair aligns old_text with other lines. Where the range includes a line ending
// at its edge, what is beyond it are the edges of lines: they belong together.
func (m *merger) pair(with []string, key func(string) string) (to []int, units []unit) {
	head, tail := 0, 0
	if m.f.headed && !m.f.first {
		head = 1
	}
	if m.f.ended && !m.f.last {
		tail = 1
	}
	n := len(m.base)
	inner, units := pairLines(m.base[head:n-tail], with[min(head, len(with)):max(head, len(with)-tail)], key)
	for i := range units {
		units[i] = units[i].moved(head)
	}
	to = make([]int, n)
	for i, t := range inner {
		to[head+i] = t
		if t >= 0 {
			to[head+i] += head
		}
	}
	if tail == 1 {
		to[n-1] = len(with) - 1
	}
	return to, units
}

func (u unit) moved(by int) unit {
	return unit{Span{u.a.Start + by, u.a.End + by}, Span{u.b.Start + by, u.b.End + by}}
}

// fileLines parts a range of the text into lines.
func (h *haystack) fileLines(start, end int) []fileLine {
	var out []fileLine
	for {
		i := strings.IndexByte(h.s[start:end], '\n')
		if i < 0 {
			return append(out, fileLine{text: h.s[start:end], at: start})
		}
		line, ending := h.s[start:start+i], "\n"
		if strings.HasSuffix(line, "\r") {
			line, ending = line[:i-1], "\r\n"
		}
		out = append(out, fileLine{line, ending, start})
		start += i + 1
	}
}

// run walks over the lines of old_text and decides about each, and about what
// either side has between them.
func (m *merger) run() string {
	theirs, ours := 0, 0
	for i := 0; i < len(m.base); i++ {
		b, t, o := m.base[i], m.toTheirs[i], m.toOurs[i]
		added, extra := span(theirs, t), span(ours, o)
		m.between(i, added, extra)
		theirs, ours = max(theirs, t+1), max(ours, o+1)
		switch u, in := m.unitAt(i); {
		case in:
			theirs = m.whole(u, added.End, theirs)
			i, ours = u.a.End-1, u.b.End
		case t >= 0 && o >= 0:
			m.keep(i, t, o)
		case t >= 0 && m.theirs[t] != b: // gone from the file, and yet changed
			m.insert(i, t)
		}
	}
	m.between(len(m.base), span(theirs, len(m.theirs)), span(ours, len(m.ours)))
	return m.join()
}

func (m *merger) unitAt(i int) (unit, bool) {
	k := slices.IndexFunc(m.units, func(u unit) bool { return u.a.Start == i })
	if k < 0 {
		return unit{}, false
	}
	return m.units[k], true
}

// whole writes a unit: as the file has it if the model left all of it alone, else
// as the model has it. It answers where theirs goes on.
func (m *merger) whole(u unit, from, to int) int {
	same := true
	for i := u.a.Start; i < u.a.End; i++ {
		t := m.toTheirs[i]
		same = same && t >= 0 && (i == u.a.Start || t == to) && m.theirs[t] == m.base[i]
		to = max(to, t+1)
	}
	if same {
		m.take(u.b)
		return to
	}
	for t := from; t < to; t++ {
		m.insert(u.a.Start, t)
	}
	return to
}

// span is from a to b, nothing if there is no b.
func span(a, b int) Span { return Span{a, max(a, b)} }

// between puts lines that the model added behind what it left before them, ahead
// of lines that only the file has. What both have comes once.
func (m *merger) between(i int, added, extra Span) {
	first := extra.Start
	for n, twin := range m.twins(added, extra) {
		if twin < 0 {
			m.insert(i, added.Start+n)
			continue
		}
		m.take(Span{extra.Start, first + twin + 1})
		extra.Start = first + twin + 1
	}
	m.take(extra)
}

// twins says which of the lines that the file has is an added one, -1 none: where
// all lines of one side are among those of the other, or the last of one are the
// first of the other.
func (m *merger) twins(added, extra Span) []int {
	var a, b []string
	for _, t := range m.theirs[added.Start:added.End] {
		a = append(a, seen(t))
	}
	for _, o := range m.ours[extra.Start:extra.End] {
		b = append(b, seen(o.text))
	}
	to := text.Align(a, b)
	var same []string
	for i, t := range to {
		if t >= 0 {
			same = append(same, a[i])
		}
	}
	seen := len(notBlank(same))
	if seen == min(len(notBlank(a)), len(notBlank(b))) && (seen == 0 || says(same)) {
		return to
	}
	for i := range to {
		to[i] = -1
	}
	for n := min(len(a), len(b)); n > 0; n-- {
		if i := len(a) - n; slices.Equal(a[i:], b[:n]) && says(b[:n]) {
			return counted(to, i, 0, n)
		}
		if j := len(b) - n; slices.Equal(a[:n], b[j:]) && says(a[:n]) {
			return counted(to, 0, j, n)
		}
	}
	return to
}

func counted(to []int, from, start, n int) []int {
	for i := range n {
		to[from+i] = start + i
	}
	return to
}

// says reports whether a line says something: brackets alone are no landmarks.
func says(lines []string) bool {
	return slices.ContainsFunc(lines, func(l string) bool { return strings.ContainsFunc(l, wordRune) })
}

func (m *merger) take(s Span) { m.out = append(m.out, m.ours[s.Start:s.End]...) }

// insert writes a line that the file has not, indented as the file does.
func (m *merger) insert(i, t int) {
	line := m.theirs[t]
	if lead, rest := m.lead(line, t); rest != "" && m.full(t) {
		line = m.in.to(lead, i) + rest
	}
	m.out = append(m.out, fileLine{text: line, at: m.place()})
}

// place is where in the text the next line is written.
func (m *merger) place() int {
	if len(m.out) == 0 {
		return m.f.start
	}
	return m.out[len(m.out)-1].at
}

// keep writes a line that all three have.
func (m *merger) keep(i, t, o int) {
	line := m.ours[o]
	if m.base[i] != m.theirs[t] {
		line.text = m.change(i, t, o)
	}
	m.out = append(m.out, line)
}

// change merges the indentation, the content and the blanks at the end apart.
func (m *merger) change(i, t, o int) string {
	bl, b := m.lead(m.base[i], i)
	tl, theirs := m.lead(m.theirs[t], t)
	ol, ours := m.lead(m.ours[o].text, o)
	b, bt := m.trail(b, i == len(m.base)-1)
	theirs, tt := m.trail(theirs, t == len(m.theirs)-1)
	ours, ot := m.trail(ours, o == len(m.ours)-1)
	if theirs == "" && b != "" {
		return m.theirs[t]
	}
	switch {
	case !m.full(t):
	case tl == bl && m.full(o):
		tl = ol
	case tl != ol || !m.full(o):
		tl = m.in.to(tl, i)
	}
	if tt == bt || bt != ot && tt == "" && !m.strict {
		tt = ot
	}
	return tl + mergeLine(b, theirs, ours) + tt
}

// full says whether a line is there from its start: the first one is not if the
// range begins inside of a line.
func (m *merger) full(n int) bool { return n > 0 || m.f.first }

// lead parts the indentation from a line.
func (m *merger) lead(line string, n int) (lead, rest string) {
	if !m.full(n) {
		return "", line
	}
	rest = trimLeft(line)
	return line[:len(line)-len(rest)], rest
}

// trail parts the blanks at its end from a line, if they are at the line's end.
func (m *merger) trail(line string, final bool) (rest, trail string) {
	if final && !m.f.last {
		return line, ""
	}
	rest = trimRight(line)
	return rest, line[len(rest):]
}

// join writes the lines. What had no ending takes the one of its place.
func (m *merger) join() string {
	var sb strings.Builder
	for i, l := range m.out {
		sb.WriteString(l.text)
		switch {
		case i == len(m.out)-1:
		case l.ending != "":
			sb.WriteString(l.ending)
		default:
			sb.WriteString(m.h.t.EOLAt(l.at))
		}
	}
	return sb.String()
}
