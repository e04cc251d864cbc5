package main

import (
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
)

// difference is a block of lines that a text lost, and of those that came in their place.
type difference struct{ old, now []numbered }

// differences compares two texts line by line.
func differences(before, after string) []difference {
	var all []difference
	was, is := text.New(before), text.New(after)
	shift := 0
	for _, e := range text.LineDiff(before, after) {
		d := difference{old: linesOf(was, view.Old, e.Start, e.End)}
		at, end := e.Start+shift, e.Start+shift+len(e.New)
		if e.Start == e.End && strings.HasPrefix(strings.TrimPrefix(e.New, "\r"), "\n") {
			at, end = is.LineStart(is.LineOf(at)+1), end+1 // it begins with the end of the line before, and leaves its own to that one
		}
		d.now = linesOf(is, view.New, at, end)
		shift += len(e.New) - (e.End - e.Start)
		all = append(all, d)
	}
	return all
}

// linesOf are the lines that a range of a text touches; an empty range touches none.
func linesOf(t text.Text, kind rune, start, end int) []numbered {
	var out []numbered
	for n := t.LineOf(start); start < end && n < t.Lines() && t.LineStart(n) < end; n++ {
		out = append(out, numbered{view.Line{Sign: kind, Text: clean(t.Line(n))}, fmt.Sprintf("%4d", n+1)})
	}
	return out
}

// compare prints the lines of a file that are not what they were: side by side, or below each other where they are too long.
func (p *page) compare(name, before, after string) {
	all, s := differences(before, after), p.inner()
	half := (s.width - 3) / 2
	if widest(all) > half {
		p.below(name, all)
		return
	}
	p.block(s.paint(styleStrong, pad(name+" before", half)) + "   " + s.paint(styleStrong, "and now"))
	for _, d := range all {
		for i := range max(len(d.old), len(d.now)) {
			p.block(s.paint(styleOld, pad(side(d.old, i), half)) + "   " + s.paint(styleNew, side(d.now, i)))
		}
	}
}

func (p *page) below(name string, all []difference) {
	s := p.inner()
	p.block(s.paint(styleStrong, name+" before (-) and now (+)"))
	for _, d := range all {
		p.drawn(d.old)
		p.drawn(d.now)
	}
}

func (p *page) drawn(lines []numbered) {
	for _, l := range lines {
		p.block(drawnLine(p.inner(), l))
	}
}

func side(lines []numbered, i int) string {
	if i >= len(lines) {
		return ""
	}
	return lines[i].number + " " + lines[i].Text
}

func widest(all []difference) int {
	most := 0
	for _, d := range all {
		for i := range max(len(d.old), len(d.now)) {
			most = max(most, columnsOf(side(d.old, i)), columnsOf(side(d.now, i)))
		}
	}
	return most
}
