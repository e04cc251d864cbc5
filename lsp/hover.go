package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
	"go.lsp.dev/protocol"
)

// hover shows the changes at a place as diffs, with all that is known of them.
func (s *server) hover(params json.RawMessage) (any, rest, error) {
	p, snap, d, err := s.about(params)
	if err != nil || d == nil {
		return nil, nil, err
	}
	c := s.client.Load()
	return nil, func(context.Context) (any, error) {
		m := c.mapper(d)
		var parts []string
		var at *protocol.Range
		for _, ch := range d.Changes() {
			if !onLines(m, ch, protocol.Range{Start: p.Position, End: p.Position}) {
				continue
			}
			parts = append(parts, described(snap, ch, c.caps.markdown))
			if at == nil {
				at = new(m.span(shownAt(ch)))
			}
		}
		if len(parts) == 0 {
			return nil, nil //nolint:nilnil // nothing to show is null
		}
		kind := protocol.MarkupKindPlainText
		if c.caps.markdown {
			kind = protocol.MarkupKindMarkdown
		}
		return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: kind, Value: strings.Join(parts, "\n\n")}, Range: at}, nil
	}, nil
}

func described(snap *editing.Snapshot, ch *editing.Change, markdown bool) string {
	seen := view.Of(snap, ch)
	diff := seen.Lines.Around(1)
	facts := fmt.Sprintf("edit #%d · %s", ch.Session, ch.State)
	if ch.By != "" {
		facts += " by " + ch.By
	}
	if ch.Task != 0 {
		facts += fmt.Sprintf(" · task %d", ch.Task)
	}
	lines := []string{"[" + ch.Letter + "] " + seen.Summary, facts}
	for _, said := range []string{ch.Because(), ch.Verdict} {
		if said != "" {
			lines = append(lines, said)
		}
	}
	if !markdown {
		return strings.Join(lines, "\n") + "\n" + diff.First(mostLines)
	}
	return escaped(strings.Join(lines, "\n\n")) + "\n\n" + diff.Markdown(mostLines)
}

// escaped keeps a text from being read as markdown.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_{}[]<>#|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
