package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// cmdPreview answers what a change, or a whole edit, would do, and shows it.
func (s *server) cmdPreview(a args) (rest, error) {
	snap := s.ws.Snapshot()
	set, _ := s.settings.get()
	if !slices.Contains([]string{"", view.FormatCompact, view.FormatFull, view.FormatStats, view.FormatDiff}, a.Format) {
		return nil, badArguments("format is %q; it is compact, full, stats or diff", a.Format)
	}
	o := view.Options{ForPeople: true, Format: a.Format, MaxLength: -1, NoIcons: !set.Icons}
	var ses *editing.Session
	name := ""
	if a.Change != "" {
		cs, err := s.chosen(snap, args{Change: a.Change}, editing.Staged)
		if err != nil {
			return nil, err
		}
		ses, _ = snap.Session(cs[0].Owner, cs[0].Session)
		o.Letter = cs[0].Letter
		name = fmt.Sprintf("changes/%d/%s.diff", cs[0].Session, cs[0].Letter)
	} else {
		found, err := s.edit(snap, a)
		if err != nil {
			return nil, err
		}
		ses = found
		name = fmt.Sprintf("changes/%d.diff", ses.N)
	}
	if ses == nil {
		return nil, badArguments("the edit of change %s is not known any more", a.Change)
	}
	text := view.Preview(snap, ses.Owner, ses.N, o)
	if a.Format == view.FormatFull || a.Format == view.FormatDiff || s.client.Load().caps.showDocument {
		s.previewed.put(snap, ses.Owner, ses.N, o.Letter)
	}
	return func(ctx context.Context) (any, error) {
		s.spawn(func(ctx context.Context) { s.showView(ctx, ses.Owner, name) })
		return map[string]string{"text": strings.TrimRight(text, "\n") + "\n"}, nil
	}, nil
}
