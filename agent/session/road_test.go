package session

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
)

// A write fails halfway, and the user saves over what was written before it is taken
// back: what cannot be put back is named, and its letter goes by its text.
func TestWriteThatIsLost(t *testing.T) {
	s := opened(t, map[string]string{"a.txt": "one\n2\n3\n4\n5\n", "b.txt": "two\n"})
	staged(t, s, "a.txt", "one", "ONE")
	staged(t, s, "b.txt", "two", "TWO")
	at, n := filepath.Join(s.folder, "a.txt"), 0
	disk.Point = func(point string) error {
		if point == "exchange" {
			n++
		}
		if point == "exchange" && n == 2 {
			must(t, os.WriteFile(at, []byte("ONE\n2\n3\n4\n5\nmine\n"), 0o600))
			return syscall.EIO
		}
		return nil
	}
	t.Cleanup(func() { disk.Point = func(string) error { return nil } })
	r, err := s.Decide(Apply(editing.Letters("A", "B")))
	if err != nil || r.Code != "commit_failed" || !strings.Contains(r.Hint, "a.txt could not be put back") || strings.Contains(r.Hint, "nothing was applied") {
		t.Errorf("%+v, %v", r, err)
	}
	var named []string
	for _, f := range r.Files {
		named = append(named, f.Path)
	}
	if strings.Join(named, " ") != "b.txt a.txt" {
		t.Errorf("%v are named", named)
	}
	must(t, s.Refresh(t.Context()))
	if got := strings.Join(stateOf(s), ", "); got != "A applied, B staged" {
		t.Errorf("the letters are %s", got)
	}
	if b, err := os.ReadFile(at); err != nil || string(b) != "ONE\n2\n3\n4\n5\nmine\n" {
		t.Errorf("a.txt holds %q, %v", b, err)
	}
	if open, err := s.decisions.Open(""); err != nil || len(open) > 0 {
		t.Errorf("intents are open: %+v, %v", open, err)
	}
}
