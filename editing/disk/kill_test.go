//go:build unix

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// killed is the batch that is killed: of every kind of step one, and those that need an order.
const killed = "KILLED"

var killBefore = map[string]string{
	"a": "a old\n", "other": "o", "hard": strings.Repeat("old ", 1000), "gone": "gone old\n", "moved": "moved old\n",
	"plain": "plain old\n", "sub/b": "b old\n", "x": "x old\n", "freed": "freed old\n",
	"left/behind/d": "d old\n", "left/two/e": "e old\n",
}

var killAfter = map[string]string{
	"a": "a new\n", "other": "o", "hard": strings.Repeat("NEW ", 900), "deep/er/moved2": "moved new\n",
	"plain2": "plain old\n", "sub/b": "b new\n", "sub/new/n": "n new\n", "x/y": "y new\n", "freed": "freed new\n", "e": "e old\n",
}

func killSteps() []Step {
	was := func(name string) text.Hash { return hashOf(killBefore[name]) }
	is := func(name string) text.Text { return text.New(killAfter[name]) }
	return []Step{
		{Op: Create, Path: "freed", After: is("freed")},
		{Op: Create, Path: "x/y", After: is("x/y")},
		{Op: Delete, Path: "gone", Before: was("gone")},
		{Op: Delete, Path: "x", Before: was("x")},
		{Op: Replace, Path: "a", Before: was("a"), After: is("a")},
		{Op: Replace, Path: "hard", Before: was("hard"), After: is("hard")},
		{Op: Replace, Path: "sub/b", Before: was("sub/b"), After: is("sub/b")},
		{Op: Create, Path: "sub/new/n", After: is("sub/new/n")},
		{Op: Rename, Path: "moved", To: "deep/er/moved2", Before: was("moved"), After: is("deep/er/moved2"), Edited: true},
		{Op: Rename, Path: "plain", To: "plain2", Before: was("plain")},
		{Op: Delete, Path: "freed", Before: was("freed")},
		{Op: Delete, Path: "left/behind/d", Before: was("left/behind/d"), Folders: []string{"left/behind", "left"}},
		{Op: Rename, Path: "left/two/e", To: "e", Before: was("left/two/e"), Folders: []string{"left/two", "left"}},
	}
}

func killWorkspace(t *testing.T) string {
	t.Helper()
	dir := workspace(t, killBefore)
	if err := os.Link(filepath.Join(dir, "hard"), filepath.Join(t.TempDir(), "hard2")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestKillChild is the process that is killed; by itself it does nothing.
func TestKillChild(t *testing.T) {
	dir := os.Getenv("GALLEY_TEST_DIR")
	if dir == "" {
		return // started by hand, not by another test
	}
	if os.Getenv("GALLEY_TEST_PLAIN") != "" {
		withoutExchange(t)
	}
	last, _ := strconv.Atoi(os.Getenv("GALLEY_TEST_AT"))
	fails, _ := strconv.Atoi(os.Getenv("GALLEY_TEST_FAILS"))
	n := 0
	Point = func(name string) error {
		switch n++; n {
		case last:
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		case fails:
			return syscall.EIO
		}
		fmt.Println("point:", name)
		return nil
	}
	if os.Getenv("GALLEY_TEST_BACK") != "" { // it goes on where another one was killed
		parts := killParts(t, killWorkspace(t))
		n = 0
		if _, err := open(t, dir).TakeBack(t.Context(), "", killed, parts); err != nil {
			t.Fatal(err)
		}
		return
	}
	b, err := open(t, dir).Prepare(killed, killSteps())
	if err != nil {
		t.Fatal(err)
	}
	aborting := func() error { return os.WriteFile(abortingIn(dir), nil, 0o600) }
	if err := b.Commit(t.Context(), filepath.Join(filepath.Dir(dir), "write.lock"), aborting); err != nil && fails == 0 {
		t.Fatal(err)
	}
}

// abortingIn is where the child says that it takes its batch back.
func abortingIn(dir string) string { return dir + ".aborting" }

// withoutExchange makes the system one that cannot exchange files.
func withoutExchange(t *testing.T) {
	t.Helper()
	was, wasNew := exchange, renameNew
	t.Cleanup(func() { exchange, renameNew = was, wasNew })
	exchange = func(*folder, string, *folder, string) error { return errors.ErrUnsupported }
	renameNew = exchange
}

// child runs one test of this program in another process.
func child(t *testing.T, name string, env ...string) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+name+"$", "-test.count=1", "-test.v") // which says why it skips
	c.Env = append(append(os.Environ(), "TMPDIR="+t.TempDir()), env...)                                   // what a killed process leaves
	out, err := c.CombinedOutput()
	return string(out), err
}

