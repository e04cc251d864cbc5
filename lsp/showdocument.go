package lsp

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"
)

// showDocument opens a document in the editor, where it can be told to.
func (s *server) showDocument(ctx context.Context, u string, at *protocol.Range) {
	if !s.client.Load().caps.showDocument {
		return
	}
	p := &protocol.ShowDocumentParams{URI: uri.URI(u), TakeFocus: new(true), Selection: at}
	var got protocol.ShowDocumentResult
	if err := protocol.Call(ctx, s.conn, protocol.MethodWindowShowDocument, p, &got); err != nil || !got.Success {
		s.log.Info("the client did not show a document", zap.String("uri", u), zap.Error(err))
	}
}

// showView shows a virtual document: as such where the client can, else as a real
// file under the session's directory.
func (s *server) showView(ctx context.Context, session, name string) {
	c := s.client.Load()
	if !c.caps.showDocument {
		return
	}
	if c.caps.virtual {
		s.showDocument(ctx, viewURI(session, name), nil)
		return
	}
	content, err := s.view(ctx, session, name)
	if err == nil {
		var file string
		if file, err = s.host.Place(ctx, session, path.Base(strings.ReplaceAll(name, "/", "-")), content); err == nil {
			s.showDocument(ctx, fileURI(file), nil)
			return
		}
	}
	s.log.Warn("a view could not be shown", zap.String("name", name), zap.Error(err))
}

const (
	titleReview = "Review"
	titleLater  = "Later"
)

func proposalKey(ses *editing.Session) string { return fmt.Sprintf("%s#%d", ses.Owner, ses.N) }

// propose tells of an edit that waits for a commit. It never offers to commit:
// the answer to a question sends no unsent typing first.
func (s *server) propose(ctx context.Context, snap *editing.Snapshot, ses *editing.Session, c *client) {
	sentence := fmt.Sprintf("galley proposes #%d: %s (%s)", ses.N, orElse(ses.Summary, "no summary"), countOf(snap, ses))
	if !c.asks() {
		s.tell(protocol.MessageTypeInfo, sentence)
		return
	}
	if s.ask(ctx, protocol.MessageTypeInfo, sentence, titleReview, titleLater) == titleReview {
		s.showView(ctx, ses.Owner, fmt.Sprintf("changes/%d.diff", ses.N))
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// countOf says how much of an edit waits: "4 changes in 2 files".
func countOf(snap *editing.Snapshot, ses *editing.Session) string {
	files := map[string]bool{}
	left := snap.Undecided(ses.Owner, ses.N)
	for _, c := range left {
		files[c.Path] = true
	}
	return text.Plural(len(left), "change") + " in " + text.Plural(len(files), "file")
}
