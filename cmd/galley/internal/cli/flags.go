package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// The groups of the root's help, in their order.
const (
	GroupWork    = "work"
	GroupScripts = "scripts"
	GroupMore    = "more"
)

// The flags of every command.
const (
	FlagWorkspace = "workspace"
	FlagNoColor   = "no-color"
	FlagLog       = "log-file"
)

// ConsoleOf is where a command talks.
func ConsoleOf(cmd *cobra.Command) term.Console {
	plain, _ := cmd.Flags().GetBool(FlagNoColor) // a command line that was not read has no flags: colours as usual
	return term.NewConsole(cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), plain)
}

// Swallowed refuses a flag that another one took for its value: --revert --yes.
func Swallowed(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if name, is := strings.CutPrefix(f.Value.String(), "--"); is && flags.Lookup(name) != nil {
			err = term.Usage(fmt.Sprintf("write its value first: --%s VALUE --%s", f.Name, name), "--%s got the flag --%s for its value", f.Name, name)
		}
	})
	return err
}

// SeeHelp names the page that explains a command.
func SeeHelp(cmd *cobra.Command) string { return cmd.CommandPath() + " --help explains the flags" }

// UnknownCommand refuses the words behind galley that are no command, and names the nearest.
func UnknownCommand(cmd *cobra.Command, args []string) error {
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

// Group is a command that only holds others.
func Group(cmd *cobra.Command, others ...*cobra.Command) *cobra.Command {
	cmd.Args, cmd.RunE = UnknownCommand, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	for _, o := range others {
		o.Flags().SortFlags = false // the order that explains them
		cmd.AddCommand(o)
	}
	return cmd
}

// NoArguments refuses arguments where a command takes none.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return term.Usage(SeeHelp(cmd), "%s takes no arguments, and there is %q", cmd.CommandPath(), args[0])
}

// OneOf is the value of a flag that knows a few words only.
type OneOf struct {
	Value string
	Words []string
}

// String implements pflag.Value.
func (o *OneOf) String() string { return o.Value }

// Type implements pflag.Value; help shows it as the value's name.
func (o *OneOf) Type() string { return strings.Join(o.Words, "|") }

// Set implements pflag.Value.
func (o *OneOf) Set(word string) error {
	if !slices.Contains(o.Words, word) {
		return term.Usage("", "it must be one of %s", strings.Join(o.Words, ", "))
	}
	o.Value = word
	return nil
}

func (o *OneOf) Complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return o.Words, cobra.ShellCompDirectiveNoFileComp
}