// TestKilledAtEveryPoint kills a batch, and looks at what is left: U8, U65 and U66.
func TestKilledAtEveryPoint(t *testing.T) {
	for _, plain := range []string{"", "1"} {
		for at := 1; ; at++ { // without exchange, a share
			if plain != "" && at > 1 {
				at += every(t, 5) - 1
			}
			dir := killWorkspace(t)
			parts := killParts(t, dir)
			out, err := child(t, "TestKillChild", "GALLEY_TEST_DIR="+dir, "GALLEY_TEST_PLAIN="+plain, "GALLEY_TEST_AT="+strconv.Itoa(at))
			if err == nil {
				if got := tree(t, dir); !maps.Equal(got, killAfter) || plain == "" && at < 30 {
					t.Fatalf("without a kill, after %d: %v", at, got)
				}
				break
			}
			if !strings.Contains(err.Error(), "killed") {
				t.Fatalf("%v: %s", err, out)
			}
			afterKill(t, dir, parts, at)
			if t.Failed() {
				t.Fatalf("killed at point %d, without exchange: %q", at, plain)
			}
		}
	}
}

// TestKilledTakingBack lets a batch fail at each of its points, and kills it at each point from there on. Where it had
// said that it takes back what it did, all is as before in the end; else it is finished.
func TestKilledTakingBack(t *testing.T) {
	for _, plain := range []string{"", "1"} {
		r := rand.New(rand.NewPCG(1, 0))
		in := func(dir string, fails, at int, more ...string) []string {
			return append(more, "GALLEY_TEST_DIR="+dir, "GALLEY_TEST_PLAIN="+plain, fmt.Sprint("GALLEY_TEST_FAILS=", fails), fmt.Sprint("GALLEY_TEST_AT=", at))
		}
		out, err := child(t, "TestKillChild", in(killWorkspace(t), 0, 0)...)
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		points := regexp.MustCompile(`(?m)^point: (.*)$`).FindAllStringSubmatch(out, -1)
		kills := 0
		for fails := 1; fails <= len(points); fails += 1 + r.IntN(every(t, 10)) {
			if !slices.Contains(acts, points[fails-1][1]) {
				continue // nothing is taken back
			}
			for at := fails + 1; ; at += 1 + r.IntN(every(t, 10)) {
				dir := killWorkspace(t)
				parts := killParts(t, dir)
				out, err := child(t, "TestKillChild", in(dir, fails, at)...)
				if err != nil && !strings.Contains(err.Error(), "killed") {
					t.Fatalf("%v: %s", err, out)
				}
				_, took := os.Stat(abortingIn(dir))
				switch {
				case err == nil:
					if got := tree(t, dir); !maps.Equal(got, killBefore) {
						t.Errorf("without a kill: %v", got)
					}
					noTraces(t, dir)
				case took != nil:
					afterKill(t, dir, parts, at)
				default:
					if r.IntN(2) == 0 {
						_, _ = child(t, "TestKillChild", in(dir, 0, 1+r.IntN(8), "GALLEY_TEST_BACK=1")...)
					}
					takenBack(t, dir, parts)
					kills++
				}
				if t.Failed() {
					t.Fatalf("failed at point %d (%s), killed at point %d, without exchange: %q", fails, points[fails-1][1], at, plain)
				}
				if err == nil {
					break
				}
			}
		}
		t.Logf("%d kills while a batch was taken back, without exchange: %q", kills, plain)
		if kills == 0 {
			t.Error("nothing was killed")
		}
	}
}

// Between the kill and the start another galley may sweep in the folder.
func TestTakeBackAfterSweep(t *testing.T) {
	dir := workspace(t, map[string]string{"a/gone": "gone\n", "b": "b"})
	b := prepared(t, open(t, dir), deleteStep("a/gone", "gone\n"))
	parts := b.Parts()
	b.Discard()
	if err := os.Remove(filepath.Join(dir, "a/gone")); err != nil {
		t.Fatal(err)
	}
	found, err := open(t, dir).TakeBack(t.Context(), "", "ID", parts)
	if got := tree(t, dir); err != nil || found[0] != Undone || got["a/gone"] != "gone\n" {
		t.Errorf("found %v, %v: %v", found, err, got)
	}
}

