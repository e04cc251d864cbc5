package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// However many processes come to a workspace, by its path, by a link and from a folder below, and whichever of them is
// killed: A is one thing, what one staged another decides, and no process is left.
func TestManyProcessesInOneWorkspace(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: no race detector looks into another process")
	}
	const workers, each = 4, 3
	files := map[string]string{}
	for n := range workers * each {
		files[fmt.Sprintf("f%d.txt", n)] = "old\n"
	}
	h := newHosted(t, files)
	link, below := filepath.Join(t.TempDir(), "link"), filepath.Join(h.dir, "below")
	for _, dir := range []string{below, filepath.Join(h.dir, ".galley")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(h.dir, link); err != nil {
		t.Fatal(err)
	}
	// all has every worker do its share, in its way to the workspace.
	all := func(do func(folder string, n int)) {
		var work sync.WaitGroup
		for i, folder := range []string{h.dir, link, below, h.dir}[:workers] {
			work.Go(func() {
				for j := range each {
					do(folder, i*each+j)
				}
			})
		}
		work.Wait()
	}

	all(func(folder string, n int) {
		out, err := h.process(folder, "run", "--review", "keep", fmt.Sprintf(`replace "old" with "new %d" in f%d.txt`, n, n)).CombinedOutput()
		if !strings.Contains(string(out), " waits for you") {
			t.Errorf("run %d: %v\n%s", n, err, out)
		}
		killed := h.process(folder, "review", "--json")
		if err := killed.Start(); err != nil {
			t.Error(err)
			return
		}
		_ = killed.Process.Kill()
		_ = killed.Wait()
	})
	var waits struct {
		Sessions []struct {
			Letters []string `json:"letters"`
		} `json:"sessions"`
	}
	if err := json.Unmarshal([]byte(h.galley(0, "review", "--list", "--json")), &waits); err != nil {
		t.Fatal(err)
	}
	var letters []string
	for _, s := range waits.Sessions {
		letters = append(letters, s.Letters...)
	}
	slices.Sort(letters)
	if got, want := strings.Join(letters, ""), "ABCDEFGHIJKL"; got != want {
		t.Fatalf("the letters are %s, want %s", got, want)
	}

	all(func(folder string, n int) {
		out, err := h.process(folder, "review", "--apply", letters[n]).CombinedOutput()
		if !strings.Contains(string(out), "✓ "+letters[n]+" applied: ") {
			t.Errorf("apply %s: %v\n%s", letters[n], err, out)
		}
	})
	for n := range workers * each {
		if got, want := h.read(fmt.Sprintf("f%d.txt", n)), fmt.Sprintf("new %d\n", n); got != want {
			t.Errorf("f%d.txt holds %q, want %q", n, got, want)
		}
	}
	h.ends()
}
