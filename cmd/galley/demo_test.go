package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
)

// played is what the demo prints, with its folder under a fixed name.
func played(t *testing.T, args ...string) string {
	t.Helper()
	dir, bin := filepath.Join(t.TempDir(), "demo"), t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "galley"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	var out bytes.Buffer
	root := newRoot()
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(append([]string{"demo", "--dir", dir}, args...))
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("galley demo: %v; it printed:\n%s", err, out.String())
	}
	return strings.ReplaceAll(out.String(), dir, "/tmp/galley-demo")
}

// counted are the token counts, which depend on the session's id.
var counted = regexp.MustCompile(`has \d+ tokens, \d+ of them conversation; before it was \d+ and \d+\.`)

// docs/demo.txt is what the demo prints, and what the README shows of it is a part of that.
func TestDemoIsWhatTheDocsShow(t *testing.T) {
	got := played(t)
	if *update {
		writeDoc(t, "docs/demo.txt", got)
	}
	want := readDoc(t, "docs/demo.txt")
	if counted.ReplaceAllString(got, "") != counted.ReplaceAllString(want, "") {
		t.Errorf("docs/demo.txt is not what galley demo prints; look at it, then run the test with -update:\n%s", got)
	}
	picture := between(readDoc(t, "README.md"), "```text\n", "```\n")
	if picture == "" || !strings.Contains(want, picture) {
		t.Errorf("the picture in README.md is no part of docs/demo.txt; copy it anew:\n%s", picture)
	}
}

// Every line must fit a terminal, and the whole must not be a wall.
func TestDemoFitsAScreen(t *testing.T) {
	const most = 175
	lines := strings.Split(readDoc(t, "docs/demo.txt"), "\n")
	if len(lines) > most {
		t.Errorf("the demo prints %d lines, want %d at most", len(lines), most)
	}
	for _, line := range lines {
		if columnsOf(line) > pageWidth {
			t.Errorf("%d columns, want %d at most: %s", columnsOf(line), pageWidth, line)
		}
	}
}

func TestDemoFolder(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f := demoFlags{dir: full}
	if _, err := f.folder(); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a folder with a file in it: %v", err)
	}
	f = demoFlags{dir: filepath.Join(t.TempDir(), "a", "b"), remove: true}
	folder, err := f.folder()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.tidy(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the folder should be gone: %v", err)
	}
}

// The demo notices when something goes differently than it should.
func TestDemoChecks(t *testing.T) {
	a := act{place: place{workspace: t.TempDir()}}
	if err := copySample(a.place.workspace); err != nil {
		t.Fatal(err)
	}
	on := wish{"config.json", "8080", "8081"}
	if err := a.expectUntouched(on.file, guideFile); err != nil {
		t.Errorf("nothing was changed: %v", err)
	}
	if err := a.expectGranted(on.file, on); err == nil {
		t.Error("a wish that was not granted is not noticed")
	}
	if err := os.WriteFile(a.path(on.file), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.expectUntouched(on.file); err == nil {
		t.Error("a file that was changed is not noticed")
	}
	one, two := editing.Candidate{ID: "B", Line: 15}, editing.Candidate{ID: "C", Line: 22}
	for _, now := range [][]editing.Candidate{nil, {one}, {two, one}, {one, {ID: "C", Line: 23}}} {
		if err := samePlaces([]editing.Candidate{one, two}, now); err == nil {
			t.Errorf("other places are not noticed: %v", now)
		}
	}
}

// between is the text from a mark to the next other one; the first mark is not in it.
func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, found := strings.Cut(text, to)
	if !found {
		return ""
	}
	return text
}
