package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// workspace makes a folder with files and, for names that end in " -> target", symbolic links.
func workspace(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		name, target, isLink := strings.Cut(name, " -> ")
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if isLink {
			err = os.Symlink(strings.ReplaceAll(target, "$DIR", dir), at)
		} else {
			err = os.WriteFile(at, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, dirs ...string) *Roots {
	t.Helper()
	r, err := Open(dirs, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wantCode checks that err is an Error with a code and a hint.
func wantCode(t *testing.T, err error, code string) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want an Error with code %s", err, code)
	}
	if e.Code != code {
		t.Errorf("got code %s (%s), want %s", e.Code, e.Hint, code)
	}
	if len(e.Hint) < 20 {
		t.Errorf("hint %q says too little", e.Hint)
	}
	return e
}

func TestResolve(t *testing.T) {
	outside := workspace(t, map[string]string{"secret.txt": "s", "d/x.txt": "x"})
	dir := workspace(t, map[string]string{
		"a.txt":                        "a",
		"sub/b.txt":                    "b",
		"sub/deep/c.txt":               "c",
		"link.txt -> a.txt":            "",
		"abslink.txt -> $DIR/a.txt":    "",
		"dirlink -> sub":               "",
		"up -> sub/deep":               "",
		"chain -> link.txt":            "",
		"out.txt -> ../x":              "",
		"outdir -> " + outside:         "",
		"outabs -> /etc/passwd":        "",
		"outmissing -> /no/such/thing": "",
		"loop1 -> loop2":               "",
		"loop2 -> loop1":               "",
		"self -> self":                 "",
		"dangling -> nothing.txt":      "",
		"danglingdeep -> no/such/dir":  "",
		"twice -> dirlink/deep":        "",
		"ü/日本.txt":                     "u",
		"a b.txt":                      "blank",
		"-x":                           "dash",
		"..dots/..f":                   "dots",
		"c:d.txt":                      "colon",
		"unseen.txt -> three\nlines":   "",
		"three\nlines":                 "",
	})
	r := open(t, dir)

	good := []struct{ path, rel string }{
		{"a.txt", "a.txt"},
		{"./a.txt", "a.txt"},
		{"sub//b.txt", "sub/b.txt"},
		{"sub/../a.txt", "a.txt"},
		{"sub/", "sub"},
		{".", "."},
		{dir, "."},
		{dir + "/sub/b.txt", "sub/b.txt"},
		{"link.txt", "a.txt"},
		{"abslink.txt", "a.txt"},
		{"chain", "a.txt"},
		{"dirlink/b.txt", "sub/b.txt"},
		{"twice/c.txt", "sub/deep/c.txt"},
		{"up/../b.txt", "sub/b.txt"}, // as the system reads it: out of the link's target
		{"new.txt", "new.txt"},
		{"new/dir/file.txt", "new/dir/file.txt"},
		{"dirlink/new/file.txt", "sub/new/file.txt"},
		{"new/../a.txt", "a.txt"},
		{"../" + filepath.Base(dir) + "/a.txt", "a.txt"},
		{"ü/日本.txt", "ü/日本.txt"},
		{"a b.txt", "a b.txt"},
		{"-x", "-x"},
		{"..dots/..f", "..dots/..f"},
		{"c:d.txt", "c:d.txt"},
	}
	for _, c := range good {
		for _, write := range []bool{false, true} {
			p, err := r.Resolve(c.path, write)
			if err != nil {
				t.Errorf("Resolve(%q): %v", c.path, err)
			} else if p.Rel != c.rel || p.Abs != filepath.Join(dir, c.rel) {
				t.Errorf("Resolve(%q) = %+v, want Rel %q", c.path, p, c.rel)
			}
		}
	}

	bad := []struct{ path, code string }{
		{"..", CodeOutsideRoots},
		{"../x", CodeOutsideRoots},
		{"sub/../../x", CodeOutsideRoots},
		{"new/../../x", CodeOutsideRoots},
		{"/etc/passwd", CodeOutsideRoots},
		{"/", CodeOutsideRoots},
		{dir + "x/a.txt", CodeOutsideRoots},
		{dir + "/../x", CodeOutsideRoots},
		{"out.txt", CodeOutsideRoots},
		{"outabs", CodeOutsideRoots},
		{"outmissing", CodeOutsideRoots},
		{"outdir/secret.txt", CodeOutsideRoots},
		{"outdir/d/x.txt", CodeOutsideRoots},
		{"outdir/new.txt", CodeOutsideRoots},
		{"outdir/secret.txt/x", CodeOutsideRoots},
		{"up/../../../x", CodeOutsideRoots},
		{"~", CodeOutsideRoots},
		{"~/x", CodeOutsideRoots},
		{`C:\Windows\x`, CodeOutsideRoots},
		{"c:/x", CodeOutsideRoots},
		{`\\server\share\x`, CodeOutsideRoots},
		{`sub\b.txt`, CodeBadArguments},
		{`..\..\x`, CodeBadArguments},
		{"", CodeBadArguments},
		{" ", CodeBadArguments},
		{"a\x00.txt", CodeBadArguments},
		{"../\x00", CodeBadArguments},
		{"loop1", CodeFileNotFound},
		{"self/x", CodeFileNotFound},
		{"dangling", CodeFileNotFound},
		{"dangling/x", CodeFileNotFound},
		{"danglingdeep", CodeFileNotFound},
		{"a.txt/x", CodeFileNotFound},
		{"link.txt/x", CodeFileNotFound},
		{strings.Repeat("n", 300), CodeFileNotFound},
		{"two\nlines.txt", CodeDenied},
		{"red\x1b[31m.txt", CodeDenied},
		{"a\rb/new.txt", CodeDenied},
		{"bad\xff.txt", CodeDenied},
		{"unseen.txt", CodeDenied},
	}
	for _, c := range bad {
		for _, write := range []bool{false, true} {
			p, err := r.Resolve(c.path, write)
			if err == nil {
				t.Errorf("Resolve(%q) = %+v, want %s", c.path, p, c.code)
				continue
			}
			wantCode(t, err, c.code)
		}
	}
}

func TestResolveSaysWhatToDo(t *testing.T) {
	r := open(t, workspace(t, map[string]string{"dangling -> gone.txt": ""}))
	for path, want := range map[string]string{
		`src\a.go`: "src/a.go",
		"dangling": "dangling is a symbolic link",
		"/x":       "relative to its root",
	} {
		_, err := r.Resolve(path, false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Resolve(%q): %v, want a hint with %q", path, err, want)
		}
	}
}

// A dollar is a part of many a name; a variable is none.
func TestOdd(t *testing.T) {
	for name, odd := range map[string]bool{
		"$x": false, "routes/$id.tsx": false, "a$b": false, "$Types.ts": false, "$HOME.md": false,
		"$HOME/x": true, "$HOME": true, "a/$PWD/x": true, "${HOME}/x": true, "$(pwd)/x": true,
		"~/x": true, "file:/x": true, "%2e%2e/x": true, "..\u2215x": true, "a.go": false,
	} {
		if Odd(name) != odd {
			t.Errorf("%s is odd: %v", name, !odd)
		}
	}
}

func TestOpen(t *testing.T) {
	dir := workspace(t, map[string]string{"real/a.txt": "a", "link -> real": "", "other/b.txt": "b", "f": ""})
	for _, dirs := range [][]string{nil, {dir + "/none"}, {dir + "/f"}, {dir + "/real", dir + "/none"}} {
		if _, err := Open(dirs, nil, nil); err == nil {
			t.Errorf("Open(%v) worked", dirs)
		}
	}

	r := open(t, dir+"/link", dir+"/other")
	for path, want := range map[string]Path{
		"a.txt":               {dir + "/real/a.txt", "a.txt"},
		dir + "/link/a.txt":   {dir + "/real/a.txt", "a.txt"},
		dir + "/real/a.txt":   {dir + "/real/a.txt", "a.txt"},
		dir + "/other/b.txt":  {dir + "/other/b.txt", dir + "/other/b.txt"},
		"../other/b.txt":      {dir + "/other/b.txt", dir + "/other/b.txt"},
		dir + "/other/new.md": {dir + "/other/new.md", dir + "/other/new.md"},
	} {
		got, err := r.Resolve(path, false)
		if err != nil || got != want {
			t.Errorf("Resolve(%q) = %+v, %v, want %+v", path, got, err, want)
		}
		again, err := r.Resolve(got.Rel, false)
		if err != nil || again != got {
			t.Errorf("the name %q leads to %+v, %v, want back to %+v", got.Rel, again, err, got)
		}
	}
	_, err := r.Resolve(dir+"/f", false)
	wantCode(t, err, CodeOutsideRoots)
}

// A workspace may lie wherever it does; only what is in it must be readable.
func TestOddWorkspace(t *testing.T) {
	dir := workspace(t, map[string]string{"odd \"na'me\"\n\x1b[1m é/a.txt": "a"}) + "/odd \"na'me\"\n\x1b[1m é"
	r := open(t, dir)
	if p, err := r.Resolve("a.txt", true); err != nil || p.Rel != "a.txt" {
		t.Error(p, err)
	}
	if names, _, err := r.List(""); err != nil || len(names) != 1 {
		t.Error(names, err)
	}
}

func TestWholeFileSystemAsRoot(t *testing.T) {
	dir := workspace(t, map[string]string{"a.txt": "a"})
	r := open(t, "/")
	if _, err := r.Read(filepath.Join(dir, "a.txt")); err != nil {
		t.Error(err)
	}
}

// FuzzResolve looks for a path that leads out, or that is not the real name of what it leads to.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{"a", "../x", "in/../..", "out/x", "deep/../../a", "/etc", "loop/a", "./in//b", "a/..", "gone/../a", "in/new/../../out"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		dir := workspace(t, map[string]string{
			"a": "", "in/b": "", "deep -> in/sub": "", "in/sub/c": "", "out -> ..": "", "loop -> loop": "", "gone -> none": "", "abs -> /": "",
		})
		p, err := open(t, dir).Resolve(path, false)
		if err != nil {
			return
		}
		if p.Abs != dir && !strings.HasPrefix(p.Abs, dir+"/") {
			t.Errorf("%q leads out to %s", path, p.Abs)
		}
		if real, err := filepath.EvalSymlinks(p.Abs); err == nil && real != p.Abs {
			t.Errorf("%q leads to %s, whose real name is %s", path, p.Abs, real)
		}
	})
}
