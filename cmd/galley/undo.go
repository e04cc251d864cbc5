package main

import (
	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/lsp/dial"
)

func newUndoCommand() *cobra.Command {
	u := review.Undo{}
	cmd := &cobra.Command{
		Use: "undo [NAME]", Short: "Take a decision back", GroupID: cli.GroupWork,
		Long: `undo takes back the latest decision of this workspace that still stands: an apply, a reject, a commit or a revert, made here
or in an editor. Its letters wait again; what was written comes out of the files where it stands as it was written, and what
you have changed since stays. An undo is not undone: decide anew. What an agent wrote to its memory is taken back by the name
that galley memory log tells.

On a terminal it asks where the decision was not made at one, or is older than an hour. Without a terminal say --last, or name
the decision as --list shows it.`,
		Example: `  galley undo
  galley undo --list
  galley undo --last --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.NoArguments(cmd, args[1:])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				u.Name = args[0]
			}
			if err := u.Check(); err != nil {
				return err
			}
			p, log, err := cli.Ready(cmd)
			if err != nil {
				return err
			}
			p.Introduce(cli.ConsoleOf(cmd).Err)
			u.Console, u.Workspace, u.Galley = cli.ConsoleOf(cmd), p.Workspace, p.Command
			u.Connect = func(stays bool) (*dial.Conn, error) { return cli.Connect(cmd, p, log, stays) }
			return u.Run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&u.Last, "last", false, "take the latest back, unasked")
	flags.BoolVar(&u.List, "list", false, "list the decisions within reach, the newest first: the last 200 of the last 7 days")
	flags.BoolVar(&u.JSON, "json", false, "as one line of JSON; asks nothing")
	return cmd
}
