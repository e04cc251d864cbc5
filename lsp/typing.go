package lsp

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing/text"
	"go.lsp.dev/protocol"
)

// typing follows a text through the edits of one didChange.
type typing struct {
	m     mapper
	edits []text.Edit
	anew  bool        // the byte order mark came or went: edits do not tell it
	lines *lineTyping // of an editor that holds lines, else nil

	halved bool // a half of a surrogate pair was left over, and may be still
}

func (t *typing) apply(c contentChange) error {
	if c.Text == nil {
		return errNoText
	}
	if c.Text.halved {
		return errHalf
	}
	if c.Range == nil {
		return t.whole(c.Text.s)
	}
	r, err := rangeOf(c.Range)
	if err != nil {
		return err
	}
	if t.lines != nil {
		return t.line(r, c.Text.s)
	}
	e, touchesBOM, err := t.m.edit(r, c.Text.s)
	if err != nil {
		return err
	}
	if touchesBOM {
		all := "\uFEFF" + t.m.t.String()
		t.reset(text.New(e.New + all[e.End:]))
		return nil
	}
	return t.edit(e)
}

func (t *typing) edit(e text.Edit) error {
	next, err := t.m.t.Apply(text.Edits{e})
	if err != nil {
		return err
	}
	t.m.t = next
	t.edits = append(t.edits, e)
	t.halved = t.halved || strings.Contains(e.New, half)
	return nil
}

// whole replaces the document.
func (t *typing) whole(content string) error {
	now := text.New(content)
	if now.BOM() != t.m.t.BOM() {
		t.reset(now)
	} else {
		t.edits = append(t.edits, text.Edit{End: t.m.t.Len(), New: now.String()})
		t.m.t = now
	}
	if t.lines == nil {
		return nil
	}
	t.lines.lined = t.lines.again(now)
	t.m.raw = t.lines.raw
	if t.lines.bare { // here the text has all endings
		return t.end()
	}
	return nil
}

func (t *typing) reset(now text.Text) {
	t.m.t, t.m.bom, t.anew = now, now.BOM(), true
}

// rangeOf reads a range strictly: four whole numbers, none missing.
func rangeOf(raw json.RawMessage) (protocol.Range, error) {
	var r struct {
		Start, End *struct{ Line, Character *uint32 }
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return protocol.Range{}, fmt.Errorf("unreadable range %s: %w", raw, err)
	}
	if r.Start == nil || r.End == nil || r.Start.Line == nil || r.Start.Character == nil || r.End.Line == nil || r.End.Character == nil {
		return protocol.Range{}, fmt.Errorf("unreadable range %s", raw)
	}
	return protocol.Range{
		Start: protocol.Position{Line: *r.Start.Line, Character: *r.Start.Character},
		End:   protocol.Position{Line: *r.End.Line, Character: *r.End.Character},
	}, nil
}
