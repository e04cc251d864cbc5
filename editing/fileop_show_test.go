package editing

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// showing are steps whose previews people and models read.
var showing = []struct{ name, steps string }{
	{"create", "write src/new.go package,,func"},
	{"create empty", "write src/__init__.py"},
	{"delete", "delete old"},
	{"rename", "rename old new"},
	{"rename with edits", "rename old lib/new; edit lib/new two 2"},
	{"all", "write src/new.go package; delete gone; rename old lib/new; edit lib/new two 2"},
	{"create in conflict", "write n x; user n mine"},
	{"delete in conflict", "delete old; user old one"},
	{"rename in conflict", "rename old new; user new mine"},
	{"source gone", "rename old new; rm old"},
	{"folder in conflict", "write d/n x; user d mine"},
	{"applied", "write n x; delete gone; rename old new; apply A B C"},
	{"rejected", "write n x; delete gone; rename old new; reject A B C"},
}

func planted(t *testing.T, steps string) *grove {
	g := newGrove(t, "old", "one\ntwo\nthree\n", "gone", "last words\n")
	g.play(steps, func() {})
	return g
}

func TestFilePreviews(t *testing.T) {
	for _, c := range showing {
		t.Run(c.name, func(t *testing.T) {
			s := planted(t, c.steps).w.Snapshot()
			var sb strings.Builder
			for _, format := range []string{FormatCompact, FormatFull, FormatStats, FormatDiff} {
				sb.WriteString("# " + format + "\n" + s.Preview("agent", 1, PreviewOptions{Format: format, MaxLength: -1}))
			}
			sb.WriteString("# pending\n" + s.PendingLines("agent"))
			golden(t, filepath.Join("files", strings.ReplaceAll(c.name, " ", "_")), sb.String())
		})
	}
}

// git makes of the files what the patch of the staged changes says.
func TestFileDiffIsAPatch(t *testing.T) {
	for _, c := range showing {
		if strings.Contains(c.name, "conflict") || c.name == "source gone" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			g := planted(t, c.steps)
			patch := g.w.Snapshot().Diff("agent", 1)
			dir := t.TempDir()
			for name, s := range g.files {
				write(t, filepath.Join(dir, name), s)
			}
			if patch != "" {
				cmd := exec.Command("git", "apply", "--whitespace=nowarn", "-")
				cmd.Dir, cmd.Stdin = dir, strings.NewReader(patch)
				cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git apply: %v\n%s\n%s", err, out, patch)
				}
			}
			if res := g.do(Commit("agent", 1, "s", nil)); !res.OK() {
				t.Fatalf("%+v", res)
			}
			if got := readAll(t, dir); !maps.Equal(got, g.files) {
				t.Errorf("git made %v of it, a commit %v\n%s", got, g.files, patch)
			}
		})
	}
}

func write(t *testing.T, file, s string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(s), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readAll(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		name, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
