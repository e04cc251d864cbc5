package editing

import (
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// opened stages steps over a file that an editor has open.
func opened(t *testing.T, steps string) *grove {
	g := newGrove(t, "a", "1\n2\n")
	g.w.OpenDocument(at("a"), "a", text.New("1\n2\n"), 1, 1)
	g.play(steps, func() {})
	return g
}

func (g *grove) want(states string) {
	g.t.Helper()
	if got := g.states(); got != states {
		g.t.Fatalf("letters %q, want %q", got, states)
	}
}

// A new file whose name an editor shows already, empty, gets its text from the editor.
func TestCreateInAnOpenDocument(t *testing.T) {
	g := opened(t, "write n x")
	g.w.OpenDocument(at("n"), "n", text.New(""), 1, 1)
	g.play("apply A", func() {})
	es := g.w.Snapshot().Applying("A")
	if len(es) != 1 || es[0].Path != at("n") || es[0].Edits[0].New != "x\n" {
		t.Fatalf("the editor is asked for %+v", es)
	}
	g.want("A applying")
	if _, err := g.w.Update(at("n"), 2, es[0].Edits); err != nil {
		t.Fatal(err)
	}
	g.want("A applied")
	if _, err := g.w.Update(at("n"), 3, text.Edits{{End: 2}}); err != nil { // the editor's undo
		t.Fatal(err)
	}
	g.want("A staged")
	if _, err := g.w.Update(at("n"), 4, text.Edits{{New: "mine"}}); err != nil {
		t.Fatal(err)
	}
	g.want("A conflict")
}

// What the user types while the editor is asked is not written over.
func TestTypingBeforeACreateArrives(t *testing.T) {
	g := opened(t, "write n x")
	g.w.OpenDocument(at("n"), "n", text.New(""), 1, 1)
	g.play("apply A", func() {})
	if _, err := g.w.Update(at("n"), 2, text.Edits{{New: "mine"}}); err != nil {
		t.Fatal(err)
	}
	if es := g.w.Snapshot().Applying("A"); len(es) > 0 {
		t.Errorf("it is asked for still: %+v", es)
	}
	g.w.Do(Expire([]string{"A"}))
	g.want("A conflict")
}

// A deletion is the disk's, also of a file that is open; saving the buffer again
// undoes it.
func TestDeleteAnOpenFile(t *testing.T) {
	g := opened(t, "delete a; apply A")
	g.want("A applied")
	if _, ok := g.files["a"]; ok {
		t.Error("the file is there")
	}
	if d, _ := g.w.Snapshot().Document(at("a")); d.Base.String() != "1\n2\n" {
		t.Errorf("the editor shows %q", d.Base.String())
	}
	g.files["a"] = "1\n2\n"
	g.look()
	g.want("A staged")
}

// An editor that shows a deleted file, or opens its buffer again at another server, has not
// brought the file back.
func TestOpenADeletedFile(t *testing.T) {
	g := newGrove(t, "a", "1\n2\n")
	g.play("delete a; apply A", func() {})
	g.w.OpenDocument(at("a"), "a", text.New("1\n2\n"), 1, 1)
	g.want("A applied")
	g.files["a"] = "1\n2\n"
	g.look()
	g.want("A staged")
}

func TestDeleteAnOpenFileWithUnsavedText(t *testing.T) {
	g := opened(t, "")
	if _, err := g.w.Update(at("a"), 2, text.Edits{{New: "0\n"}}); err != nil {
		t.Fatal(err)
	}
	g.play("delete a; !apply A", func() {})
	g.want("A staged")
	if g.files["a"] != "1\n2\n" {
		t.Error("what was not saved is gone")
	}
}

// A rename of an open file goes through its editor, with the edits that are taken in
// with it; the tree decides, not the editor's answer.
func TestRenameAnOpenFile(t *testing.T) {
	g := opened(t, "rename a b; edit b 1 x")
	if res := g.do(Commit("agent", 1, "s", nil)); res.Status != "committing" {
		t.Fatalf("%+v", res)
	}
	es := g.w.Snapshot().Applying()
	if len(es) != 1 || es[0].Rename != at("b") || len(es[0].Edits) != 1 {
		t.Fatalf("the editor is asked for %+v", es)
	}
	if _, err := g.w.Update(at("a"), 2, es[0].Edits); err != nil {
		t.Fatal(err)
	}
	g.want("A applying, B applied")
	g.w.CloseDocument(at("a"), 1)
	g.w.OpenDocument(at("b"), "b", text.New("x\n2\n"), 1, 1)
	delete(g.files, "a")
	g.files["b"] = "x\n2\n"
	g.look()
	g.want("A applied, B applied")
	if c, _ := g.w.Snapshot().Change("B"); c.Path != at("b") || c.Name != "b" {
		t.Errorf("B is in %s still", c.Path)
	}
	if res := g.do(FinishCommit("agent", 1)); res.Status != StatusCommitted {
		t.Fatalf("%+v", res)
	}
	if es := g.w.Snapshot().UndoingClosed("agent", 1); len(es) != 1 || es[0].Rename != at("a") || len(es[0].Edits) != 1 {
		t.Errorf("to undo, the editor is asked for %+v", es)
	}
}

func TestRefusedRename(t *testing.T) {
	g := opened(t, "rename a b; apply A")
	g.want("A applying")
	g.w.Do(Expire([]string{"A"}))
	g.want("A staged")
}

// A file that turns into something that is no text is not gone.
func TestNoText(t *testing.T) {
	g := newGrove(t, "a", "1\n", "b", "2\n")
	g.play("delete a; write n x; rename b c", func() {})
	for _, name := range []string{"a", "n", "c"} {
		g.w.LoseText(at(name))
	}
	g.want("A conflict, B conflict, C conflict")
	for _, l := range []string{"A", "B", "C"} {
		if res := g.plan(TakeAgents(Letters(l))).Result; res.OK() {
			t.Errorf("%s would be taken over what is no text", l)
		}
	}
}

// Other agents leave a file alone that one is to make, to delete or to rename.
func TestFilesOfOthers(t *testing.T) {
	other := Meta{Owner: "other"}
	for _, c := range []struct {
		steps string
		op    Op
	}{
		{"write n x", Write(Writing{Meta: other, Path: at("n"), Name: "n", Content: "y"})},
		{"write n x", RenameFile(Renaming{Meta: other, Path: at("a"), To: at("n"), ToName: "n"})},
		{"delete a", Append(Appending{Meta: other, Path: at("a"), Text: "3\n"})},
		{"delete a", Replace(Replacement{Meta: other, Path: at("a"), Old: "1", New: "3"})},
		{"delete a", DeleteFile(Deletion{Meta: other, Path: at("a")})},
		{"edit a 1 x", DeleteFile(Deletion{Meta: other, Path: at("a")})},
		{"rename a n", RenameFile(Renaming{Meta: other, Path: at("a"), To: at("m"), ToName: "m"})},
		{"rename a n", Write(Writing{Meta: other, Path: at("n"), Name: "n", Content: "y"})},
	} {
		g := newGrove(t, "a", "1\n2\n")
		g.play(c.steps, func() {})
		if res := g.plan(c.op).Result; res.Status != StatusConflict || res.Code != "owned" {
			t.Errorf("%s: another agent hears %+v", c.steps, res)
		}
	}
}

// The folders that were made for a new file are known to its undo.
func TestMadeFolders(t *testing.T) {
	for _, end := range []string{"apply A; undo", "commit; undo-closed"} {
		g := newGrove(t, "a", "1\n")
		g.play("write d/n x", func() {})
		take, undo, _ := strings.Cut(end, "; ")
		op := Apply(Letters("A"))
		if take == "commit" {
			op = Commit("agent", 1, "s", nil)
		}
		p := g.plan(op)
		p.Made(at("d/n"), []string{at("d")})
		if err := g.write(p.Targets); err != nil {
			t.Fatal(err)
		}
		g.w.Accept(p)
		g.image.Add(p.Record)
		g.restart()
		op = UndoApplied("agent", 1)
		if undo == "undo-closed" {
			op = UndoClosed("agent", 1)
		}
		if ts := g.plan(op).Targets; len(ts) != 1 || ts[0].Action != ActDelete || len(ts[0].Folders) != 1 {
			t.Errorf("%s: %+v", end, ts)
		}
	}
}

// A deleted file's byte order mark and stray bytes come back.
func TestDeletedBytesComeBack(t *testing.T) {
	const body = "\uFEFFone\r\ntw\xFFo\n"
	g := newGrove(t, "a", body)
	g.play("delete a; apply A; restart; undo", func() {})
	if g.files["a"] != body {
		t.Errorf("%q came back", g.files["a"])
	}
}

// A file that an editor was asked to fill, and has filled while nothing ran, is no file of the user's.
func TestCreateThatArrivesWhileNothingRuns(t *testing.T) {
	g := opened(t, "write n x")
	g.w.OpenDocument(at("n"), "n", text.New(""), 1, 1)
	g.play("apply A", func() {})
	g.want("A applying")
	g.image.Add(g.w.Snapshot().Record("A"))
	g.files["n"] = "x\n"
	g.restart()
	g.want("A applied") // and not "by you"
}
