package lsp

import (
	"context"

	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
)

// cmdEdit opens a file in which the user edits what a change proposes. What they save
// there is its next revision.
func (s *server) cmdEdit(a args) (rest, error) {
	c, err := s.theOne(a)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (any, error) {
		path, r, err := s.host.Draft(ctx, choicesOf([]*editing.Change{c})[0])
		if err := s.did(r, err, []string{c.Letter}); err != nil {
			return nil, err
		}
		s.drafts.Do(func() { s.spawn(s.tellOfDrafts) })
		s.spawn(func(ctx context.Context) { s.showDocument(ctx, fileURI(path), nil) })
		return map[string]any{"change": c.Letter, "revision": c.Revision, "uri": fileURI(path)}, nil
	}, nil
}

// tellOfDrafts tells what the user has saved and could not be taken in.
func (s *server) tellOfDrafts(ctx context.Context) {
	for {
		say, err := s.host.WaitDrafts(ctx)
		if err != nil {
			return
		}
		for _, w := range say {
			s.tell(protocol.MessageTypeWarning, "galley: "+w)
		}
	}
}

// cmdAmend gives a change another text.
func (s *server) cmdAmend(a args) (rest, error) {
	c, err := s.theOne(a)
	if err != nil {
		return nil, err
	}
	if a.NewText == nil {
		return nil, badArguments("galley.amend needs newText, which comes in place of that of the change")
	}
	return s.decide([]*editing.Change{c}, func(ctx context.Context, cs []editing.Choice) (editing.Result, error) {
		return s.host.Amend(ctx, editing.Amendment{Choice: cs[0], Text: *a.NewText})
	}), nil
}

// theOne is the one staged change that the arguments mean.
func (s *server) theOne(a args) (*editing.Change, error) {
	snap := s.ws.Snapshot()
	if a.Change == "" {
		a.URI = ""
	}
	cs, err := s.chosen(snap, a, editing.Staged)
	if err != nil {
		return nil, err
	}
	return cs[0], nil
}

// offersToEdit is the offer to edit what a change proposes, where the client shows files.
func offersToEdit(cl *client, d *editing.Document, c *editing.Change) []offer {
	if _, ok := d.Draft(c); !ok || c.State != editing.Staged || !cl.caps.showDocument {
		return nil
	}
	return []offer{{
		title: "Edit " + c.Letter, command: cmdEdit, kind: kindQuickFix, change: c.Letter,
		argument: choice{shownLetter: letterOf(c)},
	}}
}
