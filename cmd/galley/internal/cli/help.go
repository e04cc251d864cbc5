package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// Help prints the page of a command.
func Help(cmd *cobra.Command, args []string) {
	s := ConsoleOf(cmd).Out
	if tool, ok := namedTool(cmd, args); ok {
		toolHelp(s, tool)
		return
	}
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	s.Print(term.Reflowed(strings.TrimSpace(text), s.Columns()))
	helpUsage(s, cmd)
	helpCommands(s, cmd)
	helpFlags(s, "Flags", ownFlags(cmd))
	if cmd.HasParent() {
		helpFlags(s, "Flags of every command", cmd.InheritedFlags())
	}
	section(s, "Examples", cmd.Example)
	section(s, "Exit codes", ExitsOf(cmd))
	if cmd.HasAvailableSubCommands() {
		s.Printf("\n%s COMMAND --help explains a command.\n", cmd.CommandPath())
	}
}

// CheckHelp has Help, asked for by flag or by command, refuse a command that there is none of, as galley itself does. What it
// answers says after the command whether the flag was asked in vain.
func CheckHelp(root *cobra.Command) (unknown func() error) {
	var wrong error
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd.HasAvailableSubCommands() {
			wrong = UnknownCommand(cmd, cmd.Flags().Args())
		}
		if wrong == nil {
			Help(cmd, args)
		}
	})
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" {
			cmd.Run = nil
			cmd.RunE = func(_ *cobra.Command, args []string) error {
				named, rest, err := root.Find(args)
				if err != nil {
					return err
				}
				if named.HasAvailableSubCommands() && len(rest) > 0 {
					return UnknownCommand(named, rest)
				}
				named.InitDefaultHelpFlag()
				return named.Help()
			}
		}
	}
	return func() error { return wrong }
}

// section prints a headed part of a page, if there is anything in it.
func section(s term.Screen, title, body string) {
	if body = strings.Trim(body, "\n"); body != "" {
		s.Printf("\n%s\n%s\n", s.Paint(term.Strong, title), body)
	}
}

func helpUsage(s term.Screen, cmd *cobra.Command) {
	line := "  " + cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		line = "  " + cmd.CommandPath() + " COMMAND [flags]"
	}
	section(s, "Usage", line)
}

func helpCommands(s term.Screen, cmd *cobra.Command) {
	groups := slices.Concat(cmd.Groups(), []*cobra.Group{{Title: "Commands"}}) // those without a group, below others
	for _, g := range groups {
		var rows strings.Builder
		for _, sub := range cmd.Commands() {
			if sub.GroupID == g.ID && (sub.IsAvailableCommand() || sub.Name() == "help") {
				rows.WriteString("  " + term.Pad(sub.Name(), 12) + sub.Short + "\n")
			}
		}
		section(s, g.Title, rows.String())
	}
}

// ownFlags are the flags of a command that not every command has.
func ownFlags(cmd *cobra.Command) *pflag.FlagSet {
	if !cmd.HasParent() {
		return cmd.PersistentFlags()
	}
	return cmd.LocalFlags()
}

func helpFlags(s term.Screen, title string, flags *pflag.FlagSet) {
	section(s, title, strings.TrimRight(flags.FlagUsagesWrapped(s.Columns()), "\n"))
}
