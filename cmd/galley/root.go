package main

import (
	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/sessions"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// commands is the one table of all commands.
func commands() []*cobra.Command {
	return []*cobra.Command{
		newRunCommand(),
		newReviewCommand(),
		newUndoCommand(),
		newServeCommand(),
		newHostCommand(),
		newDemoCommand(),
		newToolCommand(),
		sessions.Session(),
		sessions.Context(),
		sessions.Memory(),
		newConfigCommand(),
		newTrustCommand(),
		newDoctorCommand(),
		newVersionCommand(),
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "galley",
		Short: "Let an agent edit your files, and read the proofs before they are printed",
		Long: `galley runs an agent whose edits are proofs: each one is staged under a letter, A to Z, shown where it would go, and
written only when you say so. Your files stay as they are until then.`,
		Example: `  galley demo
  galley run 'replace "timeout: 30" with "timeout: 60" in config.yaml'
  galley review
  galley review --apply A,C --reject B --reason "keep the old name"`,
		Args: cli.UnknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SilenceErrors: true, SilenceUsage: true, SuggestionsMinimumDistance: 2,
	}
	cobra.EnableCommandSorting = false // the table's order is the order of the help
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.StringP(cli.FlagWorkspace, "C", "", "work in this `folder` instead of the current one")
	flags.StringArray(cli.FlagSet, nil, "for this once set `KEY=VALUE`; galley config show lists the keys")
	flags.Bool(cli.FlagNoColor, false, "no colours, as with NO_COLOR in the environment")
	flags.String(cli.FlagLog, "", "write what happens to this `file`, a JSON object a line (log.file)")
	flags.BoolP("help", "h", false, "help for a command")

	root.AddGroup(
		&cobra.Group{ID: cli.GroupWork, Title: "Work"},
		&cobra.Group{ID: cli.GroupScripts, Title: "For scripts and other agents"},
		&cobra.Group{ID: cli.GroupMore, Title: "More"},
	)
	root.SetHelpCommandGroupID(cli.GroupMore)
	root.SetCompletionCommandGroupID(cli.GroupMore)
	for _, cmd := range commands() {
		cmd.Flags().SortFlags = false // the order that explains them
		root.AddCommand(cmd)
	}
	root.SetHelpFunc(cli.Help)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return cli.Swallowed(cmd.Flags()) }
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return term.Usage(cli.SeeHelp(cmd), "%s", err) })
	cli.CompleteFolder(root)
	cli.Complete(root, cli.FlagSet, cli.CompleteSet)
	return root
}
