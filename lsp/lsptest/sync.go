package lsptest

import (
	"strings"
	"unicode/utf8"
)

// CutRows cuts an edit of rows as vim/lsp/sync.lua does, line endings and slips included: every line has an ending there,
// also the last one of a file without. It is for editors that hold lines, and so not among Cuts.
const CutRows Cut = -1

// events are what Neovim tells of a change.
func (b *buffer) events(c change, encoding string, lined Lined) []contentChange {
	before := *b
	before.text = c.before
	rows := before.rows()
	var out []contentChange
	for _, r := range c.rows {
		now := r.apply(rows)
		if e, ok := rowEvent(rows, now, r, encoding, b.form.eol, lined); ok {
			out = append(out, e)
		}
		rows = now
	}
	return out
}

// rowEvent is one edit of rows as an event of didChange. It is not told where the script fails.
func rowEvent(prev, now []string, r rowEdit, encoding, eol string, lined Lined) (contentChange, bool) {
	start := rowStart(prev, now, r)
	end, stop := rowEnds(prev, now, r, start)
	if lined == Lined012 && len(now) == 1 && now[0] == "" { // 0.10 deletes the last ending too
		if r.last == 0 {
			return contentChange{}, false
		}
		end, stop = spot{r.last - 1, len(prev[r.last-1])}, spot{}
	}
	position := func(s spot) Position {
		if s.row >= len(prev) {
			return Position{Line: s.row}
		}
		return Position{Line: s.row, Character: units(prev[s.row][:s.col], encoding)}
	}
	return contentChange{Range: &Range{position(start), position(end)}, Text: between(now, start, stop, eol)}, true
}

// rowStart is where the rows begin to differ.
func rowStart(prev, now []string, r rowEdit) spot {
	switch last := r.first + len(r.rows); {
	case r.first == r.last && r.first > 0: // new lines go behind the one before
		return spot{r.first - 1, len(prev[r.first-1])}
	case r.first == r.last || r.first == last:
		return spot{r.first, 0}
	}
	old, new := prev[r.first], now[r.first]
	col := 0
	for col < len(old) && col < len(new) && old[col] == new[col] {
		col++
	}
	for col > 0 && col < len(old) && !utf8.RuneStart(old[col]) {
		col--
	}
	return spot{r.first, col}
}

// rowEnds are where they end to differ: in the rows before, and in those now.
func rowEnds(prev, now []string, r rowEdit, start spot) (end, stop spot) {
	last := r.first + len(r.rows)
	if r.first == last || r.first == r.last {
		return spot{r.last, 0}, spot{last, 0}
	}
	end, stop = spot{r.last - 1, 0}, spot{last - 1, 0}
	old, new := prev[end.row], now[stop.row]
	same := 0
	if end.row == stop.row { // else whole lines were taken or put, and all of the last one is told
		most := min(len(old), len(new))
		if start.row == end.row {
			most -= start.col
		}
		for same < most && old[len(old)-1-same] == new[len(new)-1-same] {
			same++
		}
	}
	end.col, stop.col = nextRune(old, len(old)-same), nextRune(new, len(new)-same)
	return end, stop
}

// nextRune is an offset, or the start of the next character if it is inside one.
func nextRune(s string, col int) int {
	for col < len(s) && !utf8.RuneStart(s[col]) {
		col++
	}
	return col
}

// between is the text of rows from one place to another.
func between(rows []string, start, stop spot, eol string) string {
	switch {
	case start.row >= len(rows):
		return ""
	case start.row == stop.row:
		return rows[start.row][start.col:max(start.col, stop.col)]
	}
	out := []string{rows[start.row][start.col:]}
	out = append(out, rows[start.row+1:stop.row]...)
	if stop.row < len(rows) {
		return strings.Join(append(out, rows[stop.row][:stop.col]), eol)
	}
	return strings.Join(append(out, ""), eol)
}
