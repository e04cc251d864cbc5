package memory

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// alike is two workspaces whose paths read alike: a/b and a-b.
func alike(t *testing.T) (one, two place) {
	t.Helper()
	home, root := t.TempDir(), t.TempDir()
	one, two = place{home, filepath.Join(root, "a/b")}, place{home, filepath.Join(root, "a-b")}
	for _, p := range []place{one, two} {
		ok(t, os.MkdirAll(p.workspace, 0o755))
	}
	return one, two
}

func (p place) dir(t testing.TB) string {
	t.Helper()
	dir, err := WorkspaceDir(t.Context(), p.home, p.workspace)
	ok(t, err)
	return dir
}

// listed are the ids of the sessions that are listed, oldest first.
func (p place) listed(t *testing.T) []string {
	t.Helper()
	list, err := List(p.home, p.workspace)
	ok(t, err)
	var ids []string
	for _, i := range list {
		ids = append([]string{i.ID}, ids...)
	}
	return ids
}

// TestTwoWorkspacesOfOneName is U40: they share nothing.
func TestTwoWorkspacesOfOneName(t *testing.T) {
	one, two := alike(t)
	first, second := one.create(t), two.create(t)
	if filepath.Dir(first.Dir()) == filepath.Dir(second.Dir()) {
		t.Error("they share a directory")
	}
	ok(t, first.Close())
	ok(t, second.Close())
	for _, c := range []struct {
		of          place
		mine, other *Store
	}{{one, first, second}, {two, second, first}} {
		if ids := c.of.listed(t); len(ids) != 1 || ids[0] != c.mine.ID() {
			t.Errorf("listed %v, mine is %s", ids, c.mine.ID())
		}
		if _, err := Open(c.of.home, c.of.workspace, c.other.ID()); !errors.Is(err, ErrNoSession) {
			t.Errorf("opened the other's: %v", err)
		}
		if _, err := claimToolSession(t.Context(), c.of.home, c.of.workspace, "", c.mine.ID()); err != nil {
			t.Error(err)
		}
		if id, err := ToolSession(c.of.home, c.of.workspace); err != nil || id != c.mine.ID() {
			t.Errorf("tool session %s, %v", id, err)
		}
		ok(t, c.of.reopen(t, c.mine).Close())
	}
}

// shared is a directory from before there were claims, with sessions of both.
func shared(t *testing.T) (one, two place, ofOne, ofTwo string) {
	t.Helper()
	one, two = alike(t)
	first, second := one.create(t), two.create(t)
	ok(t, first.Close())
	ok(t, second.Close())
	ok(t, os.Rename(second.Dir(), filepath.Join(filepath.Dir(first.Dir()), second.ID())))
	ok(t, os.RemoveAll(filepath.Dir(second.Dir())))
	removeFile(t, filepath.Join(filepath.Dir(first.Dir()), claimFile))
	return one, two, first.ID(), second.ID()
}

func TestADirectoryOfBefore(t *testing.T) {
	one, two, ofOne, ofTwo := shared(t)
	dir := homes(one.home, one.workspace)[0]
	writeFile(t, ofTwo+"\n", dir, toolSessionFile)
	check := func(when string) {
		t.Helper()
		for _, c := range []struct {
			p  place
			id string
		}{{one, ofOne}, {two, ofTwo}} {
			if ids := c.p.listed(t); len(ids) != 1 || ids[0] != c.id {
				t.Errorf("%s: listed %v, want %s", when, ids, c.id)
			}
			s, err := Open(c.p.home, c.p.workspace, c.id)
			ok(t, err)
			ok(t, s.Close())
		}
		if id, err := ToolSession(two.home, two.workspace); err != nil || id != ofTwo {
			t.Errorf("%s: tool session of two: %q, %v", when, id, err)
		}
		if id, err := ToolSession(one.home, one.workspace); err != nil || id != "" {
			t.Errorf("%s: tool session of one: %q, %v", when, id, err)
		}
	}
	check("before")
	if got := two.dir(t); got != dir {
		t.Errorf("the first to come claims %s", got)
	}
	if got := one.dir(t); got == dir {
		t.Error("both have claimed it")
	}
	check("after")
}

