package setup

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFolderOf(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	for _, dir := range []string{
		".git", ".galley", "plain/sub", "repo/.git", "repo/sub/sub", "repo/inner/.galley", "repo/inner/sub", "settings/.galley", "settings/sub", "tree/sub",
	} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "tree", ".git"), []byte("gitdir: elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "repo", "sub"), filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	for start, want := range map[string]string{
		"": "", "plain": "plain", "plain/sub": "plain/sub",
		"repo": "repo", "repo/sub/sub": "repo", "repo/inner/sub": "repo/inner",
		"settings/sub": "settings", "tree/sub": "tree", "link": "repo", "link/sub": "repo",
	} {
		if got := FolderOf(filepath.Join(home, start)); got != filepath.Join(home, want) {
			t.Errorf("%s is worked in as %s, want %s", start, got, want)
		}
	}
	if got := FolderOf("/"); got != "/" {
		t.Errorf("the root is worked in as %s", got)
	}
}

// What an editor trusts is not what lies above it.
func TestTrustCovers(t *testing.T) {
	for _, c := range []struct {
		root, workspace string
		want            bool
	}{
		{"/w", "/w", true}, {"/", "/w", true}, {"/w", "/w/sub", true}, {"/w/sub", "/w", false}, {"/other", "/w", false}, {"", "/w", false},
	} {
		if got := covers(c.root, c.workspace); got != c.want {
			t.Errorf("trust in %q for %q is %v", c.root, c.workspace, got)
		}
	}
}
