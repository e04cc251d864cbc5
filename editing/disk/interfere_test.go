//go:build unix

package disk

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// users are what people and programs do to a file at any moment.
var users = map[string]func(at string) error{
	"edits": func(at string) error {
		h, err := os.OpenFile(at, os.O_WRONLY|os.O_TRUNC, 0)
		if err != nil {
			return err
		}
		_, err = h.WriteString("USER")
		return errors.Join(err, h.Close())
	},
	"saves": func(at string) error {
		if _, err := os.Stat(filepath.Dir(at)); err != nil {
			return err
		}
		return errors.Join(os.WriteFile(at+"~", []byte("USER"), 0o644), os.Rename(at+"~", at))
	},
	"makes a folder of": func(at string) error {
		return errors.Join(os.Mkdir(at, 0o755), os.WriteFile(at+"/user", []byte("USER"), 0o644))
	},
	"moves":   func(at string) error { return os.Rename(at, at+".user") },
	"deletes": os.Remove,
}

type scene struct {
	steps  []Step
	paths  []string // where the user does something
	before map[string]string
	after  map[string]string
}

// scenes are one of each kind of step, behind one that has to be taken back.
func scenes() map[string]scene {
	first := Step{Op: Replace, Path: "a", Before: hashOf("1"), After: text.New("2")}
	files := map[string]string{"a": "1", "f": "old", "sub/g": "g"}
	with := func(after map[string]string, gone string, paths []string, s Step) scene {
		all := maps.Clone(files)
		all["a"] = "2"
		maps.Copy(all, after)
		delete(all, gone)
		return scene{[]Step{s, first}, paths, files, all}
	}
	old, is := hashOf("old"), text.New("new")
	return map[string]scene{
		"replace": with(map[string]string{"f": "new"}, "", []string{"f", "a"}, Step{Op: Replace, Path: "f", Before: old, After: is}),
		"create":  with(map[string]string{"n": "new"}, "", []string{"n", "a"}, Step{Op: Create, Path: "n", After: is}),
		"create in folders": with(map[string]string{"d/e/n": "new"}, "", []string{"d", "d/e", "d/e/n", "d/e/x"},
			Step{Op: Create, Path: "d/e/n", After: is}),
		"delete": with(nil, "f", []string{"f", "a"}, Step{Op: Delete, Path: "f", Before: old}),
		"rename": with(map[string]string{"d/n": "old"}, "f", []string{"f", "d", "d/n"}, Step{Op: Rename, Path: "f", To: "d/n", Before: old}),
		"rename with edits": with(map[string]string{"n": "new"}, "f", []string{"f", "n", "a"},
			Step{Op: Rename, Path: "f", To: "n", Before: old, After: is, Edited: true}),
	}
}

// disturbed commits a scene and lets something happen at point n; it says whether it came to that.
func disturbed(t *testing.T, s scene, dir string, n int, do func(name string) error) (came bool, aborted bool, err error) {
	t.Helper()
	defer func() { Point = func(string) error { return nil } }()
	count := 0
	Point = func(name string) error {
		if count++; count == n {
			came = true
			return do(name)
		}
		return nil
	}
	b, err := open(t, dir).Prepare("", s.steps)
	if err == nil {
		err = b.Commit(t.Context(), "", func() error { aborted = true; return nil })
	}
	return came, aborted, err
}

// TestUserAtEveryPoint lets the user do something to a file, or in its folder, at every point of a batch. U64.
func TestUserAtEveryPoint(t *testing.T) {
	for name, s := range scenes() {
		for what, user := range users {
			for _, path := range s.paths {
				for n, came := 1, true; came; n += every(t, 2) {
					dir := workspace(t, s.before)
					var userErr, err error
					came, _, err = disturbed(t, s, dir, n, func(string) error { userErr = user(filepath.Join(dir, path)); return nil })
					if !came || userErr != nil {
						continue
					}
					if checkDisturbed(t, s, dir, what, path, err); t.Failed() {
						t.Fatalf("%s: the user %s %s at point %d: %v, %v", name, what, path, n, err, tree(t, dir))
					}
				}
			}
		}
	}
}

// checkDisturbed says that what the user wrote is there, and that all else is as before or as it was to be.
func checkDisturbed(t *testing.T, s scene, dir, what, path string, err error) {
	t.Helper()
	got := tree(t, dir)
	if what != "moves" && what != "deletes" && !slices.Contains(slices.Collect(maps.Values(got)), "USER") {
		t.Error("the user's text is lost")
	}
	want, lost := s.after, map[string]bool{}
	if err != nil {
		want = s.before
		var e *BatchError
		if !errors.As(err, &e) || len(e.Files) == 0 {
			t.Errorf("the error names no file: %v", err)
		}
		for _, l := range e.Lost {
			lost[l.Path] = true
		}
	}
	for name, content := range want {
		if name != path && !lost[name] && filepath.Dir(name) != path && filepath.Dir(filepath.Dir(name)) != path && got[name] != content {
			t.Errorf("%s holds %q, want %q", name, got[name], content)
		}
	}
	if noLeftovers(t, dir); what != "moves" && (err != nil || what != "deletes") { // else an empty folder is the user's doing
		noTraces(t, dir)
	}
}