func TestWhoClaims(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(t *testing.T, dir string, one, two place)
		first   bool // one gets the first directory
	}{
		"nothing there":      {func(*testing.T, string, place, place) {}, true},
		"an empty directory": {func(t *testing.T, dir string, _, _ place) { ok(t, os.MkdirAll(dir, 0o700)) }, true},
		"sessions of the other": {func(t *testing.T, dir string, _, two place) {
			ok(t, two.create(t).Close())
			removeFile(t, filepath.Join(dir, claimFile))
		}, false},
		"an old file of the other": {func(t *testing.T, dir string, _, two place) {
			ok(t, os.MkdirAll(dir, 0o700))
			writeFile(t, `{"type":"session","cwd":`+string(mustJSON(t, two.workspace))+"}\n", dir, "old.jsonl")
		}, false},
		"an old file that names nobody": {func(t *testing.T, dir string, _, _ place) {
			ok(t, os.MkdirAll(dir, 0o700))
			writeFile(t, `{"role":"user","content":"x"}`+"\n", dir, "old.jsonl")
		}, true},
		"claimed by the other": {func(t *testing.T, _ string, _, two place) { two.dir(t) }, false},
		"a claim that cannot be read": {func(t *testing.T, dir string, one, _ place) {
			one.dir(t)
			writeFile(t, `{"path":`, dir, claimFile)
		}, true},
		"a claim of a later version": {func(t *testing.T, dir string, _, two place) {
			ok(t, os.MkdirAll(dir, 0o700))
			writeFile(t, `{"version":9,"mood":"good","path":`+string(mustJSON(t, two.workspace))+`}`, dir, claimFile)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			one, two := alike(t)
			dirs := homes(one.home, one.workspace)
			c.prepare(t, dirs[0], one, two)
			want := dirs[1]
			if c.first {
				want = dirs[0]
			}
			if got := one.dir(t); got != want || one.dir(t) != got {
				t.Errorf("got %s, want %s", got, want)
			}
			if got := ownerOf(want); got != canonical(one.workspace) {
				t.Errorf("it says it is %q's", got)
			}
			fi, err := os.Stat(filepath.Join(want, claimFile))
			ok(t, err)
			if fi.Mode() != 0o600 {
				t.Errorf("mode %v", fi.Mode())
			}
		})
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	ok(t, err)
	return data
}

// TestAMovedFolder: its sessions stay with the old path until somebody adopts them,
// and whoever comes to the old path finds them.
func TestAMovedFolder(t *testing.T) {
	root := t.TempDir()
	p := place{t.TempDir(), filepath.Join(root, "a", "b")}
	ok(t, os.MkdirAll(p.workspace, 0o755))
	s := p.create(t)
	ok(t, s.Close())
	var was claim
	ok(t, json.Unmarshal([]byte(readFile(t, p.dir(t), claimFile)), &was))
	moved := place{p.home, filepath.Join(root, "a-b")}
	ok(t, os.Rename(p.workspace, moved.workspace))
	if ids := moved.listed(t); len(ids) != 0 {
		t.Errorf("taken silently: %v", ids)
	}
	if moved.dir(t) == p.dir(t) {
		t.Error("the moved folder writes into the old one's directory")
	}
	if dev, ino := identity(moved.workspace); dev != was.Device || ino != was.Inode || ino == 0 {
		t.Errorf("%+v does not say that it is the same folder: %d %d", was, dev, ino)
	}
	ok(t, os.MkdirAll(p.workspace, 0o755))
	if ids := p.listed(t); len(ids) != 1 || ids[0] != s.ID() {
		t.Errorf("at the old path: %v", ids)
	}
}

// TestClaimsAtOnce: of many that come at once one gets the directory, and all
// know which.
func TestClaimsAtOnce(t *testing.T) {
	one, two := alike(t)
	var all sync.WaitGroup
	got := make([]string, 16)
	for i := range got {
		all.Go(func() {
			p := []place{one, two}[i%2]
			got[i], _ = WorkspaceDir(t.Context(), p.home, p.workspace)
		})
	}
	all.Wait()
	for i := range got {
		if got[i] == "" || got[i] != got[i%2] {
			t.Fatalf("%v", got)
		}
	}
	if got[0] == got[1] {
		t.Error("both have the same")
	}
	if left, _ := filepath.Glob(filepath.Join(got[0], "*")); len(left) != 2 || !strings.HasSuffix(left[0], claimFile) {
		t.Errorf("left behind: %v", left)
	}
}
