package main

import (
	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
)

func newConfigCommand() *cobra.Command {
	return cli.Group(&cobra.Command{
		Use: "config", Short: "Show the settings, where they come from, and their schema", GroupID: cli.GroupMore,
		Long: `config shows the settings. They come from these places, later ones win:

  1  the defaults
  2  ~/.config/galley/config.yaml, your own
  3  .galley/config.yaml in the workspace, as far as it is trusted (galley trust --help)
  4  an editor that galley serves
  5  the environment: GALLEY_MODEL_BASE_URL is model.base_url
  6  flags: --model, --base-url, --set KEY=VALUE

galley writes no file of settings but with galley config init. docs/configuration.md explains every setting, and has the
lines for Ollama, OpenAI, Azure, OpenRouter and others.`,
		Example: `  galley config init
  galley config show
  galley config show model tools.run_command`,
	}, newConfigShowCommand(), newConfigPathCommand(), newConfigSchemaCommand(), newConfigInitCommand(), newConfigPromptsCommand())
}

func newConfigSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON schema of the settings",
		Long: `schema prints the JSON schema (2020-12) of a file of settings, with every setting, what it may be, and its default. Editors
complete and check a file with it that begins with

  # yaml-language-server: $schema=FILE`,
		Example: `  galley config schema > galley.schema.json`,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cli.ConsoleOf(cmd).Out.Print(string(settings.Schema()))
			return nil
		},
	}
}

func newConfigPathCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "path", Short: "Say which files are read",
		Long: `path lists the files that settings, prompts and what belongs to them are read from, and which of them are there.`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := cli.PlaceOf(cmd)
			if err != nil {
				return err
			}
			return setup.ShowPaths(cli.ConsoleOf(cmd), p, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one line of JSON")
	return cmd
}

func newConfigInitCommand() *cobra.Command {
	return &cobra.Command{
		Use: "init", Short: "Write a file of settings to start from",
		Long: `init writes ~/.config/galley/config.yaml, in which everything is a comment: the lines for Ollama, for OpenAI and for other
servers. It never writes over a file.`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return setup.WriteStarter(cli.ConsoleOf(cmd)) },
	}
}
