package lsp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
)

// placeParams are what requests about a place in a document carry.
type placeParams struct {
	TextDocument struct {
		URI string `json:"uri"`
	} `json:"textDocument"`
	Position protocol.Position `json:"position"`
	Range    protocol.Range    `json:"range"`
	Context  struct {
		Diagnostics []json.RawMessage `json:"diagnostics"`
		Only        []string          `json:"only"`
	} `json:"context"`
}

// about finds the document that a request is about. Without one there is nothing
// to answer, which is no error: editors ask about every document.
func (s *server) about(params json.RawMessage) (p placeParams, snap *editing.Snapshot, d *editing.Document, err error) {
	if err := decoded(params, &p); err != nil {
		return p, nil, nil, err
	}
	snap = s.ws.Snapshot()
	if d, ok := s.document(snap, p.TextDocument.URI); ok {
		return p, snap, d, nil
	}
	return p, snap, nil, nil
}

func (s *server) codeAction(params json.RawMessage) (any, rest, error) {
	p, snap, d, err := s.about(params)
	if err != nil {
		return nil, nil, err
	}
	c := s.client.Load()
	return nil, func(context.Context) (any, error) {
		out := []protocol.CommandOrCodeAction{}
		for _, o := range s.offersAt(snap, d, c, p) {
			if !wanted(o.kind, p.Context.Only) {
				continue
			}
			cmd := o.toProtocol()
			if !c.caps.actionLiterals {
				out = append(out, &cmd)
				continue
			}
			out = append(out, &protocol.CodeAction{
				Title: o.title + o.note, Kind: new(o.kind), Command: cmd, Diagnostics: diagnosticsAbout(o.change, p.Context.Diagnostics),
			})
		}
		return out, nil
	}, nil
}

func (s *server) offersAt(snap *editing.Snapshot, d *editing.Document, c *client, p placeParams) []offer {
	var out []offer
	if d != nil {
		m := c.mapper(d)
		for _, ch := range d.Changes() {
			if onLines(m, ch, p.Range) {
				out = append(out, s.offersFor(snap, d, ch)...)
				out = append(out, offersToEdit(c, d, ch)...)
			}
		}
		line := int(min(p.Range.Start.Line, uint32(m.lastLine()))) //nolint:gosec // a line number
		if line < d.Base.Lines() {
			if asked, ok := askComment(d.Base.Line(line)); ok {
				out = append(out, offer{
					title: "Ask galley to " + shortened(asked.prompt), command: cmdAsk, kind: kindQuickFix,
					argument: map[string]any{"prompt": asked.whole(d.Name, line+1), "uri": p.TextDocument.URI, "range": p.Range},
				})
			}
		}
	}
	return append(out, s.offersForEdits(snap, d, p.TextDocument.URI, p.Range.End)...)
}

// onLines reports whether a change lies on the lines of a range: an insertion has
// no width that a cursor could be in.
func onLines(m mapper, c *editing.Change, r protocol.Range) bool {
	at := m.span(shownAt(c))
	return at.Start.Line <= r.End.Line && r.Start.Line <= at.End.Line
}

const mostTitle = 60

func shortened(s string) string {
	r := []rune(s)
	if len(r) <= mostTitle {
		return s
	}
	return string(r[:mostTitle]) + "…"
}

// wanted reports whether a kind is one of those asked for; kinds are nested.
func wanted(kind protocol.CodeActionKind, only []string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool {
		return o == "" || string(kind) == o || strings.HasPrefix(string(kind), o+".")
	})
}

// diagnosticsAbout are the client's diagnostics of a change, given back.
func diagnosticsAbout(letter string, sent []json.RawMessage) []protocol.Diagnostic {
	var out []protocol.Diagnostic
	for _, raw := range sent {
		t := treeOf(raw)
		var d protocol.Diagnostic
		if letter != "" && t.at("source").text() == source && t.at("code").text() == letter && protocol.Unmarshal(raw, &d) == nil {
			out = append(out, d)
		}
	}
	return out
}
