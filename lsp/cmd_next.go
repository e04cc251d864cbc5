package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
)

// waypoint is a change with its place, for walking from one to the next.
type waypoint struct {
	d *editing.Document
	c *editing.Change
}

func (s *server) cmdNext(a args) (rest, error) { return s.walk(a, 1) }

func (s *server) cmdPrevious(a args) (rest, error) { return s.walk(a, -1) }

// walk shows the undecided change behind (or before) a position, over all files
// and around at their end.
func (s *server) walk(a args, step int) (rest, error) {
	snap, c := s.ws.Snapshot(), s.client.Load()
	var all []waypoint
	for _, d := range snap.Documents() {
		if _, is := s.shows(d); !is {
			continue
		}
		for _, ch := range d.Changes() {
			if ch.State.Undecided() {
				all = append(all, waypoint{d, ch})
			}
		}
	}
	if len(all) == 0 {
		return nil, refused(codeUnknownChange, "nothing waits for a decision")
	}
	w := all[s.after(snap, c, all, a, step)]
	start, end := shownAt(w.c)
	at := protocol.Location{URI: protocolURI(s.uriOf(w.d, c)), Range: c.mapper(w.d).span(start, end)}
	return func(context.Context) (any, error) {
		s.spawn(func(ctx context.Context) {
			if w.d.Missing && !w.d.Open() { // there is no file to be shown
				s.showView(ctx, w.c.Owner, fmt.Sprintf("changes/%d/%s.diff", w.c.Session, w.c.Letter))
				return
			}
			s.showDocument(ctx, string(at.URI), &at.Range)
		})
		return map[string]any{"location": at, "change": w.c.Letter}, nil
	}, nil
}

// after is the index of the change to go to.
func (s *server) after(snap *editing.Snapshot, c *client, all []waypoint, a args, step int) int {
	d, ok := s.document(snap, a.URI)
	if !ok {
		if step > 0 {
			return 0
		}
		return len(all) - 1
	}
	at := 0
	if a.Position != nil {
		at = c.mapper(d).offset(*a.Position)
	}
	here := waypoint{d: d}
	i, _ := slices.BinarySearchFunc(all, here, func(w, _ waypoint) int {
		before := cmp.Or(cmp.Compare(w.d.Name, d.Name), cmp.Compare(w.d.Path, d.Path), cmp.Compare(w.c.Start(), at))
		if before == 0 && step > 0 && a.Position != nil { // standing on it: to the next
			return -1
		}
		return before
	})
	if step < 0 {
		i--
	}
	return (i + len(all)) % len(all)
}
