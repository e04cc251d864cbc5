package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/lsp/lsptest"
)

// tree is what the workspace holds: "a.txt=one…", and folders by their names.
func (w *wire) tree(t testing.TB) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(w.root, func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(w.root, path)
		name = filepath.ToSlash(name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone meanwhile
			return nil
		case err != nil || name == ".":
			return err
		case e.IsDir():
			out = append(out, name+"/")
			return nil
		}
		b, err := os.ReadFile(path)
		if err == nil {
			out = append(out, name+"="+strings.ReplaceAll(string(b), "\n", ","))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

// An agent makes, edits, renames and deletes files; they are shown, applied letter by letter, undone and committed in every
// editor, with the files closed.
func TestWireFiles(t *testing.T) {
	for _, p := range append(lsptest.All(), lsptest.Plain()) {
		t.Run(p.Name+p.Version, func(t *testing.T) {
			w := newWire(t, p, wireOptions{files: map[string]string{"a.txt": "one\ntwo\n", "gone.txt": "gone\n", "open.txt": "open\n"}})
			defer w.close(t)
			w.open(t, "open.txt")
			w.ask(
				t,
				toolCall("write", tools.WriteArgs{Path: "d/e/n.txt", Content: "new\n"}),
				toolCall("rename_file", tools.RenameFileArgs{Path: "a.txt", To: "d/a.md"}),
				replace("d/a.md", "two", "2"),
				toolCall("delete_file", tools.DeleteFileArgs{Path: "gone.txt"}),
				toolCall("delete_file", tools.DeleteFileArgs{Path: "open.txt"}),
			)
			const before = "a.txt=one,two, gone.txt=gone, open.txt=open,"
			w.awaitCodes(t, "d/e/n.txt", "A")
			w.awaitCodes(t, "a.txt", "B", "C")
			w.awaitCodes(t, "gone.txt", "D")
			w.awaitCodes(t, "open.txt", "E")
			if got := w.tree(t); got != before {
				t.Errorf("nothing was decided, and there is %s", got)
			}
			for _, step := range []struct{ letter, tree string }{
				{"A", "a.txt=one,two, d/ d/e/ d/e/n.txt=new, gone.txt=gone, open.txt=open,"},
				{"B", "d/ d/a.md=one,two, d/e/ d/e/n.txt=new, gone.txt=gone, open.txt=open,"},
				{"D", "d/ d/a.md=one,two, d/e/ d/e/n.txt=new, open.txt=open,"},
				{"E", "d/ d/a.md=one,two, d/e/ d/e/n.txt=new,"},
			} {
				w.command(t, "galley.apply", step.letter)
				if got := w.tree(t); got != step.tree {
					t.Errorf("%s is applied, and there is %s, want %s", step.letter, got, step.tree)
				}
			}
			w.awaitCodes(t, "d/a.md", "C")
			w.awaitCodes(t, "a.txt")
			w.command(t, "galley.commit")
			if got, want := w.tree(t), "d/ d/a.md=one,2, d/e/ d/e/n.txt=new,"; got != want {
				t.Errorf("all is committed, and there is %s, want %s", got, want)
			}
			w.command(t, "galley.revert", map[string]any{"edit": 1, "includeApplied": true})
			if got := w.tree(t); got != before {
				t.Errorf("all is taken back, and there is %s, want %s", got, before)
			}
		})
	}
}

// A file that is open gets its new name from its editor, where that can, with the edits that are taken in beside it. The
// folder for it is there, also for an editor that makes none, and goes with what is undone or refused.
func TestWireRenamesOpenFiles(t *testing.T) {
	for _, p := range append(lsptest.All(), lsptest.Plain()) {
		t.Run(p.Name+p.Version, func(t *testing.T) {
			w := newWire(t, p, wireOptions{files: map[string]string{"a.txt": "one\ntwo\n"}})
			defer w.close(t)
			w.open(t, "a.txt")
			w.ask(t, toolCall("rename_file", tools.RenameFileArgs{Path: "a.txt", To: "d/a.md"}), replace("d/a.md", "two", "2"))
			w.awaitCodes(t, "a.txt", "A", "B")
			if !p.Renames() {
				_, err := w.Execute(t.Context(), "galley.apply", "A")
				if err == nil || !strings.Contains(err.Error(), "close a.txt") || w.tree(t) != "a.txt=one,two," {
					t.Errorf("an editor that cannot rename: %v, and there is %s", err, w.tree(t))
				}
				return
			}
			w.Answers(lsptest.Answer{Do: lsptest.DoRefuse})
			w.command(t, "galley.apply", "A")
			w.Await(t, "the refusal", func(s *lsptest.Screen) bool { return s.Message("did not apply A") })
			if got := w.tree(t); got != "a.txt=one,two," {
				t.Errorf("refused, and there is %s", got)
			}
			w.command(t, "galley.apply", "A")
			w.awaitCodes(t, "d/a.md", "B")
			if got := w.tree(t); got != "d/ d/a.md=one,two," {
				t.Errorf("there is %s", got)
			}
			w.command(t, "galley.apply", "B")
			if got := w.Text(w.uri("d/a.md")); got != "one\n2\n" {
				t.Errorf("the buffer is %q", got)
			}
			if err := w.Save(w.uri("d/a.md")); err != nil {
				t.Fatal(err)
			}
			w.command(t, "galley.revert", map[string]any{"edit": 1, "includeApplied": true})
			w.awaitTree(t, "all is taken back", "a.txt=one,2,")
			if got := w.Text(w.uri("a.txt")); got != "one\ntwo\n" {
				t.Errorf("taken back, the buffer is %q", got)
			}
		})
	}
}

// A file whose text in an editor is not saved is not deleted, whatever was decided, until the user has saved or discarded it.
func TestWireDeletesNoUnsavedText(t *testing.T) {
	for _, p := range append(lsptest.All(), lsptest.Plain()) {
		t.Run(p.Name+p.Version, func(t *testing.T) {
			w := newWire(t, p, wireOptions{files: map[string]string{"a.txt": "one\n"}})
			defer w.close(t)
			w.open(t, "a.txt")
			w.ask(t, toolCall("delete_file", tools.DeleteFileArgs{Path: "a.txt"}))
			w.awaitCodes(t, "a.txt", "A")
			w.Type(w.uri("a.txt"), lsptest.Offset(0), "mine\n")
			take := map[string]any{"change": "A", "take": "agent"}
			if _, err := w.Execute(t.Context(), "galley.resolve", take); err == nil || !strings.Contains(err.Error(), "a.txt: it has text in an editor that is not saved: save or discard it") {
				t.Errorf("not saved: %v", err)
			}
			if got := w.tree(t); got != "a.txt=one," {
				t.Errorf("not saved, and there is %s", got)
			}
			if err := w.Save(w.uri("a.txt")); err != nil {
				t.Fatal(err)
			}
			w.command(t, "galley.resolve", take)
			if got := w.tree(t); got != "" {
				t.Errorf("saved, and decided: there is %s", got)
			}
		})
	}
}

// The same with the files open: what the editor keeps is undone by the editor, what the disk keeps by whoever brings the
// file back, and all of it waits again, is taken in again, committed, and taken back.
func TestWireFilesThatAreOpen(t *testing.T) {
	for _, p := range append(lsptest.All(), lsptest.Plain()) {
		t.Run(p.Name+p.Version, func(t *testing.T) {
			w := newWire(t, p, wireOptions{files: map[string]string{"a.txt": "one\ntwo\n", "gone.txt": "gone\n"}})
			defer w.close(t)
			w.open(t, "a.txt", "gone.txt")
			w.OpenText(w.uri("n.txt"), "")
			w.ask(
				t,
				toolCall("write", tools.WriteArgs{Path: "n.txt", Content: "new\n"}),
				toolCall("rename_file", tools.RenameFileArgs{Path: "a.txt", To: "d/a.md"}),
				replace("d/a.md", "two", "2"),
				toolCall("delete_file", tools.DeleteFileArgs{Path: "gone.txt"}),
			)
			w.awaitCodes(t, "n.txt", "A")
			w.awaitCodes(t, "a.txt", "B", "C")
			w.awaitCodes(t, "gone.txt", "D")
			if !p.Renames() {
				w.CloseBuffer(w.uri("a.txt"))
			}
			for _, step := range []struct{ letter, tree string }{
				{"A", "a.txt=one,two, gone.txt=gone,"},
				{"D", "a.txt=one,two,"},
				{"B", "d/ d/a.md=one,two,"},
			} {
				w.command(t, "galley.apply", step.letter)
				w.awaitTree(t, step.letter+" is applied", step.tree)
			}
			w.open(t, "d/a.md")
			w.awaitCodes(t, "d/a.md", "C")
			w.command(t, "galley.apply", "C")
			w.awaitCodes(t, "d/a.md")
			if texts := w.Text(w.uri("n.txt")) + w.Text(w.uri("d/a.md")); texts != "new\none\n2\n" {
				t.Errorf("the editor shows %q", texts)
			}
			w.Undo(w.uri("n.txt"))
			w.Undo(w.uri("d/a.md"))
			w.write(t, "gone.txt", "gone\n")
			w.awaitCodes(t, "n.txt", "A")
			w.awaitCodes(t, "d/a.md", "C")
			w.awaitCodes(t, "gone.txt", "D")
			w.command(t, "galley.commit")
			w.awaitTree(t, "all is committed", "d/ d/a.md=one,two,")
			w.Await(t, "the commit is over", func(*lsptest.Screen) bool { return len(w.host.Workspace().Snapshot().OpenSessions("")) == 0 })
			if !p.Renames() {
				if err := w.Save(w.uri("d/a.md")); err != nil {
					t.Fatal(err)
				}
				w.CloseBuffer(w.uri("d/a.md"))
			}
			w.command(t, "galley.revert", map[string]any{"edit": 1, "includeApplied": true})
			w.awaitTree(t, "all is taken back", "a.txt=one,two, gone.txt=gone,")
			if n := w.Text(w.uri("n.txt")); n != "" {
				t.Errorf("the new file is %q", n)
			}
			w.awaitCodes(t, "a.txt")
		})
	}
}

func (w *wire) awaitTree(t testing.TB, when, want string) {
	t.Helper()
	got := ""
	if err := w.Wait(t.Context(), when, func(*lsptest.Screen) bool { got = w.tree(t); return got == want }); err != nil {
		t.Fatalf("%s, and there is %q, want %q: %v", when, got, want, err)
	}
}
