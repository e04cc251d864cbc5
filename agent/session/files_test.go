//go:build unix

package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// fileScene is a session with one letter about a whole file, and a user who is in its way.
type fileScene struct {
	*killPlace
	s *Session
}

func (f *fileScene) user(t *testing.T, deed string) {
	t.Helper()
	w := strings.Fields(deed)
	at := func(i int) string { return filepath.Join(f.dir, w[i]) }
	switch w[0] {
	case "write":
		must(t, os.MkdirAll(filepath.Dir(at(1)), 0o700))
		must(t, os.WriteFile(at(1), []byte(w[2]+"\n"), 0o600))
	case "rm":
		must(t, os.Remove(at(1)))
	case "mv":
		must(t, os.Rename(at(1), at(2)))
	case "mkdir":
		must(t, os.Mkdir(at(1), 0o700))
	default:
		t.Fatalf("no deed %q", deed)
	}
}

// tree is "a=one d/" with folders.
func (f *fileScene) tree(t *testing.T) string {
	t.Helper()
	var out []string
	must(t, filepath.WalkDir(f.dir, func(path string, e os.DirEntry, err error) error {
		name, _ := filepath.Rel(f.dir, path)
		switch {
		case err != nil || name == ".":
			return err
		case e.IsDir():
			out = append(out, filepath.ToSlash(name)+"/")
			return nil
		}
		b, err := os.ReadFile(path)
		out = append(out, filepath.ToSlash(name)+"="+strings.TrimSuffix(string(b), "\n"))
		return err
	}))
	return strings.Join(out, " ")
}

