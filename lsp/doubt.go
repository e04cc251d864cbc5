package lsp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// What cannot be followed puts documents in doubt: galley neither changes them
// nor takes typing over, until the editor sends the whole text. Of a document that
// the editor keeps everybody knows it by the table.

const did = "textDocument/did"

// lost puts documents in doubt whose messages could not be followed: the one
// that the message names, or all if that cannot be made out.
func (s *server) lost(method string, body []byte, why string) {
	if method == protocol.MethodTextDocumentDidSave || method == protocol.MethodTextDocumentDidClose {
		return
	}
	if uri := guessURI(body); uri != "" {
		if b, ok, _ := s.docs.named(uri); ok {
			b.version = max(b.version, versionOf(body))
			s.doubt(b, why)
		}
		return
	}
	s.lostAll(why)
}

// versionOf is the version that a message speaks of, 0 if that is unreadable too.
func versionOf(params []byte) int32 {
	var p struct {
		TextDocument struct {
			Version int32 `json:"version"`
		} `json:"textDocument"`
	}
	_ = json.Unmarshal(params, &p) // what could be read counts
	return p.TextDocument.Version
}

func (s *server) lostAll(why string) {
	for _, b := range s.docs.all() {
		s.doubt(b, why)
	}
}

// unreadable hears of messages that are none; a nil body stands for bytes that
// were skipped unseen.
func (s *server) unreadable(reason string, body []byte) {
	s.log.Warn("a message could not be read", zap.String("reason", reason), zap.Int("bytes", len(body)))
	switch mentions := bytes.Count(bytes.ReplaceAll(body, []byte(`\/`), []byte("/")), []byte(did)); {
	case body == nil || mentions > 1:
		s.lostAll(reason)
	case mentions == 1:
		s.lost(guessMethod(body), body, reason)
	}
}

// doubt makes a document read-only for galley.
func (s *server) doubt(b buffer, why string) {
	if b.doubt != "" {
		return
	}
	b.doubt = why
	s.docs.put(b)
	said := why + "; " + cmp.Or(remedies[why], "save it or open it again")
	s.ws.DoubtDocument(b.path, said, s.me) // if it is the keeper's
	s.log.Warn("a document's text is in doubt", zap.String("uri", b.uri), zap.String("reason", why))
	s.host.Say(fmt.Sprintf("galley lost track of the text of %s: %s. Its changes wait", b.name, said), s.me)
	s.pub.poke()
}
