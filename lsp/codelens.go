package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
)

// codeLens puts the decisions over each changed place, and those about the edit
// over the first line.
func (s *server) codeLens(params json.RawMessage) (any, rest, error) {
	p, snap, d, err := s.about(params)
	if err != nil {
		return nil, nil, err
	}
	if session, name, ok := viewOf(p.TextDocument.URI); ok {
		return memoryLens(session, name), nil, nil
	}
	set, _ := s.settings.get()
	if d == nil || !set.CodeLens {
		return []protocol.CodeLens{}, nil, nil
	}
	c := s.client.Load()
	return nil, func(context.Context) (any, error) {
		return s.lensesOf(snap, d, c, p.TextDocument.URI), nil
	}, nil
}

func (s *server) lensesOf(snap *editing.Snapshot, d *editing.Document, c *client, uri string) []protocol.CodeLens {
	out := []protocol.CodeLens{}
	m := c.mapper(d)
	for _, ch := range d.Changes() {
		start, _ := shownAt(ch)
		for i, o := range s.offersFor(snap, d, ch) {
			if ch.State == editing.Rejected {
				continue
			}
			o.title = lensTitle(ch, o, i)
			out = append(out, lensAt(m.position(lensStart(d, start)), o))
		}
	}
	if len(out) == 0 {
		return out
	}
	return append(topLenses(snap, uri), out...)
}

// lensStart: an insertion behind a line's end belongs over the next line.
func lensStart(d *editing.Document, start int) int {
	line := d.Base.LineOf(start)
	if start == d.Base.LineEnd(line) && start > d.Base.LineStart(line) && line+1 < d.Base.Lines() {
		return d.Base.LineStart(line + 1)
	}
	return start
}

// lensTitle is the short title of an offer: the letter stands once in front.
func lensTitle(ch *editing.Change, o offer, i int) string {
	short := map[string]string{cmdApply: "Apply", cmdReject: "Reject", cmdPreview: "Preview"}[o.command]
	if short == "" {
		if r, ok := o.argument.(choice); ok {
			short = map[string]string{host.TakeMine: "Keep mine", host.TakeAgent: "Take the agent's", host.TakeAsk: "Ask again"}[r.Take]
		}
	}
	if i == 0 {
		return ch.Letter + ": " + short
	}
	return short
}

func lensAt(at protocol.Position, o offer) protocol.CodeLens {
	return protocol.CodeLens{Range: protocol.Range{Start: at, End: at}, Command: o.toProtocol()}
}

func topLenses(snap *editing.Snapshot, uri string) []protocol.CodeLens {
	var out []protocol.CodeLens
	for _, ses := range openEdits(snap) {
		t := target{Session: ses.Owner, Edit: ses.N, Seq: snap.Seq}
		n := len(snap.Undecided(ses.Owner, ses.N))
		out = append(
			out,
			lensAt(protocol.Position{}, offer{title: fmt.Sprintf("galley #%d: Commit %d", ses.N, n), command: cmdCommit, argument: t}),
			lensAt(protocol.Position{}, offer{title: "Revert", command: cmdRevert, argument: t}),
		)
	}
	if len(out) > 0 {
		out = append(out, lensAt(protocol.Position{}, offer{title: "Next", command: cmdNext, argument: target{URI: uri}}))
	}
	return out
}
