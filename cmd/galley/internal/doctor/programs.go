package doctor

import (
	"context"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// programPatience is how long a program may think about its version.
const programPatience = 5 * time.Second

// knownProgram is one that galley works with.
type knownProgram struct {
	name    string // of the command
	called  string
	least   [2]int // version, as far as it matters
	chapter string // of docs/editors.md, "": none
}

var editorPrograms = []knownProgram{
	{"nvim", "Neovim", [2]int{0, 10}, "Neovim"},
	{"hx", "Helix", [2]int{25, 7}, "Helix"},
	{"emacs", "Emacs", [2]int{29, 0}, "Emacs"},
	{"code", "VS Code", [2]int{}, "VS Code"},
	{"code-insiders", "VS Code Insiders", [2]int{}, "VS Code"},
	{"codium", "VSCodium", [2]int{}, "VS Code"},
}

// docsPage is where the pages of the documentation are read.
const docsPage = "https://github.com/galley-ls/galley/blob/main/docs/"

// program says which galley this is: reports about it should.
func (d *doctor) program(context.Context) {
	d.good("version %s (%s, %s/%s)", d.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// programs looks for git and for editors.
func (d *doctor) programs(ctx context.Context) {
	all := append([]knownProgram{{name: "git", called: "git"}}, editorPrograms...)
	versions := versionsOf(ctx, all)
	if versions[0] == "" {
		d.look("install it: https://git-scm.com", "git is not on your PATH; galley works without, but nothing can bring a file back that you changed by mistake")
	} else {
		d.good("git %s", versions[0])
	}
	var chapters []string
	for i, p := range all[1:] {
		if v := versions[i+1]; v != "" {
			d.editor(p, v)
			chapters = append(chapters, p.chapter)
		}
	}
	if len(chapters) == 0 {
		d.good("no editor on your PATH that galley knows; the terminal is enough, and any editor that speaks LSP will do: %seditors.md", docsPage)
		return
	}
	d.good("how to use galley there: %seditors.md (%s)", docsPage, strings.Join(slices.Compact(chapters), ", "))
}

func (d *doctor) editor(p knownProgram, version string) {
	if older(version, p.least) {
		d.look("install a newer one", "%s %s is older than %d.%d, the first that galley was tried with", p.called, version, p.least[0], p.least[1])
		return
	}
	d.good("%s %s", p.called, version)
}

// versionsOf asks all programs at the same time. A program that is not there has none; one that does not tell is "?".
func versionsOf(ctx context.Context, all []knownProgram) []string {
	versions := make([]string, len(all))
	var wait sync.WaitGroup
	for i, p := range all {
		wait.Go(func() { versions[i] = versionOf(ctx, p.name) })
	}
	wait.Wait()
	return versions
}

var versionNumber = regexp.MustCompile(`\d+\.\d+(?:\.\d+)*`)

func versionOf(ctx context.Context, name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, programPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second // for children that keep the pipe
	out, err := cmd.Output()
	if found := versionNumber.Find(out); found != nil && err == nil {
		return string(found)
	}
	return "?"
}

// older compares the first two numbers of a version. One that is not known is not older.
func older(version string, least [2]int) bool {
	parts := strings.Split(version, ".")
	for i, want := range least {
		if i >= len(parts) {
			return false
		}
		n, err := strconv.Atoi(parts[i])
		if err != nil || n > want {
			return false
		}
		if n < want {
			return true
		}
	}
	return false
}
