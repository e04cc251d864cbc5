package view

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"pgregory.net/rapid"
)

// showing are steps whose previews people and models read.
var showing = []struct{ name, steps string }{
	{"create", "write src/new.go package,,func"},
	{"create empty", "write src/__init__.py"},
	{"delete", "delete old"},
	{"rename", "rename old new"},
	{"rename with edits", "rename old lib/new; edit lib/new two 2"},
	{"all", "write src/new.go package; delete gone; rename old lib/new; edit lib/new two 2"},
	{"create in conflict", "write n x; user n mine"},
	{"delete in conflict", "delete old; user old one"},
	{"rename in conflict", "rename old new; user new mine"},
	{"source gone", "rename old new; rm old"},
	{"folder in conflict", "write d/n x; user d mine"},
	{"applied", "write n x; delete gone; rename old new; apply A B C"},
	{"rejected", "write n x; delete gone; rename old new; reject A B C"},
}

// files is a workspace with a disk in memory.
type files struct {
	w     *editing.Workspace
	disk  map[string]string // by name
	fatal func(...any)
}

func newFiles(fatal func(...any), disk map[string]string) *files {
	f := &files{editing.New(0), disk, fatal}
	f.look()
	return f
}

// look feeds in what the disk has.
func (f *files) look() {
	folders := map[string]bool{}
	for name, s := range f.disk {
		f.w.OpenDocument("/w/"+name, name, text.New(s), 0, editing.Disk)
		for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, d := range f.w.Snapshot().Documents() {
		if _, ok := f.disk[d.Name]; folders[d.Name] {
			f.w.LoseText(d.Path)
		} else if !ok {
			f.w.Lose(d.Path)
		}
	}
}

// do plans an operation and writes what it wants written.
func (f *files) do(op editing.Op) editing.Result {
	var read []*editing.Document
	for name, s := range f.disk {
		read = append(read, editing.NewDocument("/w/"+name, name, text.New(s)))
	}
	p := f.w.Plan(op, read...)
	for _, o := range p.Targets {
		delete(f.disk, o.Name)
		switch o.Action {
		case editing.ActDelete:
		case editing.ActRename:
			f.disk[strings.TrimPrefix(o.To, "/w/")] = string(o.After.Bytes())
		default:
			f.disk[o.Name] = string(o.After.Bytes())
		}
	}
	if !f.w.Accept(p) {
		f.fatal("nobody else was there, and the plan is stale")
	}
	f.look()
	return p.Result
}

// play plays steps apart by ";".
func (f *files) play(steps string) *files {
	for s := range strings.SplitSeq(steps, ";") {
		if res := f.step(strings.Fields(s)); !res.OK() {
			f.fatal(s, res.Code, res.Hint)
		}
	}
	return f
}

func (f *files) step(words []string) editing.Result {
	m := editing.Meta{Owner: agentName}
	path := "/w/" + words[1]
	body := ""
	if len(words) > 2 {
		body = strings.ReplaceAll(words[2], ",", "\n") + "\n"
	}
	switch words[0] {
	case "write":
		return f.do(editing.Write(editing.Writing{Meta: m, Path: path, Name: words[1], Content: body}))
	case "edit":
		return f.do(editing.Replace(editing.Replacement{Meta: m, Path: path, Old: words[2], New: words[3]}))
	case "delete":
		return f.do(editing.DeleteFile(editing.Deletion{Meta: m, Path: path}))
	case "rename":
		return f.do(editing.RenameFile(editing.Renaming{Meta: m, Path: path, To: "/w/" + words[2], ToName: words[2]}))
	case "apply":
		return f.do(editing.Apply(editing.Letters(words[1:]...)))
	case "reject":
		return f.do(editing.Reject(editing.Letters(words[1:]...), "no"))
	case "user":
		f.disk[words[1]] = body
	case "rm":
		delete(f.disk, words[1])
	default:
		f.fatal("no step", words)
	}
	f.look()
	return editing.Result{Status: editing.StatusOK}
}

func planted(t *testing.T, steps string) *files {
	return newFiles(t.Fatal, map[string]string{"old": "one\ntwo\nthree\n", "gone": "last words\n"}).play(steps)
}

func TestFilePreviews(t *testing.T) {
	for _, c := range showing {
		t.Run(c.name, func(t *testing.T) {
			s := planted(t, c.steps).w.Snapshot()
			var sb strings.Builder
			for _, format := range []string{FormatCompact, FormatFull, FormatStats, FormatDiff} {
				sb.WriteString("# " + format + "\n" + Preview(s, agentName, 1, Options{Format: format, MaxLength: -1}))
			}
			sb.WriteString("# pending\n" + Pending(s, agentName))
			golden(t, filepath.Join("files", strings.ReplaceAll(c.name, " ", "_")), sb.String())
		})
	}
}

// git makes of the files what the patch of the staged changes says.
func TestFileDiffIsAPatch(t *testing.T) {
	for _, c := range showing {
		if strings.Contains(c.name, "conflict") || c.name == "source gone" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			f := planted(t, c.steps)
			patch := Diff(f.w.Snapshot(), agentName, 1)
			dir := t.TempDir()
			for name, s := range f.disk {
				write(t, filepath.Join(dir, name), s)
			}
			if patch != "" {
				cmd := exec.Command("git", "apply", "--whitespace=nowarn", "-")
				cmd.Dir, cmd.Stdin = dir, strings.NewReader(patch)
				cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git apply: %v\n%s\n%s", err, out, patch)
				}
			}
			if res := f.do(editing.Commit(agentName, 1, "s", nil)); !res.OK() {
				t.Fatalf("%+v", res)
			}
			if got := readAll(t, dir); !maps.Equal(got, f.disk) {
				t.Errorf("git made %v of it, a commit %v\n%s", got, f.disk, patch)
			}
		})
	}
}