// TestFaultAtEveryPoint lets every call to the system fail once.
func TestFaultAtEveryPoint(t *testing.T) {
	for _, plain := range []bool{false, true} {
		if plain {
			withoutExchange(t)
		}
		for name, s := range scenes() {
			for n, came := 1, true; came; n++ {
				dir := workspace(t, s.before)
				var point string
				var aborted bool
				var err error
				came, aborted, err = disturbed(t, s, dir, n, func(at string) error { point = at; return syscall.ENOSPC })
				want := s.after
				if err != nil {
					want = s.before
				}
				if got := tree(t, dir); !maps.Equal(got, want) {
					t.Errorf("%s, %q fails: %v; %v", name, point, err, got)
				}
				if point != "remove old" && point != "remove temp" {
					noTraces(t, dir)
				}
				if err == nil && aborted {
					t.Errorf("%s, %q fails: aborted without an error", name, point)
				}
			}
		}
	}
}

// TestAborting is about the order: what was done is taken back after the journal heard of it.
func TestAborting(t *testing.T) {
	dir := workspace(t, map[string]string{"a": "1", "b": "1"})
	r := open(t, dir)
	b := prepared(t, r, Step{Op: Replace, Path: "a", Before: hashOf("1"), After: text.New("2")},
		Step{Op: Delete, Path: "b", Before: hashOf("1")})
	at(t, "move", func() error { return os.WriteFile(filepath.Join(dir, "b"), []byte("USER"), 0o644) })
	seen := ""
	full := errors.New("the journal is full")
	err := b.Commit(t.Context(), "", func() error { seen = content(t, dir, "a"); return full })
	if seen != "2" || content(t, dir, "a") != "1" || content(t, dir, "b") != "USER" {
		t.Errorf("a held %q when the journal was told, and holds %q", seen, content(t, dir, "a"))
	}
	if !errors.Is(err, ErrChanged) || !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// TestProgramThatHasTheFileOpen writes into the old file after it was exchanged or taken away.
func TestProgramThatHasTheFileOpen(t *testing.T) {
	for name, s := range scenes() {
		if s.before[s.steps[0].Path] == "" || name == "rename" {
			continue // there is no old file that goes
		}
		t.Run(name, func(t *testing.T) {
			dir := workspace(t, s.before)
			h, err := os.OpenFile(filepath.Join(dir, "f"), os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			at(t, "sync folder", func() error {
				_, err := h.WriteAt([]byte("USER"), 0)
				return err
			})
			aborted := false
			err = prepared(t, open(t, dir), s.steps...).Commit(t.Context(), "", func() error { aborted = true; return nil })
			if !errors.Is(err, ErrChanged) || !aborted {
				t.Errorf("got %v, aborted: %v", err, aborted)
			}
			want := maps.Clone(s.before)
			want["f"] = "USER"
			if name == "rename with edits" { // it stays where it is, and is named
				delete(want, "f")
				want["n"] = "USER"
			}
			if got := tree(t, dir); !maps.Equal(got, want) {
				t.Errorf("got %v", got)
			}
			noTraces(t, dir)
		})
	}
}

// TestUserWhileTakingBack lets a step fail, and the user do something while the others are taken back.
func TestUserWhileTakingBack(t *testing.T) {
	for name, s := range scenes() {
		s.steps = append(s.steps, Step{Op: Delete, Path: "sub/g", Before: hashOf("g")})
		for what, user := range users {
			for _, path := range s.paths {
				for n, came := 0, true; came; n += every(t, 4) { // a share
					dir := workspace(t, s.before)
					var userErr error
					failed, after := false, 0
					came = false
					Point = func(at string) error {
						if failed {
							if after++; after == n+1 {
								came, userErr = true, user(filepath.Join(dir, path))
							}
							return nil
						}
						if _, err := os.Stat(filepath.Join(dir, "sub/g")); at == "move" && err == nil && content(t, dir, "a") == "2" && done(s, dir) {
							failed = true
							return syscall.EIO
						}
						return nil
					}
					err := commit(t, open(t, dir), s.steps...)
					Point = func(string) error { return nil }
					if !failed || err == nil {
						t.Fatalf("%s: the batch did not fail: %v", name, err)
					}
					if !came || userErr != nil {
						continue
					}
					if checkDisturbed(t, s, dir, what, path, err); t.Failed() {
						t.Fatalf("%s: the user %s %s at point %d of taking back: %v, %v", name, what, path, n, err, tree(t, dir))
					}
				}
			}
		}
	}
}

// done reports whether the first step of a scene is done.
func done(s scene, dir string) bool {
	if s.steps[0].Op == Delete {
		_, err := os.Stat(filepath.Join(dir, s.steps[0].Path))
		return err != nil
	}
	b, err := os.ReadFile(filepath.Join(dir, s.steps[0].target()))
	return err == nil && string(b) == s.after[s.steps[0].target()]
}
