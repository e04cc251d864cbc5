package lsptest

import (
	"strings"
	"unicode/utf8"
)

// edit replaces bytes [start,end) by text. A list of edits is ascending, disjoint, and in one text.
type edit struct {
	start, end int
	text       string
}

// Cut is the way in which an editor cuts a change into the events of didChange. All of them say the same change.
type Cut int

// The cutting styles.
const (
	CutExact     Cut = iota // exact ranges, the last edit first
	CutAscending            // exact ranges, each in the text that the ones before it made
	CutLines                // by lines, then without what the lines have in common (Neovim)
	CutWhole                // the whole document
	CutWide                 // one range over everything, with unchanged text around it
	CutSeveral              // each edit in up to four steps
	CutOverrun              // exact ranges, but a line's end is named by a character far behind it
)

// Cuts are all styles, for tables.
func Cuts() []Cut {
	return []Cut{CutExact, CutAscending, CutLines, CutWhole, CutWide, CutSeveral, CutOverrun}
}

// contentChange is an event of didChange.
type contentChange struct {
	Range *Range `json:"range,omitempty"`
	Text  string `json:"text"`
}

// splice applies edits.
func splice(text string, edits []edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// invert are the edits that take splice(text, edits) back.
func invert(text string, edits []edit) []edit {
	back, shift := make([]edit, len(edits)), 0
	for i, e := range edits {
		start := e.start + shift
		back[i] = edit{start, start + len(e.text), text[e.start:e.end]}
		shift += len(e.text) - (e.end - e.start)
	}
	return back
}

// cut makes the events that turn before into splice(before, edits).
func cut(style Cut, before string, edits []edit, encoding string) []contentChange {
	if style == CutWhole {
		return []contentChange{{Text: splice(before, edits)}}
	}
	steps := steps(style, before, edits)
	if steps == nil { // some step starts or ends where no position can point to
		steps = []edit{hull(before, edits, 0, 0)}
	}
	var events []contentChange
	text := before
	for _, s := range steps {
		r := Range{position(text, s.start, encoding), position(text, s.end, encoding)}
		if style == CutOverrun {
			overrun(&r, text, s)
		}
		events = append(events, contentChange{Range: &r, Text: s.text})
		text = splice(text, []edit{s})
	}
	return events
}

// steps are the single edits that a style makes of a change, each in the text that the ones before it left; nil if one
// of them cannot be said in positions.
func steps(style Cut, before string, edits []edit) []edit {
	if style == CutWide {
		return []edit{hull(before, edits, 3, 5)}
	}
	var steps []edit
	text, shift := before, 0
	for i := range edits {
		e := edits[len(edits)-1-i]
		if style == CutAscending {
			e = edits[i]
			e.start, e.end = e.start+shift, e.end+shift
			shift += len(e.text) - (e.end - e.start)
		}
		for _, s := range stepsOf(style, text, e) {
			if !addressable(text, s.start) || !addressable(text, s.end) {
				return nil
			}
			steps = append(steps, s)
			text = splice(text, []edit{s})
		}
	}
	return steps
}

func stepsOf(style Cut, text string, e edit) []edit {
	switch style {
	case CutLines:
		return []edit{trim(text, lined(text, e))}
	case CutSeveral:
		half, split := e.start+middle(text[e.start:e.end]), middle(e.text)
		return []edit{
			{half, e.end, ""},
			{e.start, half, ""},
			{e.start, e.start, e.text[split:]},
			{e.start, e.start, e.text[:split]},
		}
	}
	return []edit{e}
}

// hull is one edit over all of them, widened by code points, its ends where positions can point to.
func hull(text string, edits []edit, left, right int) edit {
	start, end := edits[0].start, edits[len(edits)-1].end
	for range left {
		_, n := utf8.DecodeLastRuneInString(text[:start])
		start -= n
	}
	for range right {
		_, n := utf8.DecodeRuneInString(text[end:])
		end += n
	}
	for !addressable(text, start) {
		start--
	}
	for !addressable(text, end) {
		end++
	}
	after := splice(text, edits)
	return edit{start, end, after[start : len(after)-(len(text)-end)]}
}

// lined widens an edit to whole lines.
func lined(text string, e edit) edit {
	start, end := strings.LastIndexByte(text[:e.start], '\n')+1, len(text)
	if i := strings.IndexByte(text[e.end:], '\n'); i >= 0 {
		end = e.end + i + 1
	}
	return edit{start, end, text[start:e.start] + e.text + text[e.end:end]}
}

// trim takes off what old and new have in common, first in front, then behind, on code points.
func trim(text string, e edit) edit {
	for e.start < e.end && e.text != "" {
		r, n := utf8.DecodeRuneInString(text[e.start:e.end])
		if q, m := utf8.DecodeRuneInString(e.text); r != q || n != m || !addressable(text, e.start+n) {
			break
		}
		e.start, e.text = e.start+n, e.text[n:]
	}
	for e.start < e.end && e.text != "" {
		r, n := utf8.DecodeLastRuneInString(text[e.start:e.end])
		if q, m := utf8.DecodeLastRuneInString(e.text); r != q || n != m || !addressable(text, e.end-n) {
			break
		}
		e.end, e.text = e.end-n, e.text[:len(e.text)-n]
	}
	return e
}

// middle is an offset near the half of s, on a code point and not inside a line ending.
func middle(s string) int {
	i := len(s) / 2
	for i > 0 && (!utf8.RuneStart(s[i]) || !addressable(s, i)) {
		i--
	}
	return i
}

// overrun names a line's end by a character behind it: the protocol says that it then means the end.
func overrun(r *Range, text string, e edit) {
	const far = 1000
	if atLineEnd(text, e.end) {
		r.End.Character += far
		if e.start == e.end {
			r.Start.Character += far
		}
	}
}
