package main

import (
	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
)

func newConfigPromptsCommand() *cobra.Command {
	dir := ""
	cmd := &cobra.Command{
		Use: "prompts", Short: "List the texts that the model reads, or write them as files to change",
		Long: `prompts lists the system prompt and the text of each tool, with its size in tokens and where it comes from. A file replaces
a built-in text:

  ~/.config/galley/prompts/system.md          for you
  ~/.config/galley/prompts/tools/write.md
  .galley/prompts/…                           for this workspace, when it is trusted (galley trust)

--write puts the texts in force into a folder, to start from.`,
		Example: `  galley config prompts
  galley config prompts --write ~/.config/galley/prompts`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, log, err := cli.Ready(cmd)
			if err != nil {
				return err
			}
			log.Info("prompts listed")
			c := cli.ConsoleOf(cmd)
			if dir != "" {
				return setup.WritePrompts(c, setup.PromptsOf(p), dir)
			}
			setup.ListPrompts(c.Out, setup.PromptsOf(p))
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "write", "", "write the texts as files into this `folder`; no file is written over")
	cli.Complete(cmd, "write", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	return cmd
}
