package main

import (
	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/galley-ls/galley/cmd/galley/internal/demo"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

func newDemoCommand() *cobra.Command {
	f := demo.Config{}
	walk := cli.OneOf{Words: demo.Walks()}
	cmd := &cobra.Command{
		Use: "demo", Short: "Watch an agent edit a sample project, and decide about its edits", GroupID: cli.GroupWork, Args: cli.NoArguments,
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.Walk = walk.Value
			return playDemo(cmd, f)
		},
	}
	flags := cmd.Flags()
	flags.Var(&walk, "walk", "play this walk")
	flags.StringVar(&f.Dir, "dir", "", "play in this new or empty `folder` instead of a temporary one")
	flags.BoolVar(&f.Remove, "remove", false, "remove the folder at the end")
	cli.Complete(cmd, "walk", walk.Complete)
	return cmd
}

// playDemo takes no settings but those of the log: the demo shall look the same for everybody.
func playDemo(cmd *cobra.Command, f demo.Config) error {
	if cmd.Flags().Changed(cli.FlagWorkspace) {
		return term.Usage("name a new folder with --dir instead", "demo plays in a folder of its own, not in --workspace")
	}
	only, err := cli.OnlyLog(cmd)
	if err != nil {
		return err
	}
	log, err := cli.OpenLog(cmd, only)
	if err != nil {
		return err
	}
	f.Console, f.Log = cli.ConsoleOf(cmd), log
	return f.Run(cmd.Context())
}
