package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
)

// A start finds where letters stood in a file beside the journal. Without it, or with one
// that is damaged, it goes by the journal, and says nothing.
func TestStartWithoutWhatWasKept(t *testing.T) {
	const was = "a\nb\nc\nd\ne\nf\ng\nh\npassword = swordfish\n"
	for _, c := range []struct {
		name, now string
		harm      func(path string) error
		state     editing.ChangeState
	}{
		{"whole", "1\n2\n3\nd\n5\n6\n7\n8\n", func(string) error { return nil }, editing.Staged},
		{"missing", "a\nb\nmine\nc\nd\ne\nf\n", os.Remove, editing.Staged},
		{"torn", "a\nb\nmine\nc\nd\ne\nf\n", func(path string) error { return os.Truncate(path, 20) }, editing.Staged},
		{"missing, and the line is another", "a\nb\nc\nmy d\ne\nf\n", os.Remove, editing.Conflict},
	} {
		dir := t.TempDir()
		f := filepath.Join(dir, "f.txt")
		must(t, os.WriteFile(f, []byte(was), 0o600))
		cfg := Config{Home: t.TempDir(), Workspace: dir, Secrets: []string{"swordfish"}}
		s, err := Open(cfg)
		must(t, err)
		staged(t, s, "f.txt", "c\nd\n", "c\nD\n")
		cfg.ID = s.ID()
		kept, err := filepath.Glob(filepath.Join(s.Dir(), "stood", "*"))
		if must(t, err); len(kept) != 1 {
			t.Fatalf("%s: kept are %v", c.name, kept)
		}
		data, err := os.ReadFile(kept[0])
		if must(t, err); strings.Contains(string(data), "swordfish") {
			t.Errorf("%s: a secret is kept", c.name)
		}
		must(t, s.Close())
		must(t, c.harm(kept[0]))
		must(t, os.WriteFile(f, []byte(c.now), 0o600))
		s, err = Open(cfg)
		must(t, err)
		if a, ok := s.Snapshot().Change("A"); !ok || a.State != c.state {
			t.Errorf("%s: A is %+v", c.name, a)
		}
		if w := s.Warnings(); len(w) > 0 {
			t.Errorf("%s: %q", c.name, w)
		}
		if _, err := s.Decide(Reject(editing.Letters("A"), "")); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		must(t, s.Close())
	}
}
