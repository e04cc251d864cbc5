package lsp

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/galley-ls/galley/editing/text"
	"go.lsp.dev/protocol"
)

// documentSymbol is the outline of galley's own documents: the task tree, of others
// their headings.
func (s *server) documentSymbol(params json.RawMessage) (any, rest, error) {
	var p placeParams
	if err := decoded(params, &p); err != nil {
		return nil, nil, err
	}
	session, name, ok := viewOf(p.TextDocument.URI)
	if !ok {
		return protocol.DocumentSymbolSlice{}, nil, nil
	}
	c := s.client.Load()
	return nil, func(ctx context.Context) (any, error) {
		if session == currentSession {
			session = s.current()
		}
		content, err := s.view(ctx, session, name)
		if err != nil {
			return protocol.DocumentSymbolSlice{}, nil //nolint:nilerr // no document, no outline
		}
		o := outline{m: mapper{t: text.New(content), enc: c.encoding}, content: content}
		if name != "tasks.md" {
			return o.headings(c, p.TextDocument.URI), nil
		}
		m, err := s.tasksOf(s.ws.Snapshot(), session)
		if err != nil {
			return protocol.DocumentSymbolSlice{}, nil //nolint:nilerr // no session, no outline
		}
		if !c.caps.hierarchicalSymbols {
			return o.flat(m.Tree, p.TextDocument.URI), nil
		}
		return o.symbols(m.Tree), nil
	}, nil
}

// registerSymbols asks for the outline of galley's own documents alone, where the
// client can tell them apart: other servers know better about code.
func (s *server) registerSymbols(ctx context.Context) {
	if c := s.client.Load(); c.caps.virtual && c.caps.symbolsDynamic {
		s.register(ctx, "galley-outline", protocol.MethodTextDocumentDocumentSymbol,
			map[string]any{"documentSelector": []map[string]string{{"scheme": scheme}}})
	}
}

// headings are the second-level headings of a page, which its parts begin with.
func (o *outline) headings(c *client, u string) any {
	tree, flat := protocol.DocumentSymbolSlice{}, protocol.SymbolInformationSlice{}
	for line := range o.m.t.Lines() {
		title, is := strings.CutPrefix(o.content[o.m.t.LineStart(line):o.m.t.LineEnd(line)], "## ")
		if !is || strings.TrimSpace(title) == "" {
			continue
		}
		at := o.m.span(o.m.t.LineStart(line), o.m.t.LineEnd(line))
		tree = append(tree, protocol.DocumentSymbol{Name: title, Kind: protocol.SymbolKindString, Range: at, SelectionRange: at})
		i := protocol.SymbolInformation{Location: protocol.Location{URI: protocolURI(u), Range: at}}
		i.Name, i.Kind = title, protocol.SymbolKindString
		flat = append(flat, i)
	}
	if c.caps.hierarchicalSymbols {
		return tree
	}
	return flat
}

// outline finds the places of tasks in a document that names them.
type outline struct {
	m       mapper
	content string
	from    int
}

func (o *outline) symbols(tree []wireTask) protocol.DocumentSymbolSlice {
	out := protocol.DocumentSymbolSlice{}
	for _, t := range tree {
		at := o.find(t.Goal)
		out = append(out, protocol.DocumentSymbol{
			Name: orElse(strings.TrimSpace(t.Goal), "task"), Detail: new(t.State), Kind: protocol.SymbolKindEvent, Range: at, SelectionRange: at,
			Children: o.symbols(t.Children),
		})
	}
	return out
}

// flat is for clients that know no tree.
func (o *outline) flat(tree []wireTask, u string) protocol.SymbolInformationSlice {
	out := protocol.SymbolInformationSlice{}
	for _, t := range tree {
		i := protocol.SymbolInformation{Location: protocol.Location{URI: protocolURI(u), Range: o.find(t.Goal)}}
		i.Name, i.Kind = orElse(strings.TrimSpace(t.Goal), "task"), protocol.SymbolKindEvent
		out = append(out, i)
		out = append(out, o.flat(t.Children, u)...)
	}
	return out
}

// find is the line that names a goal, behind the one before where there is one.
func (o *outline) find(goal string) protocol.Range {
	i := strings.Index(o.content[o.from:], goal)
	if i >= 0 {
		i += o.from
	} else if i = strings.Index(o.content, goal); i < 0 {
		return protocol.Range{}
	}
	o.from = i + len(goal)
	line := o.m.t.LineOf(i)
	return o.m.span(o.m.t.LineStart(line), o.m.t.LineEnd(line))
}
