package lsp

import (
	"errors"
	"fmt"

	"github.com/galley-ls/galley/editing/text"
	"go.lsp.dev/protocol"
)

// lineTyping follows an editor that holds lines: the text of its typing has all
// endings, the last one too.
type lineTyping struct {
	lined           // how the lines are read now, but for bare
	was   bool      // bare, before
	from  text.Text // the lines before, with all endings
	empty bool      // the document was
	blurs bool
	// wanted: there are letters, and by them the last ending is another than the
	// editor's.
	wanted bool
}

// reading is one way to read the lines that came out: the edits of the document
// that lead there.
type reading struct {
	lined
	edits []text.Edit
}

// asLines begins to follow lines.
func (t *typing) asLines(l lined, blurs, letters bool) error {
	t.lines = &lineTyping{lined: l, was: l.bare, empty: t.m.t.Len() == 0, blurs: blurs, wanted: letters && l.bare != l.unended}
	t.m.raw = l.raw
	if l.bare {
		if err := t.end(); err != nil {
			return err
		}
	}
	t.lines.from = t.m.t
	return nil
}

// end appends an ending.
func (t *typing) end() error {
	n := t.m.t.Len()
	return t.edit(text.Edit{Start: n, End: n, New: t.lines.nl()})
}

// line makes one edit of the lines.
func (t *typing) line(r protocol.Range, s string) error {
	if t.lines.short && int(min(r.End.Line, 1<<30)) > t.m.lastLine() { // the empty line is there
		t.lines.short = false
		if err := t.end(); err != nil {
			return err
		}
	}
	was := t.m.t
	e, _, err := t.m.edit(r, s)
	if err != nil {
		return err
	}
	if err := t.edit(e); err != nil {
		return err
	}
	if t.lines.blurs && t.blurred(was, e) {
		n := t.m.t.Len()
		t.lines.short = true
		return t.edit(text.Edit{Start: n - len(t.lines.ending(t.m.t)), End: n})
	}
	return t.ended()
}

// ended gives the last line the ending back that the editor does not tell: of a
// text of nothing, and of the empty line that was not known.
func (t *typing) ended() error {
	if t.m.t.FinalNewline() || t.m.t.Len() > 0 && !t.lines.short {
		return nil
	}
	t.lines.short = false
	return t.end()
}

var errUnended = errors.New("the last line has lost its ending")

// whole refuses lines whose last one has no ending: what came were none.
func (l *lineTyping) whole(now text.Text) error {
	if l != nil && !now.FinalNewline() {
		return fmt.Errorf("%w: line %d", errUnended, now.Lines())
	}
	return nil
}

// blurred reports whether an edit leaves open if there is one empty line or two.
// Neovim from 0.11 on tells of the deletion of all lines but an empty one, the
// first or the last, as if a second one stayed. One line is taken then: a second
// one becomes known when it is spoken of, but one too many never would.
func (t *typing) blurred(was text.Text, e text.Edit) bool {
	if e.New != "" || t.m.t.Lines() != 2 || t.m.lineEnd(0) > 0 || t.m.lineEnd(1) > t.m.t.LineStart(1) {
		return false
	}
	m := t.m
	m.t = was
	n := was.Lines()
	return e.Start == was.LineStart(1) && e.End == m.lineEnd(n-1) ||
		e.Start == 0 && n > 1 && e.End == m.lineEnd(n-2) && m.lineEnd(n-1) == was.LineStart(n-1)
}

// readings are the ways to read what came out, the likeliest first. Where it is
// not certain, only what the agent's letters would write makes it another.
func (t *typing) readings() []reading {
	if t.lines == nil {
		return []reading{{edits: t.edits}}
	}
	first := t.read(t.lines.likely(t.m.t))
	out := []reading{first, t.read(!first.bare)}
	if t.lines.short && t.lines.blank(t.m.t) {
		two := t.read(false)
		two.edits = append(two.edits, text.Edit{Start: t.m.t.Len(), End: t.m.t.Len(), New: t.lines.nl()})
		two.short = false
		out = append(out[:1], two, out[1])
	}
	return out
}

// likely says whether the document lacks the last ending: as the editor has it,
// if nothing else is wanted. One empty line is a document of nothing.
func (l *lineTyping) likely(now text.Text) bool {
	switch {
	case l.blank(now):
		return l.was || !l.blank(l.from)
	case l.wanted && !l.empty:
		return l.was
	}
	return l.unended
}

func (t *typing) read(bare bool) reading {
	r := reading{lined: t.lines.lined, edits: t.edits[:len(t.edits):len(t.edits)]}
	if r.bare = bare; bare {
		n := t.m.t.Len()
		r.edits = append(r.edits, text.Edit{Start: n - len(r.ending(t.m.t)), End: n})
	}
	return r
}

// document is the likeliest reading as a text.
func (t *typing) document() (text.Text, lined) {
	if t.lines == nil {
		return t.m.t, lined{}
	}
	l, now := t.lines.lined, t.m.t
	if l.bare = t.lines.likely(now); l.bare {
		n := now.Len()
		now, _ = now.Apply(text.Edits{{Start: n - len(l.ending(now)), End: n}}) // it is inside
	}
	return now, l
}
