package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
	"go.lsp.dev/protocol"
)

// inlayHint shows what one-line changes would write, behind their place.
func (s *server) inlayHint(params json.RawMessage) (any, rest, error) {
	p, snap, d, err := s.about(params)
	if err != nil {
		return nil, nil, err
	}
	set, _ := s.settings.get()
	c := s.client.Load()
	if d == nil || !set.InlayHints || c.draws {
		return []protocol.InlayHint{}, nil, nil
	}
	return nil, func(context.Context) (any, error) {
		m, out := c.mapper(d), []protocol.InlayHint{}
		for _, ch := range d.Changes() {
			if h, ok := hintOf(d, view.Of(snap, ch), m); ok && touch(h.at, p.Range) {
				out = append(out, h.hint)
			}
		}
		return out, nil
	}, nil
}

type placedHint struct {
	at   protocol.Range
	hint protocol.InlayHint
}

const mostHint = 80 // characters

func hintOf(d *editing.Document, ch view.Change, m mapper) (placedHint, bool) {
	if ch.State != editing.Staged || ch.Kind.File() {
		return placedHint{}, false
	}
	start, end := ch.Start, ch.End
	now := strings.TrimRight(ch.NewText, "\r\n")
	if d.Base.LineOf(start) != d.Base.LineOf(end) || strings.Contains(now, "\n") || now == "" {
		return placedHint{}, false
	}
	if r := []rune(now); len(r) > mostHint {
		now = fmt.Sprintf("%s⟦… %s⟧", text.Marked(string(r[:mostHint])), text.Plural(len(r)-mostHint, "char"))
	} else {
		now = text.Marked(now)
	}
	at := m.span(start, end)
	return placedHint{at, protocol.InlayHint{
		Position: at.End, Label: protocol.String(" → " + now), Tooltip: protocol.String("change " + ch.Letter),
	}}, true
}
