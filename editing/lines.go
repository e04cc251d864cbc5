package editing

import (
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file knows where lines begin and end, and which of them a hunk edits.

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

// slid returns the insertion of whole lines in its other form: "\nX" behind a
// line is "X\n" before the next one. The break between is that of the line before.
// ok is false where there is no other form.
func (h Hunk) slid(t text.Text) (Hunk, bool) {
	if h.Old != "" {
		return h, false
	}
	h.Start = h.End
	if nl, own := breakAt(t, h.End), firstBreak(h.New); nl != "" && own != "" {
		h.New = h.New[len(own):] + nl
		h.Start += len(nl)
		h.End = h.Start
		return h, true
	}
	if nl, own := breakBefore(t, h.Start), lastBreak(h.New); nl != "" && own != "" {
		h.New = nl + h.New[:len(h.New)-len(own)]
		h.Start -= len(nl)
		h.End = h.Start
		return h, true
	}
	return h, false
}

func breakAt(t text.Text, offset int) string {
	return firstBreak(t.Slice(offset, min(offset+2, t.Len())))
}

func breakBefore(t text.Text, offset int) string {
	return lastBreak(t.Slice(max(0, offset-2), offset))
}

// firstBreak is the line break that s begins with, lastBreak the one that it ends with.
func firstBreak(s string) string {
	switch {
	case strings.HasPrefix(s, "\r\n"):
		return "\r\n"
	case strings.HasPrefix(s, "\n"):
		return "\n"
	}
	return ""
}

func lastBreak(s string) string { return s[len(bareLine(s)):] }
