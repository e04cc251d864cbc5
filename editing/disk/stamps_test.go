package disk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Whatever a program may do between two looks, it is told; what was not touched is not.
func TestStamps(t *testing.T) {
	old := time.Now().Add(-time.Hour)
	for _, c := range []struct {
		name string
		do   func(at func(string) string) error
		want string
	}{
		{"nothing", func(func(string) string) error { return nil }, ""},
		{"written", func(at func(string) string) error { return os.WriteFile(at("a.txt"), []byte("two\n"), 0o644) }, "changed a.txt"},
		{"written with the old time", func(at func(string) string) error {
			if err := os.WriteFile(at("old.txt"), []byte("OLD\n"), 0o644); err != nil {
				return err
			}
			return os.Chtimes(at("old.txt"), old, old)
		}, "changed old.txt"},
		{"only touched", func(at func(string) string) error { return os.Chtimes(at("a.txt"), old, old) }, ""},
		{"replaced", func(at func(string) string) error {
			if err := os.WriteFile(at("old.new"), []byte("old\n!"), 0o644); err != nil {
				return err
			}
			return os.Rename(at("old.new"), at("old.txt"))
		}, "changed old.txt"},
		{"made executable", func(at func(string) string) error { return os.Chmod(at("a.txt"), 0o755) }, "changed a.txt"},
		{"created", func(at func(string) string) error { return os.WriteFile(at("sub/new.txt"), nil, 0o644) }, "created sub/new.txt"},
		{"deleted", func(at func(string) string) error { return os.Remove(at("sub/b.txt")) }, "deleted sub/b.txt"},
		{"renamed", func(at func(string) string) error { return os.Rename(at("a.txt"), at("z.txt")) }, "deleted a.txt, created z.txt"},
		{"became a folder", func(at func(string) string) error {
			if err := os.Remove(at("a.txt")); err != nil {
				return err
			}
			return os.MkdirAll(at("a.txt"), 0o755)
		}, "deleted a.txt"},
		{"ignored, secret, git's own", func(at func(string) string) error {
			for _, name := range []string{"x.log", ".env", ".git/index"} {
				if err := os.WriteFile(at(name), []byte("x"), 0o644); err != nil {
					return err
				}
			}
			return nil
		}, ""},
		{"hidden by a new rule", func(at func(string) string) error {
			return os.WriteFile(at(".gitignore"), []byte("*.log\na.txt\n"), 0o644)
		}, "changed .gitignore"},
		{"shown by a dropped rule", func(at func(string) string) error {
			return os.WriteFile(at(".gitignore"), []byte("old.log\n"), 0o644)
		}, "changed .gitignore"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := workspace(t, map[string]string{
				"a.txt": "one\n", "old.txt": "old\n", "sub/b.txt": "b\n", ".gitignore": "*.log\n", ".git/HEAD": "",
			})
			at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
			if err := os.Chtimes(at("old.txt"), old, old); err != nil {
				t.Fatal(err)
			}
			s := open(t, dir).Stamps()
			if err := c.do(at); err != nil {
				t.Fatal(err)
			}
			changes, whole := s.Changed()
			var got []string
			for _, ch := range changes {
				got = append(got, ch.What+" "+ch.Path)
			}
			if strings.Join(got, ", ") != c.want || !whole {
				t.Errorf("got %q (whole %v), want %q", got, whole, c.want)
			}
		})
	}
}

// Too many files are not looked at, and what lies beyond them is not taken for new.
func TestStampsOfTooManyFiles(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("f%02d.txt", i)] = ""
	}
	dir := workspace(t, files)
	r := open(t, dir)
	names, cut := r.some(20)
	if len(names) != 20 || !cut {
		t.Fatalf("%d names, cut %v", len(names), cut)
	}
	if names, cut := r.some(30); len(names) != 30 || cut {
		t.Fatalf("%d names, cut %v", len(names), cut)
	}
	s := r.Stamps()
	s.cut = true
	s.at = time.Now().Add(time.Hour) // as if the files had been there for long
	delete(s.files, "f29.txt")
	if changes, whole := s.Changed(); len(changes) != 0 || whole {
		t.Errorf("%v, whole %v", changes, whole)
	}
}

func BenchmarkStamps(b *testing.B) {
	dir := b.TempDir()
	for i := range 5000 {
		at := filepath.Join(dir, fmt.Sprint(i/100), fmt.Sprint(i))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(at, []byte("x"), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	r, err := Open([]string{dir}, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r.Stamps().Changed()
	}
}
