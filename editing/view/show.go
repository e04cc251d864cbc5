package view

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

const (
	wideLine = 50_000 // code points that a line has at most
	saneLine = 200    // the same where windows are to be short
	gapLeast = 20     // fewer are not left out: to say so takes as much room
)

// source is what the text of a line is made from, and how.
type source struct {
	raw    string
	places [][2]int // what changes, also empty ranges where the other side has more
	marked bool     // what changes is marked
	alike  bool     // both sides look the same: only blanks and the like differ
	end    string   // stands behind the line
	width  int      // code points at most
	whole  bool     // but all that comes
	blanks bool     // blanks are spelled too where both sides look the same
}

// Spelled is the line with its blanks written out too where both sides look the
// same, for whoever shows plain text.
func (l Line) Spelled() Line {
	l.blanks = true
	return l.drawn()
}

// Narrowed cuts a line to about width code points, around what changes on it.
func (l Line) Narrowed(width int) Line {
	l.width, l.whole = min(width, wideLine), false
	return l.drawn()
}

// Whole cuts a line in the same way, but leaves in it all that comes.
func (l Line) Whole(width int) Line {
	l = l.Narrowed(width)
	l.whole = l.Sign == New
	return l.drawn()
}

// drawn writes the line anew: what a reader cannot see is written out, what is left
// out is counted.
func (l Line) drawn() Line {
	if l.Sign == Note {
		return l
	}
	d := drawing{source: l.source}
	at := 0
	for _, p := range l.parts() {
		d.gap(at, p[0])
		d.part(p[0], p[1])
		at = p[1]
	}
	d.gap(at, len(l.raw))
	l.Text, l.Marks, l.Hidden = d.sb.String()+l.end, nil, 0
	if l.marked {
		l.Marks = d.marks
	}
	if l.Sign == New {
		l.Hidden = d.hidden
	}
	return l
}

// drawing is a line that is being written.
type drawing struct {
	source
	sb     strings.Builder
	marks  [][2]int
	hidden int // code points of what changes
}

// gap stands for a part that is left out.
func (d *drawing) gap(from, to int) {
	if from >= to {
		return
	}
	fmt.Fprintf(&d.sb, "⟦… %s⟧", text.Plural(utf8.RuneCountInString(d.raw[from:to]), "char"))
	for _, m := range d.within(from, to) {
		d.hidden += utf8.RuneCountInString(d.raw[m[0]:m[1]])
	}
}

// part writes the characters of a part.
func (d *drawing) part(from, to int) {
	if !d.alike && plain(d.raw[from:to]) {
		at := d.sb.Len() - from
		d.sb.WriteString(d.raw[from:to])
		for _, m := range d.within(from, to) {
			d.marks = append(d.marks, [2]int{m[0] + at, m[1] + at})
		}
		return
	}
	raw, out := []int{from}, []int{d.sb.Len()} // where characters begin
	trailing := len(strings.TrimRight(d.raw, " "))
	for at := from; at < to; {
		n := text.Character(d.raw[at:to])
		d.sb.WriteString(d.character(d.raw[at:at+n], at >= trailing))
		at += n
		raw, out = append(raw, at), append(out, d.sb.Len())
	}
	for _, m := range d.within(from, to) {
		i := sort.SearchInts(raw, m[0]+1) - 1
		j := sort.SearchInts(raw, m[1])
		d.marks = append(d.marks, [2]int{out[i], out[j]})
	}
}

// plain reports whether a text is shown as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' || c >= 0x7F) && c != '\t' {
			return false
		}
	}
	return true
}

// within are the places, but empty ones, as far as they lie in a part.
func (d *drawing) within(from, to int) [][2]int {
	var out [][2]int
	first := sort.Search(len(d.places), func(i int) bool { return d.places[i][1] > from })
	for _, m := range d.places[first:] {
		if m[0] >= to {
			break
		}
		if m = [2]int{max(m[0], from), min(m[1], to)}; m[0] < m[1] {
			out = append(out, m)
		}
	}
	return out
}

// character is one as it is shown: where both sides look the same nothing is left
// to be guessed.
func (d *drawing) character(c string, trailing bool) string {
	blank := c == "\t" || c == " " && trailing
	switch {
	case blank && !(d.alike && d.blanks), c == " " && !trailing, !d.alike && text.Seen(c):
		return c
	}
	return text.Visible(c)
}

// Rewritten replaces each character, and what is marked moves along.
func (l Line) Rewritten(by func(c string) string) Line {
	var sb strings.Builder
	moved := make([]int, 0, len(l.Text)+1)
	for at := 0; at < len(l.Text); {
		n := text.Character(l.Text[at:])
		for range n {
			moved = append(moved, sb.Len())
		}
		sb.WriteString(by(l.Text[at : at+n]))
		at += n
	}
	moved = append(moved, sb.Len())
	marks := make([][2]int, len(l.Marks))
	for i, m := range l.Marks {
		marks[i] = [2]int{moved[m[0]], moved[m[1]]}
	}
	l.Text, l.Marks = sb.String(), marks
	return l
}

// seen is what a person sees of a text.
func seen(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && !text.Seen(string(r)) {
			return -1
		}
		return r
	}, s)
}

// parts are the parts of a line that are shown, around what changes on it.
func (s source) parts() [][2]int {
	if len(s.raw) <= s.width || utf8.RuneCountInString(s.raw) <= s.width {
		return [][2]int{{0, len(s.raw)}}
	}
	k := keeper{s: s.raw, left: s.width}
	edge := s.width / max(5, 4*len(s.places))
	if s.whole {
		k.left = wideLine
	}
	for _, m := range s.places {
		if s.whole {
			k.keep(back(s.raw, m[0], edge), ahead(s.raw, m[1], edge))
		} else {
			k.keepEnds(m[0], m[1], edge)
		}
	}
	if len(k.parts) == 0 {
		k.keep(0, len(s.raw))
	}
	k.keep(len(s.raw), len(s.raw))
	return k.parts
}

// keeper chooses parts of a line, ascending, until left code points are used up.
type keeper struct {
	s     string
	left  int
	parts [][2]int
}

// keepEnds keeps both ends of a range, with edge code points on either side.
func (k *keeper) keepEnds(from, to, edge int) {
	k.keep(back(k.s, from, edge), min(to, ahead(k.s, from, edge)))
	k.keep(max(from, back(k.s, to, edge)), ahead(k.s, to, edge))
}

func (k *keeper) keep(from, to int) {
	n, last := len(k.parts)-1, 0
	if n >= 0 {
		last = k.parts[n][1]
	}
	if ahead(k.s, last, gapLeast) > from {
		from = last
	}
	from = max(from, last)
	to = min(to, ahead(k.s, from, k.left))
	if from >= to {
		return
	}
	k.left -= utf8.RuneCountInString(k.s[from:to])
	if n >= 0 && last == from {
		k.parts[n][1] = to
		return
	}
	k.parts = append(k.parts, [2]int{from, to})
}

// back is n code points before offset, ahead n behind it.
func back(s string, offset, n int) int {
	for ; n > 0 && offset > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:offset])
		offset -= size
	}
	return offset
}

func ahead(s string, offset, n int) int {
	for ; n > 0 && offset < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[offset:])
		offset += size
	}
	return offset
}
