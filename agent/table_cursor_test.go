package agent_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
)

// TestU27TheUsersCursorRecommends: where the user was as they asked counts for every
// call of the run, however it names the file, until they ask from elsewhere.
func TestU27TheUsersCursorRecommends(t *testing.T) {
	const text = "a {\n  x\n}\nb {\n  x\n}\nc {\n  x\n}\n"
	b := newBench(t, map[string]string{"f.txt": text, "g.txt": text}, editing.Ask)
	recommended := func(path, old string) (int, string) {
		t.Helper()
		for _, c := range b.call("memory_notebook_replace", args{"path": path, "old_text": old, "new_text": "  " + old, "preview_only": true}).Candidates {
			if c.Recommended {
				return c.Line, c.Why
			}
		}
		t.Fatal("nothing is recommended")
		return 0, ""
	}
	look := func(path string, at int) { b.s.LookAt(path, at, at) }
	dir, err := filepath.EvalSymlinks(b.dir)
	must(t, err)
	look(filepath.Join(dir, "f.txt"), strings.Index(text, "b {"))
	for range 2 { // the first call does not end it
		if line, why := recommended("f.txt", "x"); line != 5 || why != "nearest to the cursor" {
			t.Errorf("line %d, %s", line, why)
		}
		if line, _ := recommended("g.txt", "x"); line != 2 {
			t.Errorf("in a file where the user is not: line %d", line)
		}
	}
	look(filepath.Join(dir, "f.txt"), len(text)-1)
	if line, _ := recommended("", "x"); line != 8 {
		t.Errorf("without a path: line %d", line)
	}
	look("", -1)
	if line, why := recommended("f.txt", "x"); line != 2 || why == "nearest to the cursor" {
		t.Errorf("asked from no file: line %d, %s", line, why)
	}
}
