package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/galley-ls/galley/cmd/galley/internal/sessions"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// The flags of every command.
const (
	flagWorkspace = "workspace"
	flagNoColor   = "no-color"
	flagLog       = "log-file"
)

// The groups of the root's help, in their order.
const (
	groupWork    = "work"
	groupScripts = "scripts"
	groupMore    = "more"
)

// commands is the one table of all commands.
func commands() []*cobra.Command {
	about := sessions.Door{Group: groupMore, Console: consoleOf, Ready: ready, NoArguments: noArguments, NoCommand: unknownCommand}
	return []*cobra.Command{
		newRunCommand(),
		newReviewCommand(),
		newUndoCommand(),
		newServeCommand(),
		newHostCommand(),
		newDemoCommand(),
		newToolCommand(),
		about.Session(),
		about.Context(),
		about.Memory(),
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
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SilenceErrors: true, SilenceUsage: true, SuggestionsMinimumDistance: 2,
	}
	cobra.EnableCommandSorting = false // the table's order is the order of the help
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.StringP(flagWorkspace, "C", "", "work in this `folder` instead of the current one")
	flags.StringArray(flagSet, nil, "for this once set `KEY=VALUE`; galley config show lists the keys")
	flags.Bool(flagNoColor, false, "no colours, as with NO_COLOR in the environment")
	flags.String(flagLog, "", "write what happens to this `file`, a JSON object a line (log.file)")
	flags.BoolP("help", "h", false, "help for a command")

	root.AddGroup(
		&cobra.Group{ID: groupWork, Title: "Work"},
		&cobra.Group{ID: groupScripts, Title: "For scripts and other agents"},
		&cobra.Group{ID: groupMore, Title: "More"},
	)
	root.SetHelpCommandGroupID(groupMore)
	root.SetCompletionCommandGroupID(groupMore)
	for _, cmd := range commands() {
		cmd.Flags().SortFlags = false // the order that explains them
		root.AddCommand(cmd)
	}
	root.SetHelpFunc(help)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return swallowed(cmd.Flags()) }
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return term.Usage(seeHelp(cmd), "%s", err) })
	completeFolder(root)
	complete(root, flagSet, completeSet)
	return root
}

// consoleOf is where a command talks.
func consoleOf(cmd *cobra.Command) term.Console {
	plain, _ := cmd.Flags().GetBool(flagNoColor) // a command line that was not read has no flags: colours as usual
	return term.NewConsole(cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), plain)
}

// swallowed refuses a flag that another one took for its value: --revert --yes.
func swallowed(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if name, is := strings.CutPrefix(f.Value.String(), "--"); is && flags.Lookup(name) != nil {
			err = term.Usage(fmt.Sprintf("write its value first: --%s VALUE --%s", f.Name, name), "--%s got the flag --%s for its value", f.Name, name)
		}
	})
	return err
}

// seeHelp names the page that explains a command.
func seeHelp(cmd *cobra.Command) string { return cmd.CommandPath() + " --help explains the flags" }

// unknownCommand refuses the words behind galley that are no command, and names the nearest.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	next := cmd.CommandPath() + " --help lists the commands"
	switch near := cmd.SuggestionsFor(args[0]); {
	case len(near) > 0:
		next = "did you mean " + cmd.CommandPath() + " " + strings.Join(near, " or ") + "?"
	case strings.Contains(args[0], " "):
		next = "to give the agent an instruction: galley run " + term.ShellWord(args[0])
	}
	return term.Usage(next, "there is no command %q", args[0])
}

// noArguments refuses arguments where a command takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return term.Usage(seeHelp(cmd), "%s takes no arguments, and there is %q", cmd.CommandPath(), args[0])
}

// oneOf is the value of a flag that knows a few words only.
type oneOf struct {
	value string
	words []string
}

// String implements pflag.Value.
func (o *oneOf) String() string { return o.value }

// Type implements pflag.Value; help shows it as the value's name.
func (o *oneOf) Type() string { return strings.Join(o.words, "|") }

// Set implements pflag.Value.
func (o *oneOf) Set(word string) error {
	if !slices.Contains(o.words, word) {
		return term.Usage("", "it must be one of %s", strings.Join(o.words, ", "))
	}
	o.value = word
	return nil
}

func (o *oneOf) complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return o.words, cobra.ShellCompDirectiveNoFileComp
}
