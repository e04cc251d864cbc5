package view

import (
	"slices"
	"sort"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// theirs is a stretch of both texts of a comparison that another letter has written.
type theirs struct {
	old, new [2]int
	letter   string
}

// besides finds what other letters of the owner have written: it is part of both
// texts, and not of the file.
func (v *comparison) besides(d *editing.Document, owner string, in func(*editing.Change) bool) {
	now := v.edits.Mapper()
	shift := 0 // of the text that the others have made of the base
	for _, p := range d.Pieces(owner) {
		if in(p.Change) {
			continue
		}
		start, end, ok := written(p.Edit, d.Base)
		if at := [2]int{start + shift, end + shift}; ok && v.applied {
			v.theirs = append(v.theirs, theirs{[2]int{origin(v.edits, at[0]), origin(v.edits, at[1])}, at, p.Change.Letter})
		} else if ok {
			v.theirs = append(v.theirs, theirs{at, [2]int{now(at[0], true), now(at[1], false)}, p.Change.Letter})
		}
		shift += p.Edit.Delta()
	}
}

// written is where the text of an edit stands once it is made, without the ending of
// the line before; of a deletion within a line what is beside it. Lines that are gone
// stand nowhere.
func written(e text.Edit, base text.Text) (start, end int, ok bool) {
	start, end = e.Start, e.Start+len(e.New)
	for _, eol := range []string{"\r\n", "\n"} {
		if strings.HasPrefix(e.New, eol) {
			return start + len(eol), max(end, start+len(eol)+1), true
		}
	}
	gone := base.Slice(e.Start, e.End)
	switch {
	case e.New != "":
		return start, end, true
	case strings.HasPrefix(gone, "\n") || strings.HasPrefix(gone, "\r\n") || strings.HasSuffix(gone, "\n"):
		return 0, 0, false
	case start > base.LineStart(base.LineOf(start)):
		return start - 1, start, true
	}
	return start, start + 1, true
}

// theirsOn are the letters that have written on a line of one of the texts.
func (v comparison) theirsOn(sign rune, line int) string {
	t, side := v.new, func(f theirs) [2]int { return f.new }
	if sign == Old {
		t, side = v.old, func(f theirs) [2]int { return f.old }
	}
	if len(v.theirs) == 0 {
		return ""
	}
	from, to := t.LineStart(line), t.LineStart(line+1)
	var out []string
	first := sort.Search(len(v.theirs), func(i int) bool { return side(v.theirs[i])[1] > from })
	for _, f := range v.theirs[first:] {
		if side(f)[0] >= to {
			break
		}
		out = append(out, f.letter)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), "")
}
