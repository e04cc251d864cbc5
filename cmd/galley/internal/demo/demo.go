package demo

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/testdata"
)

// Config is what is played, where and how.
type Config struct {
	Console term.Console
	Log     *zap.Logger
	Walk    string // "": the first
	Dir     string // "": a temporary folder
	Remove  bool   // the folder is removed at the end
}

// Walks are the walks by name, the one that is played without a name first.
func Walks() []string { return []string{"decide", "places", "typing", "tasks"} }

// Run plays a walk.
func (f Config) Run(ctx context.Context) error {
	folder, err := f.folder()
	if err != nil {
		return err
	}
	if err := f.play(ctx, newStage(f, folder)); err != nil {
		return &term.Failure{Code: term.ExitError, What: err.Error(), Next: "the demo's files are in " + folder}
	}
	return f.tidy(folder)
}

// newStage prepares what a walk needs. On a terminal the person is asked, elsewhere they are played.
func newStage(f Config, folder string) *stage {
	g := &stage{c: pageOf(f.Console), log: f.Log, values: f.values(folder)}
	g.home, g.workspace = filepath.Join(folder, "galley-home"), filepath.Join(folder, sampleName)
	if f.Console.Interactive() {
		g.typed = term.NewKeyboard(f.Console.In)
	}
	g.holds = map[string]bool{"typed": g.typed != nil, "played": g.typed == nil, "kept": !f.Remove, "removed": f.Remove}
	return g
}

// pageOf is a console for reading: everything on one stream, and not too wide.
func pageOf(c term.Console) term.Console {
	const widest = 96
	out := c.Out.Now()
	out.Size = nil
	if out.Width == 0 || out.Width > widest {
		out.Width = widest
	}
	return term.Console{In: c.In, InIsTerm: c.InIsTerm, Out: out, Err: out}
}

// sampleName is the folder of the sample project; galley's own files lie beside it.
const sampleName = "shop"

// play copies the sample project and plays the walk, between a beginning and an end that all walks share.
func (f Config) play(ctx context.Context, g *stage) error {
	if err := copySample(g.workspace); err != nil {
		return err
	}
	var whole walk
	for _, name := range []string{"begin", cmp.Or(f.Walk, Walks()[0]), "end"} {
		script, err := readWalk(name)
		if err != nil {
			return err
		}
		whole = append(whole, script...)
	}
	return g.perform(ctx, whole)
}

// copySample writes the sample project that the program carries into a folder, byte for byte.
func copySample(folder string) error {
	files, err := fs.Sub(testdata.Demo, "demo")
	if err == nil {
		err = os.CopyFS(folder, files)
	}
	if err != nil {
		return fmt.Errorf("copy the sample project: %w", err)
	}
	return nil
}

// folder makes the folder that is played in. It never takes one that holds anything.
func (f Config) folder() (string, error) {
	if f.Dir == "" {
		folder, err := os.MkdirTemp("", "galley-demo-")
		if err != nil {
			return "", term.Usage("name a folder with --dir", "make a temporary folder: %s", err)
		}
		return folder, nil
	}
	folder, err := filepath.Abs(f.Dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", f.Dir, err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", term.Usage("name a folder that can be made with --dir", "make the folder: %s", err)
	}
	switch there, err := os.ReadDir(folder); {
	case err != nil:
		return "", term.Usage("name another with --dir", "look into the folder: %s", err)
	case len(there) > 0:
		return "", term.Usage("name a new or empty one with --dir", "%s is not empty, and the demo overwrites nothing", f.Dir)
	}
	return folder, nil
}

func (f Config) tidy(folder string) error {
	if !f.Remove {
		return nil
	}
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove the demo's folder: %w", err)
	}
	return nil
}

// values are what scripts name in braces.
func (f Config) values(folder string) *strings.Replacer {
	shown := cmp.Or(f.Dir, folder)
	shop := filepath.Join(shown, sampleName)
	return strings.NewReplacer("{shop}", term.ShellWord(shop), "{galley}", programName(), "{remove}", removal(shown))
}

// programName is what a person has to type to run this program.
func programName() string {
	const name = "galley"
	if _, err := exec.LookPath(name); err == nil {
		return name
	}
	path, err := os.Executable()
	if err != nil {
		return name
	}
	return term.ShellWord(path)
}

// removal is the command that removes the folder, from within the sample project.
func removal(folder string) string {
	back, err := filepath.Rel(filepath.Join(folder, sampleName), ".")
	if err != nil { // an absolute folder means the same everywhere
		return "rm -r " + term.ShellWord(folder)
	}
	return "cd " + term.ShellWord(back) + " && rm -r " + term.ShellWord(folder)
}
