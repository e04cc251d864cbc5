package lsp

import (
	"slices"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
	"go.lsp.dev/protocol"
)

// fileLetters are a workspace with a new file, a deletion, a renaming and a text change, A to D.
func fileLetters(t *testing.T) *editing.Workspace {
	t.Helper()
	ws := editing.New(0)
	ws.OpenDocument("/w/old.txt", "old.txt", text.New("one\ntwo\n"), 3, 1)
	m := editing.Meta{Owner: "s"}
	gone := editing.NewDocument("/w/gone.txt", "gone.txt", text.New("gone\n"))
	for _, op := range []editing.Op{
		editing.Write(editing.Writing{Meta: m, Path: "/w/d/n.txt", Name: "d/n.txt", Content: "new\n"}),
		editing.DeleteFile(editing.Deletion{Meta: m, Path: "/w/gone.txt"}),
		editing.RenameFile(editing.Renaming{Meta: m, Path: "/w/old.txt", To: "/w/d/new.txt", ToName: "d/new.txt"}),
		editing.Replace(editing.Replacement{Meta: m, Path: "/w/d/new.txt", Old: "two", New: "2"}),
	} {
		if r := ws.Do(op, gone); !r.OK() {
			t.Fatalf("%+v", r)
		}
	}
	return ws
}

// A change of a whole file is shown at the beginning of the file's own URI, and carries no places.
func TestWholeFilesOnTheWire(t *testing.T) {
	snap := fileLetters(t).Snapshot()
	c := &client{encoding: utf8units}
	want := map[string]string{"A": "create", "B": "delete_file", "C": "rename"}
	for _, d := range snap.Documents() {
		m := c.mapper(d)
		for _, ch := range d.Changes() {
			w := changeOf(d, view.Of(snap, ch), m)
			kind, whole := want[ch.Letter]
			if whole && (w.Kind != kind || w.Range != nil || len(w.Edits) > 0) {
				t.Errorf("%s is %s", ch.Letter, own(w))
			}
			if !whole && (w.Range == nil || w.Range.Start.Line != 1) {
				t.Errorf("%s is %s", ch.Letter, own(w))
			}
			if at := diagnosticOf(snap, ch, m, c, protocol.DiagnosticSeverityInformation); whole && at.Range != (protocol.Range{}) {
				t.Errorf("%s is shown at %v", ch.Letter, at.Range)
			}
		}
	}
	for name, says := range map[string]string{"d/n.txt": "new\n", "d/new.txt": "one\n2\n", "gone.txt": "change B takes gone.txt away", "old.txt": "change C takes old.txt away"} {
		got, err := proposed(snap, "s", name)
		if err != nil {
			got = err.Error()
		}
		if got != says {
			t.Errorf("%s is proposed as %q, want %q", name, got, says)
		}
	}
}

// The editor gives an open file its name after its edits.
func TestRenameThroughTheEditor(t *testing.T) {
	s := &server{ws: fileLetters(t), me: 1}
	s.client.Store(&client{encoding: utf8units, caps: offers{applyEdit: true, documentChanges: true, renames: true}})
	s.ws.Do(editing.Apply(editing.Letters("C", "D")))
	snap := s.ws.Snapshot()
	w := s.workspaceEdit(snap, snap.Applying())
	if len(w.DocumentChanges) != 2 || !renames(w) {
		t.Fatalf("%+v", w)
	}
	if r, ok := w.DocumentChanges[1].(*protocol.RenameFile); !ok || string(r.OldURI) != "file:///w/old.txt" || string(r.NewURI) != "file:///w/d/new.txt" {
		t.Errorf("%+v", w.DocumentChanges[1])
	}
	s.host = &fakeHost{files: map[string]string{"/w/old.txt": "one\ntwo\n"}}
	if clean := s.cleanDocuments(snap, snap.Applying()); !slices.Equal(clean.uris, []string{"file:///w/d/new.txt"}) {
		t.Errorf("the editor is to save %v, and has the file under its new name", clean.uris)
	}
}
