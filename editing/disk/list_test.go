package disk

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestList(t *testing.T) {
	dir := workspace(t, map[string]string{
		".git/config":             "",
		".git/info/exclude":       "excluded.txt\n",
		".gitignore":              "*.log\n/build/\nnode_modules/\n!important.log\n",
		"main.go":                 "",
		"a.log":                   "",
		"important.log":           "",
		"excluded.txt":            "",
		"build/out.bin":           "",
		"sub/build/kept.txt":      "",
		"sub/.gitignore":          "!b.log\n/local.txt\n# comment\n",
		"sub/b.log":               "",
		"sub/c.log":               "",
		"sub/local.txt":           "",
		"sub/deep/local.txt":      "",
		"sub/deep/x.go":           "",
		"node_modules/m/index.js": "",
		"node_modules/m/id_rsa":   "",
		".env":                    "",
		"fixtures/test.pem":       "",
		"secret.key":              "",
		"yarn.lock":               "",
		"vendor/v.go":             "",
		"link.go -> main.go":      "",
		"dirlink -> sub":          "",
		"escape -> /etc":          "",
		tempPrefix + "XYZ":        "",
		"nested/.git/HEAD":        "",
		"nested/n.go":             "",
		"odd [1].txt":             "",
		"brace/{a}.txt":           "",
		"ü.md":                    "",
		"bad\xff.txt":             "",
		"two\nlines.txt":          "",
		"red\x1b[31m.txt":         "",
		"a\rb/c.txt":              "",
		"del\x7f\u009b.txt":       "",
		".hidden/h.txt":           "",
		".galley/config.yaml":     "",
	})
	if err := os.MkdirAll(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := Open([]string{dir}, []string{"*.lock", "vendor/"}, []string{"fixtures/"})
	if err != nil {
		t.Fatal(err)
	}
	all := []string{
		".galley/config.yaml", ".gitignore", ".hidden/h.txt", "brace/{a}.txt", "fixtures/test.pem", "important.log", "main.go",
		"nested/n.go", "odd [1].txt", "sub/.gitignore", "sub/b.log", "sub/build/kept.txt", "sub/deep/local.txt", "sub/deep/x.go", "ü.md",
	}
	sub := []string{"sub/.gitignore", "sub/b.log", "sub/build/kept.txt", "sub/deep/local.txt", "sub/deep/x.go"}
	cases := []struct {
		glob string
		want []string
	}{
		{"", all},
		{".", all},
		{dir, all},
		{"**", all},
		{"*.go", []string{"main.go", "nested/n.go", "sub/deep/x.go"}},
		{"./*.go", []string{"main.go", "nested/n.go", "sub/deep/x.go"}},
		{"**/*.go", []string{"main.go", "nested/n.go", "sub/deep/x.go"}},
		{"sub/*.go", nil},
		{"sub/**/*.go", []string{"sub/deep/x.go"}},
		{dir + "/sub/**/*.go", []string{"sub/deep/x.go"}},
		{"x.go", []string{"sub/deep/x.go"}},
		{"{main,x}.go", []string{"main.go", "sub/deep/x.go"}},
		{"sub", sub},
		{"sub/", sub},
		{dir + "/sub", sub},
		{"dirlink", sub},
		{"sub/deep", []string{"sub/deep/local.txt", "sub/deep/x.go"}},
		{"main.go", []string{"main.go"}},
		{"link.go", []string{"main.go"}},
		{"a.log", []string{"a.log"}}, // named, so shown
		{"node_modules", []string{"node_modules/m/index.js"}},
		{"node_modules/m", []string{"node_modules/m/index.js"}},
		{"odd [1].txt", []string{"odd [1].txt"}},
		{`odd \[1\].txt`, []string{"odd [1].txt"}},
		{`brace/\{a\}.txt`, []string{"brace/{a}.txt"}},
		{"*.none", nil},
		{"none/deep/*.go", nil},
		{".git", nil},
		{".git/info", nil},
		{".env*", nil},
		{"*.pem", []string{"fixtures/test.pem"}},
		{"*.lock", nil},
		{"yarn.lock", nil},
		{"vendor", nil},
		{"empty", nil},
	}
	for _, c := range cases {
		got, _, err := r.List(c.glob)
		if err != nil || got == nil || !slices.Equal(got, c.want) {
			t.Errorf("List(%q) = %#v, %v, want %q", c.glob, got, err, c.want)
		}
	}
	for glob, code := range map[string]string{
		"[": CodeBadArguments, "a{b": CodeBadArguments, "../*": CodeOutsideRoots, "/etc/*": CodeOutsideRoots,
		"sub/../../*": CodeOutsideRoots, "escape": CodeOutsideRoots, ".env": CodeDenied, "a\x00": CodeBadArguments, `sub\deep`: CodeBadArguments,
	} {
		_, _, err := r.List(glob)
		wantCode(t, err, code)
	}
}

// TestListBelowRepository has the workspace in a folder of a larger repository.
func TestListBelowRepository(t *testing.T) {
	top := workspace(t, map[string]string{
		".gitignore":                 "outside.c\n", // above the repository: does not count
		"repo/.git/HEAD":             "",
		"repo/.gitignore":            "*.o\n/ws/gen/\n/gen/\nshut/\n*.c2\n",
		"repo/.git/info/exclude":     "excluded.c\n!a.o\nmid/ws/also.c\n",
		"repo/mid/.gitignore":        "/ws/mid.c\n!*.c2\n",
		"repo/mid/ws/a.c":            "",
		"repo/mid/ws/a.c2":           "",
		"repo/mid/ws/a.o":            "",
		"repo/mid/ws/mid.c":          "",
		"repo/mid/ws/gen/x.c":        "",
		"repo/mid/ws/outside.c":      "",
		"repo/mid/ws/sub/excluded.c": "",
		"repo/mid/ws/also.c":         "",
		"repo/shut/ws/a.c":           "",
		"repo/shut/ws/a.o":           "",
		"repo/shut/ws/.gitignore":    "no.c",
		"repo/shut/ws/no.c":          "",
	})
	for ws, want := range map[string][]string{
		"repo/mid/ws":  {"a.c", "a.c2", "gen/x.c", "outside.c"},
		"repo/shut/ws": {".gitignore", "a.c", "a.o"}, // closed as a whole, yet opened: its own rules only
	} {
		got, _, err := open(t, filepath.Join(top, ws)).List("")
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: List = %q, %v, want %q", ws, got, err, want)
		}
	}
}

