package main

import (
	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
)

func newTrustCommand() *cobra.Command {
	f := setup.TrustCommand{}
	cmd := &cobra.Command{
		Use: "trust", Short: "Let the settings of this workspace choose the model and run commands", GroupID: cli.GroupMore,
		Long: `trust shows what the settings of the workspace, .galley/config.yaml, ask for that could cost or harm you, and allows it after
your yes: who is asked and with which key, commands of the agent, what it may read, its system prompt and the texts of its
tools (.galley/prompts), commits without a review, and where the log is written.

Without it these are passed over, and everything else in the file holds. Trust is in the files as they are: when one of
them changes, it must be given again. It is kept in trusted.json beside your own settings.`,
		Example: `  galley trust
  galley trust --yes
  galley trust --list
  galley trust --revoke`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.Run(cmd.Context(), cli.ConsoleOf(cmd), func() (setup.Place, error) { return cli.PlaceOf(cmd) })
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.Yes, "yes", "y", false, "trust without asking")
	flags.BoolVar(&f.List, "list", false, "list the workspaces that are trusted")
	flags.BoolVar(&f.Revoke, "revoke", false, "trust this workspace no more")
	flags.BoolVar(&f.JSON, "json", false, "with --list: as JSON")
	return cmd
}
