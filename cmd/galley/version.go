package main

import (
	"runtime"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

func newVersionCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version", GroupID: cli.GroupMore, Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s := cli.ConsoleOf(cmd).Out
			if !asJSON {
				s.Printf("galley %s (%s, %s/%s)\n", cli.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
				return nil
			}
			return term.PrintJSON(s, map[string]string{
				"version": cli.Version(), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}