func TestListRoots(t *testing.T) {
	dir := workspace(t, map[string]string{"one/a.go": "", "one/in/b.go": "", "two/c.go": "", "two/sub/d.go": ""})
	two := filepath.ToSlash(dir) + "/two"
	r := open(t, dir+"/one", dir+"/two", dir+"/one/in")
	for glob, want := range map[string][]string{
		"":            {two + "/c.go", two + "/sub/d.go", "a.go", "in/b.go"},
		"sub/*":       {two + "/sub/d.go"},
		two:           {two + "/c.go", two + "/sub/d.go"},
		two + "/sub":  {two + "/sub/d.go"},
		two + "/c.go": {two + "/c.go"},
		"in":          {"in/b.go"},
	} {
		got, _, err := r.List(glob)
		slices.Sort(want)
		if err != nil || !slices.Equal(slices.Compact(got), want) {
			t.Errorf("List(%q) = %q, %v, want %q", glob, got, err, want)
		}
		for _, name := range got {
			if _, err := r.Read(name); err != nil {
				t.Errorf("%s is listed, but %v", name, err)
			}
		}
	}
}

func TestIgnoreFilesThatAreNone(t *testing.T) {
	dir := workspace(t, map[string]string{"a.go": "", "d/b.go": "", "d/.gitignore -> ../rules": "", "rules": "*.go\n"})
	if err := errors.Join(
		os.Mkdir(filepath.Join(dir, ".gitignore"), 0o755),
		os.WriteFile(filepath.Join(dir, "big"), []byte(strings.Repeat("#", maxRules+1)), 0o644),
	); err != nil {
		t.Fatal(err)
	}
	got, _, err := open(t, dir).List("*.go")
	if want := []string{"a.go", "d/b.go"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("List = %q, %v, want %q", got, err, want)
	}
	if rs := open(t, dir).lister(dir, "").readRules(filepath.Join(dir, "big")); len(rs.all) > 0 {
		t.Errorf("%d rules from a file that is too large", len(rs.all))
	}
}
