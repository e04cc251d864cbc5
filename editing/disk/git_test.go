package disk

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// realGit runs git in folders of its own home, where nothing but the test says how.
type realGit struct {
	t   *testing.T
	top string
}

func newRealGit(t *testing.T, files map[string]string) *realGit {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatalf("git is not installed, and listings are compared with it: %v", err)
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "xdg"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	g := &realGit{t, workspace(t, files)}
	g.git("init", "-q", "-b", "main")
	return g
}

func (g *realGit) git(words ...string) string {
	g.t.Helper()
	cmd := exec.Command("git", words...)
	cmd.Dir = g.top
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		g.t.Fatalf("git %q: %v: %s", words, err, failed.Stderr)
	} else if err != nil {
		g.t.Fatal(err)
	}
	return string(out)
}

// write writes a file of rules; without any it goes.
func (g *realGit) write(path, content string) {
	g.t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil && content == "" {
		err = os.RemoveAll(path)
	} else if err == nil {
		err = os.WriteFile(path, []byte(content), 0o644)
	}
	if err != nil {
		g.t.Fatal(err)
	}
}

// listed are the files that git lists for an editor.
func (g *realGit) listed() []string {
	names := strings.Split(strings.TrimSuffix(g.git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"), "\x00"), "\x00")
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	slices.Sort(names)
	return names
}

func (g *realGit) same(why string) {
	g.t.Helper()
	got, _, err := open(g.t, g.top).List("")
	if want := g.listed(); err != nil || !slices.Equal(got, want) {
		g.t.Errorf("%s: %v\nlisted %q\ngit    %q", why, err, got, want)
	}
}

// TestU39TrackedFilesAreListed has what git tracks under rules that close it, and rules in all the places that git reads.
func TestU39TrackedFilesAreListed(t *testing.T) {
	g := newRealGit(t, map[string]string{
		".gitignore": "*.log\nbuild/\n", "kept.log": "", "lost.log": "", "build/kept.txt": "", "build/deep/er/kept.txt": "", "build/lost.txt": "",
		"a.swp": "", "b.swp": "", "a.mine": "", "b.other": "", "sub/.gitignore": "!x.log\n*.mine\n", "sub/x.log": "", "sub/y.mine": "", "sub/z.mine": "",
	})
	g.git("add", "-f", "kept.log", "build/kept.txt", "build/deep/er/kept.txt", "b.swp", "sub/z.mine")
	home, xdg := os.Getenv("HOME"), os.Getenv("XDG_CONFIG_HOME")
	g.same("without global excludes")
	g.write(filepath.Join(xdg, "git", "ignore"), "*.swp\n")
	g.same("the file of the configuration folder")
	g.write(filepath.Join(home, "my ignores"), "*.other\n!a.mine\n")
	g.write(filepath.Join(home, ".gitconfig"), "[user]\n\tname = x\n[core]\n\texcludesFile = \"~/my ignores\" # mine\n")
	g.same("core.excludesFile")
	g.write(filepath.Join(g.top, ".git", "info", "exclude"), "*.mine\na.*\n")
	g.same("info/exclude")
	g.write(filepath.Join(home, ".gitconfig"), "[include]\n\tpath = more.conf\n")
	g.write(filepath.Join(home, "more.conf"), "[CORE] ; x\nExcludesFile=\\\n~/\"my ignores\"\n")
	g.same("an included file")
	g.write(filepath.Join(home, "third"), "b.*\n")
	g.git("config", "core.excludesFile", filepath.Join(home, "third"))
	g.same("the repository's own core.excludesFile")
	for _, version := range []string{"2", "3", "4"} {
		g.git("update-index", "--index-version", version)
		g.same("an index of version " + version)
	}
	g.git("update-index", "--split-index")
	g.git("add", "-f", "build/lost.txt")
	g.same("an index in two files")
}

// In a worktree and in a submodule .git is a file.
func TestU39Worktrees(t *testing.T) {
	g := newRealGit(t, map[string]string{".gitignore": "*.log\n", "kept.log": "", "a.txt": ""})
	g.git("add", "-f", ".")
	g.git("-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "-m", "x")
	g.write(filepath.Join(g.top, ".git", "info", "exclude"), "*.tmp\n")
	tree := &realGit{t, filepath.Join(t.TempDir(), "tree")}
	g.git("worktree", "add", "-q", tree.top)
	for _, name := range []string{"lost.log", "lost.tmp", "b.txt"} {
		tree.write(filepath.Join(tree.top, name), "x")
	}
	tree.same("a worktree")
	// one in the other, as another one's folder: git does not look into it, and we list it by its own rules
	inner := &realGit{t, filepath.Join(g.top, "inner")}
	g.write(filepath.Join(inner.top, "x.tmp"), "x")
	g.write(filepath.Join(inner.top, "x.log"), "x")
	inner.git("init", "-q")
	got, _, err := open(t, g.top).List("")
	if want := []string{".gitignore", "a.txt", "inner/x.log", "inner/x.tmp", "kept.log"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("with a repository in it: %q, %v, want %q", got, err, want)
	}
}

// TestU39AsGitDoesIt compares random rules in all places with git.
func TestU39AsGitDoesIt(t *testing.T) {
	files := map[string]string{}
	names := []string{"a", "b", "ab", "a.o", "b.o", "a b", "[a]", "!a", "#a", "A.o", "ab.c.o", "{a}", "-", "é", "a*", "a?"}
	for _, dir := range []string{"", "d/", "d/e/", "f/", "d/a.d/", "f/a.o.d/"} {
		for _, name := range names {
			files[dir+name] = ""
		}
	}
	g := newRealGit(t, files)
	g.git("add", "-f", "a.o", "d/ab", "d/e/b", "f/a.o.d/a", "f/A.o")
	rounds, seed := 60, uint64(1)
	if long() {
		rounds, seed = 3000, rand.Uint64()
	}
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	pieces := []string{"a", "b", "*", "**", "/", "?", "[ab]", "[!a]", "[^b]", "[a-b]", "[[:alpha:]]", "[]a]", `\`, " ", ".o", ".", "d", "e", "f", "!", "#", "{a,b}", "é", "-", "[", "]", "*.o", "a.d", "**/", "/**", `\ `, "\t"}
	for range rounds {
		rules := map[string]string{}
		for _, place := range []string{".gitignore", "d/.gitignore", "d/e/.gitignore", ".git/info/exclude"} {
			var lines strings.Builder
			for range rnd.IntN(4) {
				for _, prefix := range []string{"!", "/"} {
					if rnd.IntN(5) == 0 {
						lines.WriteString(prefix)
					}
				}
				for range 1 + rnd.IntN(4) {
					lines.WriteString(pieces[rnd.IntN(len(pieces))])
				}
				lines.WriteString([]string{"\n", "/\n", "  \n", "\r\n"}[rnd.IntN(4)])
			}
			rules[place] = lines.String()
			g.write(filepath.Join(g.top, place), lines.String())
		}
		if g.same("seed"); t.Failed() {
			t.Fatalf("with the rules %q", rules)
		}
	}
}
