package lsp

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
	"go.lsp.dev/protocol"
)

// This file is the only place where bytes of a text and positions of the
// protocol meet.

// encoding is the unit of a column.
type encoding string

const (
	utf8units  encoding = "utf-8"
	utf16units encoding = "utf-16"
	utf32units encoding = "utf-32"
)

// pickEncoding takes UTF-8 if it is offered: it is ours. What a client offers
// but galley does not know is passed over; UTF-16 is everybody's.
func pickEncoding(offered []string) encoding {
	if slices.Contains(offered, string(utf8units)) {
		return utf8units
	}
	for _, o := range offered {
		if e := encoding(o); e == utf16units || e == utf32units {
			return e
		}
	}
	return utf16units
}

// units is the width of a character. A stray byte, which no editor can hold,
// counts as the one character that stands for it.
func (e encoding) units(r rune, size int) int {
	switch {
	case e == utf8units:
		return size
	case e == utf16units && r > 0xFFFF:
		return 2
	}
	return 1
}

// mapper translates between the bytes of one text and the positions of the
// editor that shows it.
type mapper struct {
	t   text.Text
	enc encoding
	// bom says that the editor counts a byte order mark as the first character.
	bom bool
	// raw says that it counts a \r before an ending as the last one of its line.
	raw bool
	// strict says that it never names a line behind the text.
	strict bool
	// returns says what it takes a \r for that is no part of \r\n.
	returns lineRule
}

// lines is the text as far as its lines go: all offsets are those of t.
func (m mapper) lines() text.Text {
	if m.returns == returnsEnd {
		return m.t.Lined()
	}
	return m.t
}

func (c *client) mapper(d *editing.Document) mapper {
	return mapper{t: d.Base, enc: c.encoding, bom: d.Open() && d.Base.BOM(), strict: c.profile != profile{}, returns: c.profile.returns}
}

// bomWidth is 0 where the editor has none.
func (m mapper) bomWidth() int {
	if !m.bom {
		return 0
	}
	return m.enc.units('\uFEFF', 3)
}

var errOutside = errors.New("the position is outside of the text")

// place is where a position points to. inside counts the units of the character
// at offset that lie before it: an editor may cut a surrogate pair in two.
type place struct {
	offset int
	inside int
	bom    bool // before the byte order mark: offset is 0
}

// place finds a position. A column behind the end of its line is its end, as the
// protocol says; a line behind the last one is outside.
func (m mapper) place(p protocol.Position) (place, error) {
	if p.Line > 1<<30 || int(p.Line) > m.lastLine() {
		return place{}, fmt.Errorf("%w: line %d of %d", errOutside, p.Line, m.lastLine())
	}
	line, col := int(p.Line), int(min(p.Character, 1<<30))
	if w := m.bomWidth(); line == 0 && w > 0 {
		if col < w {
			return place{bom: true, inside: col}, nil
		}
		col -= w
	}
	start := m.lines().LineStart(line)
	s := m.t.Slice(start, m.lineEnd(line))
	at, inside := m.enc.column(s, col)
	return place{offset: start + at, inside: inside}, nil
}

// lineEnd is where the editor's line ends.
func (m mapper) lineEnd(line int) int {
	end := m.lines().LineEnd(line)
	if m.raw && m.t.Slice(end, min(end+2, m.t.Len())) == "\r\n" {
		end++
	}
	return end
}

// lastLine is the number of the last line as editors count: behind a final
// newline there is one more, empty.
func (m mapper) lastLine() int {
	t := m.lines()
	if n := t.Lines(); n > 0 && !t.FinalNewline() {
		return n - 1
	}
	return t.Lines()
}

// column is the byte of a column in a line, and the units inside its character.
func (e encoding) column(s string, col int) (at, inside int) {
	for at < len(s) && col > 0 {
		if s[at] < utf8.RuneSelf {
			at++
			col--
			continue
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		if w := e.units(r, size); w > col {
			return at, col
		} else {
			col -= w
		}
		at += size
	}
	return at, 0
}

// offset is the byte of a position, for questions: the nearest one before it
// where the position is not exact or not there.
func (m mapper) offset(p protocol.Position) int {
	at, err := m.place(p)
	if err != nil {
		return m.t.Len()
	}
	return at.offset
}

// position is the place of a byte. Between \r and \n there is none: it is the
// end of the line.
func (m mapper) position(offset int) protocol.Position {
	offset = min(max(offset, 0), m.t.Len())
	t := m.lines()
	line := t.LineOf(offset)
	start := t.LineStart(line)
	s := m.t.Slice(start, max(start, min(offset, t.LineEnd(line))))
	col := m.enc.width(s)
	if line == 0 {
		col += m.bomWidth()
	}
	return protocol.Position{Line: uint32(line), Character: uint32(col)} //nolint:gosec // below 2^30
}

func (e encoding) width(s string) int {
	if e == utf8units {
		return len(s)
	}
	n := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		n += e.units(r, size)
		i += size
	}
	return n
}

