package editing

import (
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file decides one question: does an edit of the user touch a line that a
// staged hunk edits? The answer separates "shift and keep both" from conflict.

// block is the run of lines that a hunk edits. free says that the hunk holds
// the line break on that side itself, so what is beyond cannot flow into it.
type block struct {
	start, end          int
	leftFree, rightFree bool
}

func startsLine(s string) bool {
	return strings.HasPrefix(s, "\n") || strings.HasPrefix(s, "\r\n")
}

func endsLine(s string) bool { return strings.HasSuffix(s, "\n") }

func lineStart(t text.Text, offset int) int { return t.LineStart(t.LineOf(offset)) }

func lineEnd(t text.Text, offset int) int { return t.LineEnd(t.LineOf(offset)) }

// atLineEnd reports whether a line break or the end of the text follows offset.
func atLineEnd(t text.Text, offset int) bool {
	return offset >= t.Len() || startsLine(t.Slice(offset, min(offset+2, t.Len())))
}

// atLineStart reports whether offset is the beginning of a line.
func atLineStart(t text.Text, offset int) bool {
	return offset == 0 || t.Slice(offset-1, offset) == "\n"
}

// wholeLines reports whether the hunk inserts whole lines, and so edits none.
func (h Hunk) wholeLines(t text.Text) bool {
	if h.Old != "" || h.New == "" {
		return false
	}
	h.Start = h.End
	return (startsLine(h.New) && atLineEnd(t, h.End)) || (endsLine(h.New) && atLineStart(t, h.Start))
}

func (h Hunk) block(t text.Text) block {
	if h.Old == "" {
		h.Start = h.End
	}
	b := block{start: h.Start, end: h.End}
	if h.wholeLines(t) {
		b.leftFree, b.rightFree = true, true
		return b // whole new lines edit no line
	}
	b.leftFree = startsLine(h.Old) && (startsLine(h.New) || (h.New == "" && atLineEnd(t, h.End)))
	b.rightFree = endsLine(h.Old) && (endsLine(h.New) || (h.New == "" && atLineStart(t, h.Start)))
	if !b.leftFree {
		b.start = lineStart(t, h.Start)
	}
	if !b.rightFree {
		b.end = max(h.End, lineEnd(t, h.End))
	}
	return b
}

// side says where an edit lies, seen from a hunk.
type side int

const (
	before side = iota
	behind
	inside // on a line that the hunk edits
	typed  // an insertion, or a change of it, at the very place of an insertion
)

// where places the user's edit e of text t relative to a hunk.
func (h Hunk) where(t text.Text, e text.Edit) side {
	if h.Old == "" && e.Start >= h.Start && e.End <= h.End {
		return typed
	}
	if h.Old == "" {
		h.Start = h.End // what was typed at the place is the user's own
	}
	b := h.block(t)
	if h.wholeLines(t) {
		return h.whereOfInsertion(t, e)
	}
	if e.End <= b.start && (b.leftFree || e.End < b.start || endsOnLine(t, e)) {
		return before
	}
	if e.Start >= b.end && (b.rightFree || e.Start > b.end || goesOnWithLine(t, e)) {
		return behind
	}
	return inside
}

// whereOfInsertion: whole new lines stand between two lines and edit neither,
// as long as a line break stays beside them.
func (h Hunk) whereOfInsertion(t text.Text, e text.Edit) side {
	head := startsLine(h.New) && atLineEnd(t, h.End)
	switch {
	case e.End <= h.Start && (head || e.End < h.Start || endsOnLine(t, e)):
		return before
	case e.Start >= h.End && (!head || e.Start > h.End || goesOnWithLine(t, e)):
		return behind
	}
	return inside
}

// endsOnLine reports whether what stands before e.End after the edit is a line
// break, or the beginning of the text: the line behind stays whole.
func endsOnLine(t text.Text, e text.Edit) bool {
	if e.New != "" {
		return endsLine(e.New)
	}
	return atLineStart(t, e.Start)
}

// goesOnWithLine reports whether a line break follows e.Start after the edit:
// the line before stays whole.
func goesOnWithLine(t text.Text, e text.Edit) bool {
	if e.New != "" {
		return startsLine(e.New)
	}
	return atLineEnd(t, e.End)
}

// slid returns the insertion of whole lines in its other form: "\nX" behind a
// line is "X\n" before the next one. ok is false where there is no other form.
func (h Hunk) slid(t text.Text) (Hunk, bool) {
	if h.Old != "" {
		return h, false
	}
	h.Start = h.End
	if nl := breakAt(t, h.End); nl != "" && strings.HasPrefix(h.New, nl) {
		h.New = h.New[len(nl):] + nl
		h.Start += len(nl)
		h.End = h.Start
		return h, true
	}
	if nl := breakBefore(t, h.Start); nl != "" && strings.HasSuffix(h.New, nl) {
		h.New = nl + h.New[:len(h.New)-len(nl)]
		h.Start -= len(nl)
		h.End = h.Start
		return h, true
	}
	return h, false
}

func breakAt(t text.Text, offset int) string {
	s := t.Slice(offset, min(offset+2, t.Len()))
	switch {
	case strings.HasPrefix(s, "\r\n"):
		return "\r\n"
	case strings.HasPrefix(s, "\n"):
		return "\n"
	}
	return ""
}

func breakBefore(t text.Text, offset int) string {
	s := t.Slice(max(0, offset-2), offset)
	switch {
	case strings.HasSuffix(s, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(s, "\n"):
		return "\n"
	}
	return ""
}
