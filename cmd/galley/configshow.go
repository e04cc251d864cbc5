package main

import (
	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
)

func newConfigShowCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "show [KEY...]", Short: "Show the settings in force, and where each comes from",
		Long: `show lists every setting with its value and where it comes from, or only those that you name: settings, or groups like model.
The switches of model.profile are listed where they are set, or named.
Keys, passwords in addresses and the values of headers are not shown.`,
		Example: `  galley config show
  galley config show model review
  galley config show --json tools`,
		RunE: func(cmd *cobra.Command, args []string) error {
			rows, err := setup.RowsOf(args)
			if err != nil {
				return err
			}
			p, err := cli.PlaceOf(cmd)
			if err != nil {
				return err
			}
			if len(args) == 0 && !asJSON {
				rows = setup.WorthShowing(rows, p.Settings())
			}
			return setup.ShowSettings(cli.ConsoleOf(cmd), p, rows, asJSON)
		},
		ValidArgsFunction: cli.CompleteSettings,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}
