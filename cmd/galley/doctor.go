package main

import (
	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/galley-ls/galley/cmd/galley/internal/doctor"
)

func newDoctorCommand() *cobra.Command {
	f := doctor.Config{Version: cli.Version()}
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check settings, model, folders and editors, and say what to do", GroupID: cli.GroupMore,
		Long: `doctor looks at all that galley needs: the settings with all their sources, the model server, the folders of the sessions,
git, the editors on your PATH, the terminal. For what is not as it should be it says what to do.

It asks the model server for its models, and then for one short reply with one tool offered, as a run would: that shows
whether the model answers, how fast, and whether it calls tools. Only with an OpenAI-compatible server configured does that
cost anything, a few hundred tokens. It writes a file to try whether it can, and removes it; what refusals teach about a
server is kept, as in a run.`,
		Example: `  galley doctor
  galley doctor --offline
  galley doctor --model qwen3:8b --base-url http://localhost:11434/v1`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := cli.PlaceOf(cmd)
			if err != nil {
				return err
			}
			f.Console, f.Home, f.Workspace, f.Loaded = cli.ConsoleOf(cmd), p.Home, p.Workspace, p.Loaded
			return f.Run(cmd.Context())
		},
	}
	cli.ModelFlags(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.Offline, "offline", false, "ask no server")
	flags.BoolVar(&f.JSON, "json", false, "as one JSON object")
	return cmd
}
