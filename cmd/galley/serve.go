package main

import (
	"errors"
	"os"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/cmd/galley/internal/run"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/memory"
)

func newServeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "serve",
		GroupID: cli.GroupWork,
		Short:   "Serve an editor: the same review in any editor that speaks LSP",
		Long: `serve is a language server on standard input and output. Editors start it themselves; docs/protocol.md says what it
offers, and docs/editors.md how to tell your editor about it.

Settings are read again when a file of settings changes. What is wrong in them is told in the editor, and the rest holds.`,
		Example: `  galley serve --workspace ~/my-project --log-file /tmp/galley.log`,
		Args:    cobra.NoArgs,
		RunE:    serve,
	}
	cli.ModelFlags(cmd)
	cmd.Flags().Bool("stdio", true, "speak on standard input and output, which it always does: some editors insist")
	return cmd
}

func serve(cmd *cobra.Command, _ []string) (err error) {
	p, err := cli.PlaceOf(cmd)
	if err != nil {
		return err
	}
	// All other problems are told in the editor, where people will see them.
	if err := setup.Refuse(cli.ConsoleOf(cmd), setup.ProblemsOf(settings.FromFlag, p.Loaded.Errors)); err != nil {
		return err
	}
	if c := cli.ConsoleOf(cmd); c.InIsTerm {
		c.Err.Println("galley serve waits for an editor on standard input; editors start it by themselves (docs/editors.md). Ctrl-C ends it.")
		c.Err.Println("  for you there are galley run and galley review")
	}
	src, err := cli.SourcesOf(cmd, p.Workspace)
	if err != nil {
		return err
	}
	log, err := cli.OpenLog(cmd, p.Settings().Log)
	if err != nil && p.Loaded.Origin("log.file").Source == settings.FromFlag {
		return err // one of another source is told in the editor
	}
	editor := setup.Client{Kind: memory.ClientEditor, Command: "galley serve", Build: cli.Version(), Sources: src, Log: log, Words: run.Told}
	err = editor.Serve(cmd.Context(), lsp.Join(os.Stdin, os.Stdout), p)
	if errors.Is(err, lsp.ErrParentDead) { // nobody is left to tell
		log.Info("the editor is gone", zap.Error(err))
		return nil
	}
	return err
}