func (m mapper) span(start, end int) protocol.Range {
	return protocol.Range{Start: m.position(start), End: m.position(end)}
}

// edits are edits of the text as the editor is to make them.
func (m mapper) edits(es text.Edits) []protocol.TextEdit {
	out := make([]protocol.TextEdit, len(es))
	for i, e := range es {
		e = m.wholeBreaks(e)
		out[i] = protocol.TextEdit{Range: m.span(e.Start, e.End), NewText: e.New}
	}
	return out
}

// lines are the display lines of a change, with their marks in the client's units.
func (e encoding) lines(ls view.Lines) []wireLine {
	out := make([]wireLine, len(ls))
	for i, l := range ls {
		w := wireLine{Sign: string(l.Sign), Line: l.Old, Text: l.Text, Marks: make([][2]int, len(l.Marks))}
		if l.Sign == view.New {
			w.Line = l.New
		}
		for k, m := range l.Marks {
			w.Marks[k] = [2]int{e.width(l.Text[:m[0]]), e.width(l.Text[:m[1]])}
		}
		out[i] = w
	}
	return out
}

// wholeBreaks widens an edit that ends between \r and \n, where no position is.
func (m mapper) wholeBreaks(e text.Edit) text.Edit {
	parts := func(at int) bool { return at > 0 && at < m.t.Len() && m.t.Slice(at-1, at+1) == "\r\n" }
	end := e.End
	if parts(e.Start) {
		e.Start, e.New = e.Start-1, "\r"+e.New
	}
	if parts(end) {
		e.End, e.New = end+1, e.New+"\n"
	}
	return e
}

// half stands for the half of a surrogate pair that an editor has left over: a byte
// that no text of an editor has. It counts as one unit, as the half does, so that all
// columns stay right; but where one is left in the end, the text is not known.
const half = "\xff"

// edit reads a change of the editor as an edit of the text. touchesBOM says that
// it reaches before the first character: then it is an edit of "\uFEFF" + text.
func (m mapper) edit(r protocol.Range, s string) (e text.Edit, touchesBOM bool, err error) {
	from, err := m.place(r.Start)
	if err != nil {
		return e, false, err
	}
	to, err := m.end(r.End)
	if err != nil {
		return e, false, err
	}
	if from.bom || to.bom {
		return m.editBOM(from, to, s)
	}
	if m.enc == utf8units && (from.inside > 0 || to.inside > 0) {
		return e, false, fmt.Errorf("%w: inside a character", errOutside)
	}
	if from == to && s == "" { // nothing happens, also inside a pair
		return text.Edit{Start: from.offset, End: from.offset}, false, nil
	}
	switch both := from.inside > 0 && to.inside > 0; {
	case both && s == "":
		s = m.joined(from.offset, to.offset)
	case both:
		s = half + s + half
	case from.inside > 0:
		s = half + s
	case to.inside > 0:
		s += half
	}
	if to.inside > 0 {
		_, size := utf8.DecodeRuneInString(m.t.Slice(to.offset, min(to.offset+utf8.UTFMax, m.t.Len())))
		to.offset += size
	}
	if from.offset > to.offset {
		return e, false, fmt.Errorf("%w: the range ends before it starts", errOutside)
	}
	return text.Edit{Start: from.offset, End: to.offset, New: s}, false, nil
}

// joined is the character that the first half of one and the second half of
// another make together.
func (m mapper) joined(first, second int) string {
	high, _ := utf16.EncodeRune(m.runeAt(first))
	_, low := utf16.EncodeRune(m.runeAt(second))
	return string(utf16.DecodeRune(high, low))
}

func (m mapper) runeAt(offset int) rune {
	r, _ := utf8.DecodeRuneInString(m.t.Slice(offset, min(offset+utf8.UTFMax, m.t.Len())))
	return r
}

// end is place for the end of a range: the start of the line behind the last one
// means the end of the text, but to editors whose positions are known to be exact.
func (m mapper) end(p protocol.Position) (place, error) {
	if !m.strict && int(min(p.Line, 1<<30)) == m.lastLine()+1 && p.Character == 0 {
		return place{offset: m.t.Len()}, nil
	}
	return m.place(p)
}

// editBOM is an edit that starts before the byte order mark's end.
func (m mapper) editBOM(from, to place, s string) (text.Edit, bool, error) {
	if from.inside > 0 || to.bom && to.inside > 0 || !from.bom {
		return text.Edit{}, false, fmt.Errorf("%w: inside the byte order mark", errOutside)
	}
	e := text.Edit{New: s}
	if !to.bom {
		e.End = len("\uFEFF") + to.offset
	}
	return e, true, nil
}

// touch reports whether two ranges have a place in common, be it an edge.
func touch(a, b protocol.Range) bool { return !before(a.End, b.Start) && !before(b.End, a.Start) }

func before(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
