package lsp

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"go.lsp.dev/protocol"
)

// Some editors hold lines and not a text. Every line has an ending, the last one
// too, and a text of nothing is one empty line. Whether the last ending goes into
// the file is an option of the buffer: no edit changes it, and no message tells
// it but those with the whole text. So what such an editor says is read as edits
// of its lines, and the document is its lines with the last ending or without it.

// lined is how the lines of such an editor are read. The zero value is for
// editors that hold a text.
type lined struct {
	on bool
	// bare: the document is the lines without the last ending.
	bare bool
	// unended: so are they to the editor, as far as it has told.
	unended bool
	// short: the editor may have one empty line more at the end, see blurred.
	short bool
	// raw: lines end in \n, and a \r before it is part of the line; else in \r\n.
	raw bool
}

// nl is the ending of the editor's lines.
func (l lined) nl() string {
	if l.raw {
		return "\n"
	}
	return "\r\n"
}

// linedOf is how an editor took lines that it tells as this text. A text of
// nothing says nothing of endings.
func linedOf(t text.Text) lined {
	bare := !t.FinalNewline()
	return lined{on: true, bare: bare, unended: bare && t.Len() > 0, raw: t.EOL() != "\r\n" || t.MixedEOL()}
}

// ending is how the last line of t ends, "" if it does not.
func (l lined) ending(t text.Text) string {
	switch n := t.Len(); {
	case !t.FinalNewline():
		return ""
	case !l.raw && n > 1 && t.Slice(n-2, n) == "\r\n":
		return "\r\n"
	}
	return "\n"
}

// blank reports whether t is one empty line, with its ending.
func (l lined) blank(t text.Text) bool { return t.Len() > 0 && len(l.ending(t)) == t.Len() }

// again is linedOf when the editor tells the text once more. Lines without a last
// ending keep lacking it: if the text has one, there is an empty line behind it.
func (l lined) again(t text.Text) lined {
	next := linedOf(t)
	if l.on && l.unended && (t.FinalNewline() || t.Len() == 0) {
		next.bare, next.unended = true, true
	}
	if l.on && t.Lines() < 2 && !t.FinalNewline() {
		next.raw = l.raw // it shows no ending
	}
	return next
}

// took is how a text that the editor told whole is read as a document. One empty
// line is what a file of nothing looks like.
func (s *server) took(b buffer, content string) (text.Text, lined) {
	t := text.New(content)
	if !s.client.Load().profile.lines {
		return t, lined{}
	}
	l := b.lines.again(t)
	if !l.bare && l.blank(t) && s.emptyFile(b.path) {
		t, l.bare = text.New(""), true
	}
	return t, l
}

func (s *server) emptyFile(path string) bool {
	t, err := s.host.ReadFile(path)
	return host.Missing(err) || err == nil && t.Len() == 0
}

// holds reports whether a saved text is the document. While there are changes,
// the last ending is as they want it; what the editor tells of it is kept.
func (s *server) holds(b buffer, d *editing.Document, saved text.Text) bool {
	same := d.Base.Equal(saved)
	if !b.lines.on || !same && !b.lines.differ(d.Base, saved) {
		return same
	}
	b.lines.short = false
	switch {
	case saved.Len() == 0:
	case same:
		b.lines.unended = b.lines.bare
	default:
		b.lines.unended = !saved.FinalNewline()
	}
	s.docs.setLines(b.path, b.lines)
	return same || len(d.Changes()) > 0
}

// differ reports whether a saved text is the same lines as the document, but for
// the last ending.
func (l lined) differ(doc, saved text.Text) bool {
	with, without := doc, saved
	if l.bare {
		with, without = saved, doc
	}
	rest, ok := strings.CutPrefix(with.String(), without.String())
	return ok && rest != "" && rest == l.ending(with)
}

// edits turns edits of a document into edits of the editor's lines, which leave
// the last ending alone. There may be none: then the lines are right already.
func (l lined) edits(t text.Text, es text.Edits) text.Edits {
	after, err := t.Apply(es)
	if err != nil {
		return es
	}
	n := t.Len()
	var pad, cut text.Edits
	if end := l.ending(t); !l.bare && end != "" {
		n -= len(end)
		pad = text.Edits{{Start: n, End: n, New: end}}
	}
	if end := l.ending(after); end != "" && !(l.bare && t.FinalNewline()) {
		cut = text.Edits{{Start: after.Len() - len(end), End: after.Len()}}
	}
	var out text.Edits
	for _, e := range text.Compose(text.Compose(pad, es), cut) {
		if t.Slice(e.Start, e.End) != e.New {
			out = append(out, e)
		}
	}
	return out
}

// wireEdits are edits of a document as its editor is to make them.
func (s *server) wireEdits(c *client, d *editing.Document, es text.Edits) []protocol.TextEdit {
	m := c.mapper(d)
	b, ok := s.docs.at(d.Path)
	if !ok || !b.lines.on {
		return m.edits(es)
	}
	made := b.lines.edits(d.Base, es)
	if after, err := d.Base.Apply(es); err == nil && after.Len() == 0 && len(made) > 0 {
		return []protocol.TextEdit{{Range: b.lines.all(d.Base)}} // then the last line goes as well, and the file holds nothing
	}
	return m.edits(made)
}

// all is the range of all lines, with the last ending.
func (l lined) all(t text.Text) protocol.Range {
	n := t.Lines()
	if l.bare && t.FinalNewline() {
		n++ // an empty line, that has no ending in the document
	}
	return protocol.Range{End: protocol.Position{Line: uint32(n)}} //nolint:gosec // below 2^30
}

// takeStanding takes edits as done where the editor holds the right lines already,
// because only the last ending differs: no message would come.
func (s *server) takeStanding(snap *editing.Snapshot, edits []editing.DocumentEdit) (done bool) {
	for _, e := range edits {
		d, ok := snap.Document(e.Path)
		b, open := s.docs.at(e.Path)
		if !ok || !open || !b.lines.on || b.doubt != "" || e.Edits.Delta() == 0 || len(b.lines.edits(d.Base, e.Edits)) > 0 {
			continue
		}
		b.lines.bare = !b.lines.bare
		rec, _, err := s.ws.UpdateOneOf(e.Path, d.Version, [][]text.Edit{backwards(e.Edits)}, s.me)
		if err != nil {
			continue // the letters wait, and expire
		}
		s.docs.setLines(e.Path, b.lines)
		s.decided(rec)
		done = true
	}
	return done
}

// backwards are edits as ones that follow one another.
func backwards(es text.Edits) []text.Edit {
	out := slices.Clone(es)
	slices.Reverse(out)
	return out
}