// acts are the points at which a batch changes what people look at.
var acts = []string{"exchange", "move", "create", "mkdir", "write in place", "write in place, half", "truncate", "sync in place"}

// takenBack goes on with taking back, twice.
func takenBack(t *testing.T, dir string, parts []Part) {
	t.Helper()
	for range 2 {
		found, err := open(t, dir).TakeBack(t.Context(), "", killed, parts)
		if err != nil || slices.ContainsFunc(found, func(s Standing) bool { return s != Undone }) {
			t.Errorf("found %v, %v", found, err)
		}
		if got := tree(t, dir); !maps.Equal(got, killBefore) {
			t.Errorf("after taking back: %.999v", got)
		}
		noTraces(t, dir)
	}
}

func killParts(t *testing.T, dir string) []Part {
	t.Helper()
	b := prepared(t, open(t, dir), killSteps()...)
	defer b.Discard()
	return b.Parts()
}

// afterKill looks at every file, and finishes what was begun.
func afterKill(t *testing.T, dir string, parts []Part, at int) {
	t.Helper()
	r := open(t, dir)
	for name, content := range tree(t, dir) {
		if name != "hard" && content != killBefore[name] && content != killAfter[name] && name != "deep/er/moved2" {
			t.Errorf("%s holds %q", name, content)
		}
	}
	if at%2 == 0 { // what was left behind goes with the next batch in its folder, too
		sweepBy(t, r)
		noLeftovers(t, dir)
		noLeftovers(t, filepath.Join(dir, "sub"))
	}
	found, err := r.Recover(t.Context(), "", killed, parts)
	if err != nil {
		t.Fatal(err)
	}
	noTraces(t, dir)
	if slices.Contains(found, Other) {
		t.Errorf("found %v", found)
	}
	if rest := remaining(parts, found); len(rest) > 0 {
		if err := commit(t, r, rest...); err != nil {
			t.Errorf("found %v: %v", found, err)
		}
	}
	if got := tree(t, dir); !maps.Equal(got, killAfter) {
		t.Errorf("found %v; in the end: %.999v", found, got)
	}
	noTraces(t, dir)
}

// remaining are the steps that finish a batch, given how far each came.
func remaining(parts []Part, standings []Standing) []Step {
	var out []Step
	for i, p := range parts {
		switch standings[i] {
		case Undone:
			out = append(out, p.Step)
		case Moved:
			out = append(out, Step{Op: Replace, Path: p.To, Before: p.Before, After: p.After})
		}
	}
	return out
}

func sweepBy(t *testing.T, r *Roots) {
	t.Helper()
	steps := []Step{{Op: Create, Path: "sub/z", After: text.New("z")}, {Op: Replace, Path: "other", Before: hashOf("o"), After: text.New("o2")}}
	if err := commit(t, r, steps...); err != nil {
		t.Fatal(err)
	}
	back := []Step{{Op: Delete, Path: "sub/z", Before: hashOf("z")}, {Op: Replace, Path: "other", Before: hashOf("o2"), After: text.New("o")}}
	if err := commit(t, r, back...); err != nil {
		t.Fatal(err)
	}
}

func commit(t *testing.T, r *Roots, steps ...Step) error {
	t.Helper()
	b, err := r.Prepare("", steps)
	if err != nil {
		return err
	}
	return b.Commit(t.Context(), "", nil)
}

// tree is all that stands below a folder, but for temporary files.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	walkTree(t, dir, func(rel string, d fs.DirEntry) {
		if d.Type().IsRegular() && !strings.HasPrefix(d.Name(), tempPrefix) {
			out[rel] = content(t, dir, rel)
		}
	})
	return out
}

// noTraces finds temporary files and empty folders.
func noTraces(t *testing.T, dir string) {
	t.Helper()
	walkTree(t, dir, func(rel string, d fs.DirEntry) {
		if strings.HasPrefix(d.Name(), tempPrefix) {
			t.Errorf("%s was left behind", rel)
		}
		if d.IsDir() {
			if in, err := os.ReadDir(filepath.Join(dir, rel)); err != nil || len(in) == 0 {
				t.Errorf("the folder %s is empty, %v", rel, err)
			}
		}
	})
}

func walkTree(t *testing.T, dir string, each func(rel string, d fs.DirEntry)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != dir {
			rel, _ := filepath.Rel(dir, path)
			each(rel, d)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
