package lsp

import (
	"context"
	"fmt"
	"slices"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"go.lsp.dev/protocol"
)

// A document has one keeper. An editor that has it open beside another one follows its
// own text here: it is shown the letters while that is the document's, and takes over
// when there is no keeper any more.

// shows answers under which version the client has a document open, nil if it has not,
// and whether it can be shown what is known of it: not if its text is another.
func (s *server) shows(d *editing.Document) (version *int32, is bool) {
	b, ok := s.docs.at(d.Path)
	switch {
	case !ok:
		return nil, true
	case d.Keeper == s.me:
		return &d.Version, true
	}
	type asIn struct{ beside text.Text }
	same, _ := d.Keep(asIn{b.beside}, func() any { return b.beside.Equal(d.Base) }).(bool)
	return &b.version, same && b.doubt == ""
}

// elsewhere tells the user, once, why they are shown nothing of a document.
func (s *server) elsewhere(d *editing.Document) {
	b, ok := s.docs.at(d.Path)
	if !ok || len(d.Heirs) > 0 { // the editor may be the next keeper
		return
	}
	sentence := fmt.Sprintf("your text of %s is not the file's: load the file again to see galley's changes of it here", d.Name)
	if d.Open() {
		keeper, _ := s.host.Client(d.Keeper)
		sentence = fmt.Sprintf("%s is open in %s with another text: galley shows its changes there", d.Name, keeper.Called())
	}
	if s.docs.tell(b, sentence) {
		s.tell(protocol.MessageTypeInfo, "galley: "+sentence)
	}
}

// inherit makes the editor the keeper of what nobody keeps any more, where its text is
// the document's.
func (s *server) inherit(snap *editing.Snapshot) {
	for _, b := range s.docs.all() {
		if d, ok := snap.Document(b.path); ok && s.isNext(b, d) {
			s.takeOver(b.path)
		}
	}
}

// isNext reports whether the editor is to say if its text is that of a document without a keeper. One that gave the
// document away itself says it last.
func (s *server) isNext(b buffer, d *editing.Document) bool {
	switch {
	case len(d.Heirs) == 0:
		return !d.Open() && b.asked != d.Base
	case b.gave:
		return d.Heirs[0] == s.me
	}
	return slices.Contains(d.Heirs, s.me)
}

func (s *server) takeOver(path string) {
	s.following.Lock()
	defer s.following.Unlock()
	b, ok := s.docs.at(path)
	d, known := s.ws.Snapshot().Document(path)
	if !ok || !known || s.left || !s.isNext(b, d) || s.adopt(b) {
		return
	}
	b.asked = d.Base
	s.docs.put(b)
	if s.ws.Decline(path, s.me) {
		s.readAgain(b)
	}
}

// adopt is called with following held.
func (s *server) adopt(b buffer) bool {
	if b.doubt != "" || !s.ws.Adopt(b.path, b.beside, b.version, s.me) {
		return false
	}
	b.beside, b.asked, b.told, b.gave = text.Text{}, text.Text{}, "", false
	s.docs.put(b)
	s.pub.poke()
	return true
}

// offer is for an editor that does not even answer, as one whose window was closed
// while its programs run on: what it keeps goes to an editor that holds the very text.
func (s *server) offer(paths []string) {
	s.following.Lock()
	defer s.following.Unlock()
	for _, path := range paths {
		b, ok := s.docs.at(path)
		d, kept := s.kept(path)
		if ok && kept && d.Doubt == "" && s.ws.Offer(path, s.me) {
			b.beside, b.gave = d.Base, true
			s.docs.put(b)
		}
	}
}

// readAgain has the file read where no editor keeps it.
func (s *server) readAgain(b buffer) {
	s.spawn(func(ctx context.Context) { s.host.ReadAgain(ctx, b.path, b.name) })
}
