package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/testdata"
)

// demoFlags are the flags of demo.
type demoFlags struct {
	walk   oneOf
	dir    string
	remove bool
}

// demoWalks are the walks by name, the one that is played without a name first.
var demoWalks = []string{"decide", "places", "typing", "tasks"}

func newDemoCommand() *cobra.Command {
	f := demoFlags{walk: oneOf{words: demoWalks}}
	cmd := &cobra.Command{
		Use: "demo", Short: "Watch an agent edit a sample project, and decide about its edits", GroupID: groupWork, Args: noArguments,
		Long: `demo copies a sample project to a temporary folder and lets an agent edit it. You decide about its edits; without a terminal
your part is played, too. Files, edits and review are real; what the agent says is written in a script, and no language
model is asked. Nothing outside the folder is touched. The folder stays, for you to look at the files and to play with them.

The walks:

  decide   two edits, of which you take or refuse each (the usual walk)
  places   a text that is in the file three times: the agent asks which one is meant
  typing   you type into a file while edits to it wait
  tasks    a task inside a task, and two commits`,
		Example: `  galley demo
  galley demo --walk typing
  galley demo --dir shop-demo`,
		Annotations: map[string]string{exitNote: `  0  played
  1  an error, or something went differently than it should
  2  a wrong command line`},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.Var(&f.walk, "walk", "play this walk")
	flags.StringVar(&f.dir, "dir", "", "play in this new or empty `folder` instead of a temporary one")
	flags.BoolVar(&f.remove, "remove", false, "remove the folder at the end")
	complete(cmd, "walk", f.walk.complete)
	return cmd
}

func (f *demoFlags) run(cmd *cobra.Command) error {
	if cmd.Flags().Changed(flagWorkspace) {
		return term.Usage("name a new folder with --dir instead", "demo plays in a folder of its own, not in --workspace")
	}
	only, err := onlyLog(cmd)
	if err != nil {
		return err
	}
	log, done, err := openLog(cmd, only)
	if err != nil {
		return err
	}
	defer done()
	folder, err := f.folder()
	if err != nil {
		return err
	}
	g := newStage(consoleOf(cmd), folder, f)
	g.log = log
	if err := f.play(cmd.Context(), g); err != nil {
		return &term.Failure{Code: term.ExitError, What: err.Error(), Next: "the demo's files are in " + folder}
	}
	return f.tidy(folder)
}

// newStage prepares what a walk needs. On a terminal the person is asked, elsewhere they are played.
func newStage(c term.Console, folder string, f *demoFlags) *stage {
	g := &stage{c: pageOf(c), log: zap.NewNop(), values: f.values(folder)}
	g.home, g.workspace = filepath.Join(folder, "galley-home"), filepath.Join(folder, sampleName)
	if c.Interactive() {
		g.typed = term.NewKeyboard(c.In)
	}
	g.holds = map[string]bool{"typed": g.typed != nil, "played": g.typed == nil, "kept": !f.remove, "removed": f.remove}
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
func (f *demoFlags) play(ctx context.Context, g *stage) error {
	if err := copySample(g.workspace); err != nil {
		return err
	}
	var whole demoScript
	for _, name := range []string{"begin", cmp.Or(f.walk.value, demoWalks[0]), "end"} {
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
func (f *demoFlags) folder() (string, error) {
	if f.dir == "" {
		folder, err := os.MkdirTemp("", "galley-demo-")
		if err != nil {
			return "", term.Usage("name a folder with --dir", "make a temporary folder: %s", err)
		}
		return folder, nil
	}
	folder, err := filepath.Abs(f.dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", f.dir, err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", term.Usage("name a folder that can be made with --dir", "make the folder: %s", err)
	}
	switch there, err := os.ReadDir(folder); {
	case err != nil:
		return "", term.Usage("name another with --dir", "look into the folder: %s", err)
	case len(there) > 0:
		return "", term.Usage("name a new or empty one with --dir", "%s is not empty, and the demo overwrites nothing", f.dir)
	}
	return folder, nil
}

func (f *demoFlags) tidy(folder string) error {
	if !f.remove {
		return nil
	}
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove the demo's folder: %w", err)
	}
	return nil
}

// values are what scripts name in braces.
func (f *demoFlags) values(folder string) *strings.Replacer {
	shown := cmp.Or(f.dir, folder)
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
