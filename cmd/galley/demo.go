package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/editing"
)

// demoFlags are the flags of demo.
type demoFlags struct {
	walk   oneOf
	dir    string
	remove bool
}

func newDemoCommand() *cobra.Command {
	f := demoFlags{walk: oneOf{words: demoLetters()}}
	cmd := &cobra.Command{
		Use: "demo", Short: "Watch the whole walk on a sample project", GroupID: groupWork, Args: noArguments,
		Long: `demo copies a sample project to a temporary folder and plays three walks there: one change from the wish to the file; the
same text in three places; a nested task, whose letters are applied, rejected and moved by your own typing.

Files, tools, review and history are real; the model is the built-in offline one, and you are played. Nothing outside the
folder is touched. The folder stays, for you to look at the files and to play with them.`,
		Example: `  galley demo
  galley demo --walk b
  galley demo --dir shop-demo`,
		Annotations: map[string]string{exitNote: `  0  played
  1  an error, or something went differently than it should
  2  a wrong command line`},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.Var(&f.walk, "walk", "play only this walk")
	flags.StringVar(&f.dir, "dir", "", "play in this new or empty `folder` instead of a temporary one")
	flags.BoolVar(&f.remove, "remove", false, "remove the folder at the end")
	complete(cmd, "walk", f.walk.complete)
	return cmd
}

// demoWalk is one walk of the demo.
type demoWalk struct {
	letter string
	title  string
	watch  string // what is going to be seen
	review editing.Policy
	play   func(a *act, ctx context.Context) error
}

// demoWalks are the walks in their order.
func demoWalks() []demoWalk {
	return []demoWalk{
		{"a", "one change, from the wish to the file", featureWatch, editing.Wait, (*act).feature},
		{"b", "the same text in three places", timeoutsWatch, editing.Wait, (*act).timeouts},
		{"c", "a task inside a task, a refusal, and your own typing", retriesWatch, editing.Ask, (*act).retries},
	}
}

func demoLetters() []string {
	var letters []string
	for _, w := range demoWalks() {
		letters = append(letters, w.letter)
	}
	return letters
}

func (f *demoFlags) run(cmd *cobra.Command) error {
	if cmd.Flags().Changed(flagWorkspace) {
		return usage("name a new folder with --dir instead", "demo plays in a folder of its own, not in --workspace")
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
	p := newPage(consoleOf(cmd).out)
	if err := f.play(cmd.Context(), act{page: p, place: placeIn(folder), log: log}, orElse(f.dir, folder)); err != nil {
		return &failure{exitError, err.Error(), "the demo's files are in " + folder}
	}
	p.outro(orElse(f.dir, folder), f.remove)
	return f.tidy(folder)
}

// sampleName is the folder of the sample project; galley's own files lie beside it.
const sampleName = "shop"

func placeIn(folder string) place {
	return place{home: filepath.Join(folder, "galley-home"), workspace: filepath.Join(folder, sampleName)}
}

// play plays the walks that were asked for, each in an agent session of its own.
func (f *demoFlags) play(ctx context.Context, scene act, shown string) error {
	if err := copySample(scene.place.workspace); err != nil {
		return err
	}
	scene.intro(filepath.Join(shown, sampleName))
	for _, w := range demoWalks() {
		if f.walk.value != "" && f.walk.value != w.letter {
			continue
		}
		scene.headline(fmt.Sprintf("Walk %s: %s", w.letter, w.title))
		scene.prose(w.watch)
		a := scene
		if err := perform(ctx, &a, w); err != nil {
			return fmt.Errorf("walk %s did not go as it should: %w", w.letter, err)
		}
	}
	return nil
}

// folder makes the folder that is played in. It never takes one that holds anything.
func (f *demoFlags) folder() (string, error) {
	if f.dir == "" {
		folder, err := os.MkdirTemp("", "galley-demo-")
		if err != nil {
			return "", usage("name a folder with --dir", "make a temporary folder: %s", err)
		}
		return folder, nil
	}
	folder, err := filepath.Abs(f.dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", f.dir, err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", usage("name a folder that can be made with --dir", "make the folder: %s", err)
	}
	switch there, err := os.ReadDir(folder); {
	case err != nil:
		return "", usage("name another with --dir", "look into the folder: %s", err)
	case len(there) > 0:
		return "", usage("name a new or empty one with --dir", "%s is not empty, and the demo overwrites nothing", f.dir)
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