// TestPreviewOfAnyFiles: whatever agent and user do with files, all views can be made.
func TestPreviewOfAnyFiles(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := newFiles(rt.Fatal, map[string]string{"a": "1\n2\n3\n", "b": "4\n"})
		names, letters := rapid.SampledFrom([]string{"a", "b", "c", "d/e"}), rapid.SampledFrom([]string{"A", "B", "C"})
		for range rapid.IntRange(1, 15).Draw(rt, "steps") {
			step := []string{rapid.SampledFrom([]string{"write", "edit", "delete", "rename", "apply", "reject", "user", "rm"}).Draw(rt, "step")}
			switch step[0] {
			case "apply", "reject":
				step = append(step, letters.Draw(rt, "letter"))
			case "edit":
				step = append(step, names.Draw(rt, "name"), "2", "two")
			case "rename":
				step = append(step, names.Draw(rt, "name"), names.Draw(rt, "to"))
			case "delete", "rm":
				step = append(step, names.Draw(rt, "name"))
			default:
				step = append(step, names.Draw(rt, "name"), rapid.SampledFrom([]string{"1,2,3", "x", "2"}).Draw(rt, "text"))
			}
			f.step(step)
			checkAllViews(f.w.Snapshot())
		}
	})
}

// checkAllViews makes every view that there is: none may panic.
func checkAllViews(s *editing.Snapshot) {
	for _, ses := range s.Sessions("") {
		for _, format := range []string{FormatCompact, FormatFull, FormatStats, FormatDiff} {
			Preview(s, ses.Owner, ses.N, Options{Format: format, MaxLength: -1})
		}
		Pending(s, ses.Owner)
		for _, c := range s.Of(ses.Owner, ses.N) {
			Of(s, c).Lines.Around(1).Markdown(20)
			Places(s, c, Options{})
		}
	}
}

func write(t *testing.T, file, s string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(s), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readAll(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		name, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
