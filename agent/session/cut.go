package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/memory"
)

// cut is an intent whose process died in it, with some files written.
type cut struct {
	memory.Intent
	meant intentEntry
	parts []disk.Part
	found []disk.Standing
}

// called takes in that letters of the intent are others now, and answers them.
func (c *cut) called(im *editing.Image) []string {
	was := c.meant.Entry.Record
	now := im.Called(was)
	letters := slices.Clone(c.Letters)
	for i, ch := range was.Changes {
		if at := slices.Index(c.Letters, ch.Letter); at >= 0 {
			letters[at] = now.Changes[i].Letter
		}
	}
	c.meant.Entry.Record, c.Letters = now, letters
	return letters
}

// undoes reports whether it takes texts out.
func (c *cut) undoes() bool { return strings.HasPrefix(c.Op, "undo") }

// stands is how far the file of a change came, "" if it is not among those of the intent.
func (c *cut) stands(ch *editing.Change) disk.Standing {
	i := slices.IndexFunc(c.parts, func(p disk.Part) bool { return p.Path == ch.Path || p.To == ch.Path })
	if i < 0 {
		return ""
	}
	return c.found[i]
}

// all reports whether every file of the intent stands so.
func (c *cut) all(so disk.Standing) bool {
	return !slices.ContainsFunc(c.found, func(f disk.Standing) bool { return f != so })
}

// known is what the intent says of the letters in files that are as it meant them. Where
// it opens their editing session again they are still closed.
func (c *cut) known() (r editing.Record) {
	if c.Op == opUndo && len(c.meant.Entry.Record.Sessions) > 0 {
		return r
	}
	for _, ch := range c.meant.Entry.Record.Changes {
		if c.stands(ch) == disk.Done && ch.State != editing.Closed {
			r.Changes = append(r.Changes, ch)
		}
	}
	return r
}

// letters are those of an intent in the files that stand so.
func (c *cut) letters(im *editing.Image, so func(disk.Standing) bool) []string {
	var out []string
	for _, ch := range im.Open() {
		if is := c.stands(ch); is != "" && so(is) && slices.Contains(c.Letters, ch.Letter) {
			out = append(out, ch.Letter)
		}
	}
	return out
}

// about reports whether an intent is about a change, whatever letter it bears now.
func (c *cut) about(ch *editing.Change) bool {
	i := slices.IndexFunc(c.meant.Entry.Record.Changes, func(o *editing.Change) bool { return o.Order == ch.Order })
	if i < 0 { // the undo of a closed edit records none
		return slices.Contains(c.Letters, ch.Letter)
	}
	return slices.Contains(c.Letters, c.meant.Entry.Record.Changes[i].Letter)
}

// named says what an intent was about.
func named(in memory.Intent) string {
	what := cmp.Or(map[string]string{opCommit: "the commit", opUndoApplied: "the undo", opUndoClosed: "the undo", opUndo: "the undo"}[in.Op], "the apply")
	if in.Edit != 0 {
		what += fmt.Sprintf(" of #%d", in.Edit)
	}
	if len(in.Letters) > 0 {
		what += " (" + strings.Join(in.Letters, ", ") + ")"
	}
	return what
}

func files(in memory.Intent) string {
	var out []string
	for _, f := range in.Files {
		out = append(out, f.Path)
	}
	return strings.Join(out, ", ")
}
