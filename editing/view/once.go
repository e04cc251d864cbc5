package view

import (
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// Once tells a change that was applied and is closed, in its text as it is now: the
// line and the words. Where the text has gone on since there is no line, and the words
// are those of its hunks.
func Once(c *editing.Change, now text.Text) (line int, summary string) {
	undo := c.UndoEdits()
	if c.Kind.File() || undo.Validate(now.Len()) != nil {
		return 0, BareSummary(c)
	}
	for _, h := range c.Hunks {
		if now.Slice(h.Start, h.End) != h.New {
			return 0, BareSummary(c)
		}
	}
	undo = fine(now, undo)
	old := now.MustApply(undo)
	v := comparison{base: old, old: old, new: now, edits: undo.Invert(now), applied: true}
	return v.where().Line, v.summary()
}
