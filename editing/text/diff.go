package text

import "strings"

// Diff makes the edits that lead from old to new, for people to read and for a merge to keep apart: lines are compared first, then the words
// of the lines that differ. Whole words are replaced, edits with next to nothing between them are joined, edits on lines with an unchanged
// line between them never. All offsets are in old, between code points and never between \r and \n. Applying the result to old gives new
// exactly, whatever the bytes. The work is bounded: where texts are too large and too different, larger pieces are replaced.
func Diff(old, new string) Edits { return checked(wordDiff(old, new), old, new) }

// Words makes edits of single words: each that is another is one, whatever little is between them. They are for marking what differs in
// texts that Diff replaces as a whole.
func Words(old, new string) Edits {
	ids, p := names{}, piece{0, old, new}
	a, b := ids.cut(old, nextWord), ids.cut(new, nextWord)
	return checked(p.edits((&work{left: allWork}).align(a.id, b.id), a, b), old, new)
}

// LineDiff makes edits that replace, insert and delete whole lines: the hunks that lead from old to new. Otherwise it is like Diff.
func LineDiff(old, new string) Edits { return checked(lineDiff(old, new), old, new) }

func wordDiff(old, new string) Edits {
	w := &work{left: allWork}
	var d draft
	for _, p := range w.pieces(old, new) {
		if p.old == "" || p.new == "" {
			d.add(d.slide(old, p.edit(), p.at))
			continue
		}
		for _, e := range w.words(p) {
			d.add(d.slide(old, e, p.at))
		}
	}
	return d.es
}

func lineDiff(old, new string) Edits {
	w := &work{left: allWork}
	var d draft
	for _, p := range w.pieces(old, new) {
		d.es = append(d.es, d.slide(old, wholeLines(p.edit(), p.old), p.at))
	}
	return d.es
}

// wholeLines makes of a last line without an ending, behind which lines come or go, the insertion or deletion of those lines.
func wholeLines(e Edit, old string) Edit {
	if rest, ok := strings.CutPrefix(e.New, old); ok && startsEnding(rest) && clean(e.New, len(old)) {
		return Edit{Start: e.End, End: e.End, New: rest}
	}
	if rest, ok := strings.CutPrefix(old, e.New); ok && startsEnding(rest) && clean(old, len(e.New)) {
		return Edit{Start: e.Start + len(e.New), End: e.End}
	}
	return e
}

// startsEnding says whether s starts with a line ending.
func startsEnding(s string) bool { return strings.HasPrefix(s, "\n") || strings.HasPrefix(s, "\r\n") }

// draft collects edits front to back.
type draft struct{ es Edits }

func (d *draft) end() int {
	if len(d.es) == 0 {
		return -1
	}
	return d.es[len(d.es)-1].End
}

// add appends an edit. One that touches the edit before becomes part of it.
func (d *draft) add(e Edit) {
	if n := len(d.es); n > 0 && d.end() == e.Start {
		d.es[n-1].End = e.End
		d.es[n-1].New += e.New
		return
	}
	d.es = append(d.es, e)
}

// slide is Slide where the edit before leaves room for it. It may come to touch an edit of its own piece of the text, which starts at from,
// but not one before: an unchanged line is between them, and be it a blank one.
func (d *draft) slide(old string, e Edit, from int) Edit {
	s := Slide(old, e)
	if s.Start > d.end() || s.Start == d.end() && d.end() > from {
		return s
	}
	return e
}

// checked is the safety net under everything above: edits that do not make exactly the new text are replaced by one that does.
func checked(es Edits, old, new string) Edits {
	if es.Validate(len(old)) == nil && es.makes(old, new) {
		return es
	}
	return Edits{piece{0, old, new}.trimmed()}
}

// makes says whether the edits make new of old.
func (es Edits) makes(old, new string) bool {
	at := 0
	for _, e := range es {
		var ok bool
		if new, ok = strings.CutPrefix(new, old[at:e.Start]); !ok {
			return false
		}
		if new, ok = strings.CutPrefix(new, e.New); !ok {
			return false
		}
		at = e.End
	}
	return new == old[at:]
}
