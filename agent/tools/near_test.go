package tools

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
)

// placed is a session in a workspace with files of these names, which hold them.
func placed(t *testing.T, names ...string) (*session.Session, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("text of "+name+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return opened(t, func(cfg *session.Config) { cfg.Workspace = dir }), dir
}

func asArgument(t *testing.T, text string) string {
	t.Helper()
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(text) + `"`
}

var shopFiles = []string{"Recv.cpp", "src/app.ts", "src/Über.md", "README.md", "lib/one/deep.go", "b.txt", "web/index.html", "docs/index.html", "my file.txt", "x/same.c", "x/Same.c", "it's.md"}

// One clear meaning is taken, for reading and for editing, and the answer says which file it was.
func TestU38NearPathsAreTaken(t *testing.T) {
	s, dir := placed(t, shopFiles...)
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"recv.cpp":                               "Recv.cpp",
		"RECV.CPP":                               "Recv.cpp",
		"SRC/App.ts":                             "src/app.ts",
		"app.ts":                                 "src/app.ts",
		"App.ts":                                 "src/app.ts",
		"one/deep.go":                            "lib/one/deep.go",
		"src/U\u0308ber.md":                      "src/Über.md",
		"u\u0308ber.md":                          "src/Über.md",
		"file://" + real + "/src/app.ts":         "src/app.ts",
		"file:" + real + "/my%20file.txt":        "my file.txt",
		"FILE://localhost" + real + "/README.md": "README.md",
		"file://src/app.ts":                      "src/app.ts",
		real + "/readme.md":                      "README.md",
		`"src/app.ts"`:                           "src/app.ts",
		"'src/app.ts'":                           "src/app.ts",
		"`src/app.ts`":                           "src/app.ts",
		"“src/app.ts”":                           "src/app.ts",
		"„recv.cpp“":                             "Recv.cpp",
		"src/app.ts:1":                           "src/app.ts",
		"src/app.ts:12:3":                        "src/app.ts",
		"src/app.ts:12-20":                       "src/app.ts",
		"src/app.ts#L4-L9":                       "src/app.ts",
		"app.ts:7":                               "src/app.ts",
		"b/src/app.ts":                           "src/app.ts",
		"a/README.md":                            "README.md",
		"a/recv.cpp:3":                           "Recv.cpp",
		"shop/src/app.ts":                        "src/app.ts",
		"./src/./app.ts":                         "src/app.ts",
		"README.md\n":                            "README.md",
		"src/app.ts\r\n":                         "src/app.ts",
		"it's.md":                                "it's.md",
		"x/same.c":                               "x/same.c",
	} {
		o := call(t, s, "memo_read", `{"path":`+asArgument(t, path)+`}`)
		if o.Status != StatusOK || o.Path != want || !strings.Contains(*o.Text, "text of "+want) {
			t.Errorf("memo_read %q = %s, want %s", path, o.JSON(), want)
		}
		o = call(t, s, "memory_notebook_replace", `{"path":`+asArgument(t, path)+`,"old_text":"text of","new_text":"words of","preview_only":true}`)
		if o.Code != "" || !strings.Contains(o.Preview, "words of "+want) {
			t.Errorf("replace in %q = %s, want %s", path, o.JSON(), want)
		}
	}
	if o := call(t, s, "memo_read", `{}`); o.Code != "" { // the file touched last is the one that was meant
		t.Error(o.JSON())
	}
}

// Several meanings are listed, and what takes a file away must name it.
func TestU38SeveralMeaningsAreListed(t *testing.T) {
	s, _ := placed(t, append(slices.Clone(shopFiles), "1/f.md", "2/f.md", "3/f.md", "4/f.md", "5/f.md", "6/f.md", "7/f.md")...)
	for _, c := range []struct{ tool, arguments, hint string }{
		{"memo_read", `{"path":"index.html"}`, "did you mean docs/index.html or web/index.html?"},
		{"memo_append", `{"path":"index.html","text":"x"}`, "did you mean docs/index.html or web/index.html?"},
		{"memo_read", `{"path":"x/SAME.c"}`, "did you mean x/Same.c or x/same.c?"},
		{"write", `{"path":"x/SAME.c","content":"x"}`, "did you mean x/Same.c or x/same.c?"},
		{"memo_read", `{"path":"f.md"}`, "did you mean 1/f.md, 2/f.md, 3/f.md, 4/f.md, 5/f.md or one of 2 more?"},
		{"delete_file", `{"path":"app.ts"}`, "did you mean src/app.ts?"},
		{"rename_file", `{"path":"app.ts","to":"b.ts"}`, "did you mean src/app.ts?"},
		{"memo_read", `{"path":"nothing.ts"}`, "there is no such file; list_files shows what is there"},
	} {
		if o := call(t, s, c.tool, c.arguments); o.Status != StatusNotFound || o.Code != CodeFileNotFound || !strings.Contains(o.Hint, c.hint) {
			t.Errorf("%s%s = %s, want %s", c.tool, c.arguments, o.JSON(), c.hint)
		}
	}
	if n := len(s.Snapshot().Changes()); n > 0 {
		t.Errorf("%d changes are staged", n)
	}
}

// A write never puts a file in silence beside the one that was meant.
func TestU38NoNewFileBesideTheOneThatWasMeant(t *testing.T) {
	for _, c := range []struct{ path, want, hint string }{
		{"recv.cpp", "Recv.cpp", ""},
		{"src/U\u0308ber.md", "src/Über.md", ""},
		{`"README.md"`, "README.md", ""},
		{"b/src/app.ts", "src/app.ts", ""},
		{"src/app.ts:3", "src/app.ts", ""},
		{"README.md\n", "README.md", ""},
		{"app.ts", "app.ts", "this is a new file, and src/app.ts is there"},
		{"index.html", "index.html", "docs/index.html or web/index.html is there"},
		{"new.md", "new.md", ""},
		{`"new.md"`, "new.md", ""},
		{"new.md\n", "new.md", ""},
		{"a/new.md", "a/new.md", ""},
		{"x/b.txt", "x/b.txt", ""},
	} {
		s, _ := placed(t, shopFiles...)
		o := call(t, s, "write", `{"path":`+asArgument(t, c.path)+`,"content":"new text\n"}`)
		if o.Status != StatusEditing || o.Path != c.want || !strings.Contains(o.Hint, c.hint) || (c.hint == "") != (o.Hint == "") {
			t.Errorf("write %q = %s, want %s (%s)", c.path, o.JSON(), c.want, c.hint)
		}
	}
}

// What a path means otherwise is looked for inside the workspace only, and a secret is none of it.
func TestU38NearPathsStayInside(t *testing.T) {
	s, dir := placed(t, append(slices.Clone(shopFiles), ".env", ".git/config")...)
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "outside.txt"), []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(filepath.Dir(dir), "outside.txt"), filepath.Join(dir, "link.txt")); err != nil {
		t.Fatalf("the test needs symbolic links: %v", err)
	}
	for _, path := range []string{
		"outside.txt", "../outside.txt", "b/../../outside.txt", "file://" + filepath.Dir(dir) + "/outside.txt", `"../outside.txt"`, "../outside.txt:1", "file:../outside.txt",
		"file:%2e%2e/outside.txt", "LINK.txt", ".ENV", `".env"`, "a/.env", ".git/CONFIG", "file:///etc/passwd",
	} {
		for _, tool := range []string{"memo_read", "read"} {
			if o := call(t, s, tool, `{"path":`+asArgument(t, path)+`}`); o.Status == StatusOK {
				t.Errorf("%s %q = %s", tool, path, o.JSON())
			}
		}
	}
}
