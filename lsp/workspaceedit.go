package lsp

import (
	"slices"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// prepare makes one edit over all documents of a part, with their versions. None is needed
// where the text is right already.
func (s *server) prepare(d host.Decision) (protocol.WorkspaceEdit, bool) {
	s.following.Lock() // how lines are read must fit the text
	defer s.following.Unlock()
	snap := s.ws.Snapshot()
	edits := d.Part(snap, s.me)
	if s.takeStanding(snap, edits) {
		snap = s.ws.Snapshot()
		edits = d.Part(snap, s.me)
	}
	return s.workspaceEdit(snap, edits), len(edits) > 0
}

func (s *server) workspaceEdit(snap *editing.Snapshot, edits []editing.DocumentEdit) protocol.WorkspaceEdit {
	c := s.client.Load()
	var w protocol.WorkspaceEdit
	for _, e := range edits {
		d, ok := snap.Document(e.Path)
		if !ok {
			continue
		}
		name := uri.URI(s.editedURI(d))
		list := s.wireEdits(c, d, e.Edits)
		if !c.caps.documentChanges {
			if w.Changes == nil {
				w.Changes = map[uri.URI][]protocol.TextEdit{}
			}
			if len(list) > 0 {
				w.Changes[name] = append(w.Changes[name], list...)
			}
			continue
		}
		if len(list) > 0 || e.Rename == "" {
			w.DocumentChanges = append(w.DocumentChanges, documentEdit(d, name, list))
		}
		if e.Rename != "" { // after its edits, which are in the old name's words
			w.DocumentChanges = append(w.DocumentChanges, &protocol.RenameFile{Kind: "rename", OldURI: name, NewURI: uri.URI(fileURI(e.Rename))})
		}
	}
	return w
}

// renames reports whether an edit gives files other names.
func renames(w protocol.WorkspaceEdit) bool {
	return slices.ContainsFunc(w.DocumentChanges, func(c protocol.DocumentChange) bool {
		_, ok := c.(*protocol.RenameFile)
		return ok
	})
}

// documentEdit is what the editor is to do to one document.
func documentEdit(d *editing.Document, name uri.URI, list []protocol.TextEdit) *protocol.TextDocumentEdit {
	doc := &protocol.TextDocumentEdit{}
	doc.TextDocument.URI, doc.TextDocument.Version = name, new(d.Version)
	for _, x := range list {
		doc.Edits = append(doc.Edits, &x)
	}
	return doc
}

// editedURI is the URI under which the editor opened a document, in its own words.
func (s *server) editedURI(d *editing.Document) string {
	if b, ok := s.docs.at(d.Path); ok {
		return b.uri
	}
	return fileURI(d.Path)
}
