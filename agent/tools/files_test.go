package tools

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

// reviewed is opened, with changes that wait for the user.
func reviewed(t *testing.T) *session.Session {
	return opened(t, func(cfg *session.Config) { cfg.Review = "" })
}

// onDisk is the workspace as "a.txt=one…", without files that the test leaves alone.
func onDisk(t *testing.T, s *session.Session) string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(s.Workspace(), func(path string, e os.DirEntry, err error) error {
		name, _ := filepath.Rel(s.Workspace(), path)
		switch name {
		case ".", "b.go", "key.txt":
			return err
		}
		if e.IsDir() {
			files[name+"/"] = ""
			return err
		}
		b, err := os.ReadFile(path)
		files[name] = "=" + strings.ReplaceAll(string(b), "\n", ",")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out = append(out, name+files[name])
	}
	return strings.Join(out, " ")
}

// TestFiles plays what an agent does with whole files: what it reads, lists and finds is the proposed tree, and the disk
// stays as it is.
func TestFiles(t *testing.T) {
	s := reviewed(t)
	for _, step := range []struct{ tool, arguments, status, code, says string }{
		{"write", `{"path":"d/e/n.txt","content":"new\ntext\n","reason":"needed"}`, "editing", "", "create d/e/n.txt (2 lines)"},
		{"memo_read", `{"path":"d/e/n.txt"}`, "ok", "", "│new"},
		{"read", `{"path":"d/e/n.txt"}`, "ok", "", "new\\ntext"},
		{"list_files", `{"glob":"d"}`, "ok", "", "d/e/n.txt"},
		{"list_files", `{"glob":"*.txt"}`, "ok", "", "d/e/n.txt"},
		{"search_text", `{"pattern":"text"}`, "ok", "", "d/e/n.txt"},
		{"memory_notebook_replace", `{"path":"d/e/n.txt","old_text":"text","new_text":"words"}`, "editing", "", `"change_id":"A","revision":2`},
		{"rename_file", `{"path":"a.txt","to":"d/a.md"}`, "editing", "", "rename a.txt → d/a.md"},
		{"read", `{"path":"a.txt"}`, "not_found", "file_not_found", "the file is d/a.md now, by your change B"},
		{"read", `{"path":"d/a.md"}`, "ok", "", `"path":"d/a.md"`},
		{"memory_notebook_replace", `{"path":"d/a.md","old_text":"two","new_text":"2"}`, "editing", "", `"change_id":"C"`},
		{"search_text", `{"pattern":"2"}`, "ok", "", `"path":"d/a.md"`},
		{"delete_file", `{"path":"b.go"}`, "editing", "", "delete b.go (1 line)"},
		{"read", `{"path":"b.go"}`, "not_found", "file_not_found", "change D deletes it"},
		{"search_text", `{"pattern":"z > 1"}`, "ok", "", "nothing matches"},
		{"list_files", `{"glob":"*.go"}`, "ok", "", `"total":0`},
		{"write", `{"path":"b.go/c.go","content":"c\n"}`, "editing", "", "create b.go/c.go (1 line)"},
		{"memo_drop", `{"change_id":"E","reason":"no"}`, "ok", "", ""},
		{"memo_drop", `{"change_id":"D","reason":"no"}`, "ok", "", ""},
		{"read", `{"path":"b.go"}`, "ok", "", ""},
		{"rename_file", `{"path":"b.go","to":"d/e/n.txt"}`, "refused", "file_exists", "there is a file d/e/n.txt already"},
		{"rename_file", `{"path":"b.go","to":"key.txt"}`, "refused", "file_exists", "there is a file key.txt already"},
		{"rename_file", `{"path":"b.go","to":"../b.go"}`, "refused", "outside_roots", ""},
		{"write", `{"path":"key.txt/n","content":"x"}`, "not_found", "file_not_found", "a part of the path is a file"},
		{"delete_file", `{"path":"none"}`, "not_found", "file_not_found", ""},
		{"delete_file", `{"path":"key.txt"}`, "refused", "denied", "holds a secret"},
		{"delete_file", `{"path":"working-memory/overview.md"}`, "refused", "outside_roots", "notes"},
		{"memo_preview", `{"format":"diff"}`, "ok", "", "rename to d/a.md"},
		{"memo_export_diff", `{}`, "ok", "", "new file mode"},
	} {
		out := call(t, s, step.tool, step.arguments)
		if out.Status != step.status || out.Code != step.code || !strings.Contains(out.JSON(), step.says) {
			t.Errorf("%s(%s) = %s, want %s %s with %q", step.tool, step.arguments, out.JSON(), step.status, step.code, step.says)
		}
	}
	if got, want := onDisk(t, s), "a.txt=one,two,one,"; got != want {
		t.Errorf("the disk is %s, want %s", got, want)
	}
	for _, step := range []struct {
		do   func() (editing.Result, error)
		want string
	}{
		{func() (editing.Result, error) { return s.Decide(session.Apply(editing.Letters("A"))) }, "a.txt=one,two,one, d/ d/e/ d/e/n.txt=new,words,"},
		{func() (editing.Result, error) { return s.Decide(session.Apply(editing.Letters("B"))) }, "d/ d/a.md=one,two,one, d/e/ d/e/n.txt=new,words,"},
		{func() (editing.Result, error) { return s.Decide(session.UndoApplied(1)) }, "a.txt=one,two,one,"},
		{func() (editing.Result, error) { return s.Decide(session.Commit(1, "all", nil)) }, "d/ d/a.md=one,2,one, d/e/ d/e/n.txt=new,words,"},
		{func() (editing.Result, error) { return s.Decide(session.UndoClosed(1)) }, "a.txt=one,two,one,"},
	} {
		if r, err := step.do(); err != nil || !r.OK() {
			t.Fatalf("%+v, %v", r, err)
		}
		if got := onDisk(t, s); got != step.want {
			t.Errorf("the disk is %s, want %s", got, step.want)
		}
	}
}
