package lsptest

import (
	"slices"
	"strings"
)

// An editor that holds lines as Neovim does: each has an ending, the last one too, and a buffer of nothing is one empty
// line. Whether the last ending belongs to the file is an option of the buffer, which no edit changes.

// Lined says whether a buffer holds lines, and how the edits of a server are made in them.
type Lined int

// LinedNot holds a text. Lined010 and Lined012 are the two Neovims: they differ in an edit behind the last line, and in
// what they tell when hardly a line is left.
const (
	LinedNot Lined = iota
	Lined010
	Lined012
)

// rowEdit puts rows in the place of those from first to last, the last one not included.
type rowEdit struct {
	first, last int
	rows        []string
}

// rows are the lines of a buffer without their endings.
func (b *buffer) rows() []string {
	text := b.text
	if !b.unended {
		text = strings.TrimSuffix(text, b.form.eol)
	}
	return strings.Split(text, b.form.eol)
}

// ofRows is a text as this buffer tells it.
func (b *buffer) ofRows(rows []string) string {
	text := strings.Join(rows, b.form.eol)
	if !b.unended {
		text += b.form.eol
	}
	return text
}

// apply makes an edit. Of no rows at all one empty one is left.
func (r rowEdit) apply(rows []string) []string {
	if rows = slices.Concat(rows[:r.first], r.rows, rows[r.last:]); len(rows) == 0 {
		return []string{""}
	}
	return rows
}

// spot is a place in rows, in bytes.
type spot struct{ row, col int }

// spotOf is the place of a byte of the text. Behind the last ending it is the start of a row that is not there.
func (b *buffer) spotOf(offset int) spot {
	for i, row := range b.rows() {
		if offset <= len(row) {
			return spot{i, offset}
		}
		if offset -= len(row) + len(b.form.eol); offset < 0 { // inside an ending
			return spot{i, len(row)}
		}
	}
	return spot{len(b.rows()), 0}
}

// typed are edits by hand, the last one first: whole lines as the keys for lines make them, else within lines.
func (b *buffer) typed(edits []edit) []rowEdit {
	var out []rowEdit
	rows := b.rows()
	for _, e := range slices.Backward(edits) {
		r := b.typedOne(rows, b.spotOf(e.start), b.spotOf(e.end), strings.Split(e.text, b.form.eol))
		out = append(out, r)
		rows = r.apply(rows)
	}
	return out
}

func (b *buffer) typedOne(rows []string, from, to spot, text []string) rowEdit {
	switch {
	case from.row >= len(rows): // behind the last line
		return rowEdit{len(rows), len(rows), withoutLast(text)}
	case to.row >= len(rows):
		text[0] = rows[from.row][:from.col] + text[0]
		return rowEdit{from.row, len(rows), withoutLast(text)}
	case from.col == 0 && to.col == 0 && text[len(text)-1] == "" && (len(text) > 1 || from != to):
		return rowEdit{from.row, to.row, text[:len(text)-1]}
	case from == to && from.col == len(rows[from.row]) && text[0] == "" && len(text) > 1:
		return rowEdit{from.row + 1, from.row + 1, text[1:]}
	}
	return within(rows, from, to, text)
}

// withoutLast drops the row behind the last ending.
func withoutLast(text []string) []string {
	if n := len(text) - 1; text[n] == "" {
		return text[:n]
	}
	return text
}

// within replaces a part of the rows from one to another.
func within(rows []string, from, to spot, text []string) rowEdit {
	text = slices.Clone(text)
	text[0] = rows[from.row][:from.col] + text[0]
	text[len(text)-1] += rows[to.row][to.col:]
	return rowEdit{from.row, to.row + 1, text}
}

// served are edits of a server, the last one first, as vim.lsp.util.apply_text_edits makes them: what lies behind the
// last line is put right, and an empty line that this leaves at the end goes.
func (b *buffer) served(list []TextEdit, encoding string, lined Lined) []rowEdit {
	list = slices.Clone(list)
	slices.Reverse(list)
	slices.SortStableFunc(list, func(x, y TextEdit) int { return y.Range.Start.compare(x.Range.Start) })
	var out []rowEdit
	rows, behind := b.rows(), false
	for _, t := range list {
		r, past := servedOne(rows, t, encoding)
		behind = behind || past && (lined == Lined012 || t.Range.Start.Line < len(rows))
		out = append(out, r)
		rows = r.apply(rows)
	}
	if n := len(rows) - 1; behind && rows[n] == "" {
		out = append(out, rowEdit{first: n, last: n + 1})
	}
	return out
}

func servedOne(rows []string, t TextEdit, encoding string) (r rowEdit, past bool) {
	text := strings.Split(strings.ReplaceAll(strings.ReplaceAll(t.NewText, "\r\n", "\n"), "\r", "\n"), "\n")
	if t.Range.Start.Line >= len(rows) {
		return rowEdit{len(rows), len(rows), text}, true
	}
	from, to := spotAt(rows, t.Range.Start, encoding), spot{}
	if past = t.Range.End.Line >= len(rows); past {
		to = spot{len(rows) - 1, len(rows[len(rows)-1])}
	} else {
		to = spotAt(rows, t.Range.End, encoding)
		if t.Range.End.Character > units(rows[to.row], encoding) && strings.HasSuffix(t.NewText, "\n") {
			text = text[:len(text)-1] // the server may have counted a \r
		}
	}
	return within(rows, from, to, text), past
}

// spotAt is where a position points to; inside a character it is behind it, and behind a line its end.
func spotAt(rows []string, at Position, encoding string) spot {
	left := at.Character
	for i, r := range rows[at.Line] {
		if left <= 0 {
			return spot{at.Line, i}
		}
		left -= width(r, encoding)
	}
	return spot{at.Line, len(rows[at.Line])}
}

// lined is what edits of rows make of the text.
func (b *buffer) lined(edits []edit, made []rowEdit) change {
	rows := b.rows()
	for _, r := range made {
		rows = r.apply(rows)
	}
	after := b.ofRows(rows)
	if edits == nil || splice(b.text, edits) != after {
		edits = []edit{trim(b.text, edit{0, len(b.text), after})}
	}
	return change{before: b.text, edits: edits, rows: made}
}

// toldLines are the lines as the server knows them: in an editor that holds lines the last one has an ending too.
func (b *buffer) toldLines() string {
	if b.unended {
		return b.told + b.form.eol
	}
	return b.told
}