// TestFilesUnderInterference: whatever the user does with a file meanwhile, nothing of theirs is written over, no empty folder
// is left, and a start sees the same.
func TestFilesUnderInterference(t *testing.T) {
	stage := map[string]func(p Place, to Seen) editing.Op{
		"create": func(p Place, _ Seen) editing.Op {
			return editing.Write(editing.Writing{Meta: p.Meta, Path: p.Path, Name: p.Name, Content: "agent\n"})
		},
		"delete": func(p Place, _ Seen) editing.Op {
			return editing.DeleteFile(editing.Deletion{Meta: p.Meta, Path: p.Path})
		},
		"rename": func(p Place, to Seen) editing.Op {
			return editing.RenameFile(editing.Renaming{Meta: p.Meta, Path: p.Path, To: to.Path, ToName: to.Name})
		},
	}
	for _, c := range []struct {
		do, path, to string
		user         []string // before the decision
		state        editing.ChangeState
		tree         string   // after an apply, and a commit, were tried
		then         []string // after the decision
		undone       string   // after what was applied is taken back
	}{
		{do: "create", path: "d/e/n", state: editing.Applied, tree: "a=one b=two d/ d/e/ d/e/n=agent", undone: "a=one b=two"},
		{do: "create", path: "d/e/n", user: []string{"write d/e/n mine"}, state: editing.Conflict, tree: "a=one b=two d/ d/e/ d/e/n=mine"},
		{do: "create", path: "n", user: []string{"mkdir n"}, state: editing.Conflict, tree: "a=one b=two n/"},
		{do: "create", path: "d/n", user: []string{"write d mine"}, state: editing.Conflict, tree: "a=one b=two d=mine"},
		{do: "create", path: "d/n", then: []string{"write d/m mine"}, state: editing.Applied, tree: "a=one b=two d/ d/n=agent", undone: "a=one b=two d/ d/m=mine"},
		{do: "create", path: "d/n", then: []string{"write d/n mine"}, state: editing.Applied, tree: "a=one b=two d/ d/n=agent", undone: "a=one b=two d/ d/n=mine"},
		{do: "delete", path: "a", state: editing.Applied, tree: "b=two", undone: "a=one b=two"},
		{do: "delete", path: "a", user: []string{"write a mine"}, state: editing.Conflict, tree: "a=mine b=two"},
		{do: "delete", path: "a", user: []string{"rm a"}, state: editing.Applied, tree: "b=two"},
		{do: "delete", path: "a", user: []string{"rm a", "mkdir a"}, state: editing.Conflict, tree: "a/ b=two"},
		{do: "delete", path: "a", then: []string{"write a mine"}, state: editing.Applied, tree: "b=two", undone: "a=mine b=two"},
		{do: "rename", path: "a", to: "d/n", state: editing.Applied, tree: "b=two d/ d/n=one", undone: "a=one b=two"},
		{do: "rename", path: "a", to: "d/n", user: []string{"write d/n mine"}, state: editing.Conflict, tree: "a=one b=two d/ d/n=mine"},
		{do: "rename", path: "a", to: "n", user: []string{"mkdir n"}, state: editing.Conflict, tree: "a=one b=two n/"},
		{do: "rename", path: "a", to: "n", user: []string{"rm a"}, state: editing.Conflict, tree: "b=two"},
		{do: "rename", path: "a", to: "n", user: []string{"mv a m"}, state: editing.Conflict, tree: "b=two m=one"},
		{do: "rename", path: "a", to: "n", user: []string{"mv a n"}, state: editing.Applied, tree: "b=two n=one"},
		{do: "rename", path: "a", to: "n", user: []string{"write a mine"}, state: editing.Applied, tree: "b=two n=mine", undone: "a=mine b=two"},
		{do: "rename", path: "a", to: "n", then: []string{"write a mine"}, state: editing.Applied, tree: "b=two n=one", undone: "a=mine b=two n=one"},
	} {
		t.Run(strings.Join(append([]string{c.do, c.path, c.to}, append(c.user, c.then...)...), " "), func(t *testing.T) {
			f := &fileScene{killPlace: &killPlace{t: t, home: t.TempDir(), dir: t.TempDir()}}
			for name, content := range map[string]string{"a": "one\n", "b": "two\n"} {
				must(t, os.WriteFile(filepath.Join(f.dir, name), []byte(content), 0o600))
			}
			f.s = f.open(nil)
			var to Seen
			if c.to != "" {
				to, _ = f.s.Look(c.to, true)
			}
			op := map[string]string{"create": opWrite}[c.do]
			if e, err := f.s.Edit(By{Call: "c"}, c.path, op, "", func(p Place) editing.Op { return stage[c.do](p, to) }); err != nil || !e.OK() {
				t.Fatalf("%+v, %v", e, err)
			}
			for _, deed := range c.user {
				f.user(t, deed)
			}
			r, err := f.s.Decide(Apply(editing.Letters("A")))
			must(t, err)
			if taken := c.state == editing.Applied && (len(c.user) == 0 || c.user[0] == "write a mine"); r.OK() != taken {
				t.Errorf("apply: %+v", r)
			}
			if c.state == editing.Conflict {
				if r, err := f.s.Decide(Commit(1, "", nil)); err != nil || r.OK() {
					t.Errorf("commit: %+v, %v", r, err)
				}
			}
			for range 2 {
				if l, _ := f.s.Snapshot().Change("A"); l.State != c.state {
					t.Errorf("A is %s, want %s", l.State, c.state)
				}
				if got := f.tree(t); got != c.tree {
					t.Errorf("there is %s, want %s", got, c.tree)
				}
				must(t, f.s.Close())
				f.s = f.open(nil)
			}
			for _, deed := range c.then {
				f.user(t, deed)
			}
			if c.undone != "" {
				r, err := f.s.Decide(UndoApplied(1))
				if must(t, err); f.tree(t) != c.undone {
					t.Errorf("undo: %+v, and there is %s, want %s", r, f.tree(t), c.undone)
				}
			}
			must(t, f.s.Close())
		})
	}
}

// What a deleted file held comes back byte for byte, after a start too; one that holds a secret is not taken.
func TestDeletedBytesAfterAStart(t *testing.T) {
	const body = "\uFEFFone\r\ntw\xffo\n"
	f := &fileScene{killPlace: &killPlace{t: t, home: t.TempDir(), dir: t.TempDir()}}
	at := filepath.Join(f.dir, "a")
	must(t, os.WriteFile(at, []byte(body), 0o600))
	f.s = f.open(nil)
	_, err := f.s.Edit(By{Call: "c"}, "a", "delete_file", "", func(p Place) editing.Op {
		return editing.DeleteFile(editing.Deletion{Meta: p.Meta, Path: p.Path})
	})
	must(t, err)
	if r, err := f.s.Decide(Commit(1, "", nil)); err != nil || !r.OK() {
		t.Fatalf("%+v, %v", r, err)
	}
	must(t, f.s.Close())
	f.s = f.open(nil)
	if r, err := f.s.Decide(UndoClosed(1)); err != nil || !r.OK() {
		t.Fatalf("%+v, %v", r, err)
	}
	b, err := os.ReadFile(at)
	if want := text.New(body); err != nil || string(b) != string(want.Bytes()) {
		t.Errorf("%q came back, %v", b, err)
	}
	must(t, f.s.Close())
}
