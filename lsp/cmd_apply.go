package lsp

import (
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
	"go.lsp.dev/protocol"
)

// cmdApply takes changes into their documents.
func (s *server) cmdApply(a args) (any, rest, error) {
	snap := s.ws.Snapshot()
	cs, err := s.chosen(snap, a, editing.Staged)
	if err != nil {
		return nil, nil, err
	}
	if a.Change == "" && a.URI != "" {
		if cs, err = s.seen(snap, cs); err != nil {
			return nil, nil, err
		}
	}
	if err := s.sound(snap, cs); err != nil {
		return nil, nil, err
	}
	return nil, s.decide(cs, s.host.Apply), nil
}

// seen are the changes that the client was shown whole: nobody takes in one go what
// they did not see. It is told which are left, and why.
func (s *server) seen(snap *editing.Snapshot, cs []*editing.Change) ([]*editing.Change, error) {
	c := s.client.Load()
	var out []*editing.Change
	left := ""
	for _, ch := range cs {
		hidden := c.hidden(view.Of(snap, ch))
		if hidden == "" {
			out = append(out, ch)
			continue
		}
		left += fmt.Sprintf("%s still waits: %s; look at it with galley.preview, and apply it by its letter. ", ch.Letter, hidden)
	}
	left = strings.TrimSpace(left)
	switch {
	case len(out) == 0:
		return nil, refused(codeNotShown, "%s", left)
	case left != "":
		s.tell(protocol.MessageTypeInfo, "galley: "+left)
	}
	return out, nil
}

// notShown names the letters of an edit that the client is not shown whole.
func (s *server) notShown(snap *editing.Snapshot, ses *editing.Session) string {
	c := s.client.Load()
	var letters []string
	for _, ch := range snap.Undecided(ses.Owner, ses.N) {
		if c.hidden(view.Of(snap, ch)) != "" {
			letters = append(letters, ch.Letter)
		}
	}
	if len(letters) == 0 {
		return ""
	}
	return ": not all is shown of " + strings.Join(letters, ", ")
}
