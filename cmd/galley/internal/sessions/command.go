package sessions

import (
	"errors"
	"strings"
	"time"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/setup"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/memory"
)

// task is one command that works on the sessions of a workspace.
type task struct {
	term.Console
	setup.Place
	args []string
	json bool
	tell func(command string, argument map[string]any, answer any) error // the host of the workspace
}

// command makes a command of the table: it has --json where its result is for programs, too.
func command(cmd *cobra.Command, run func(t task) error) *cobra.Command {
	var asJSON bool
	if cmd.Annotations["json"] != "" {
		cmd.Flags().BoolVar(&asJSON, "json", false, cmd.Annotations["json"])
	}
	if cmd.Args == nil {
		cmd.Args = atMostOne("session")
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		place, log, err := cli.Ready(cmd)
		if err != nil {
			return err
		}
		return run(task{cli.ConsoleOf(cmd), place, args, asJSON, func(command string, argument map[string]any, answer any) error {
			conn, err := cli.Connect(cmd, place, log, false)
			if err != nil {
				return err
			}
			return errors.Join(conn.Command(cmd.Context(), command, argument, answer), conn.Close())
		}})
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		return complete(cmd), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	return cmd
}

// complete are the sessions of the workspace, for a shell.
func complete(cmd *cobra.Command) []string {
	place, _, err := cli.Ready(cmd)
	if err != nil {
		return nil
	}
	list, _ := memory.List(place.Home, place.Workspace) // a shell that completes is told of no error
	var out []string
	for _, i := range list {
		out = append(out, cobra.CompletionWithDesc(i.ID, term.Ago(time.Since(i.Updated))+" · "+term.OneLine(i.Title, 60)))
	}
	return out
}

// atMostOne refuses more arguments than a command takes.
func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= 1 {
			return nil
		}
		return term.Usage(cmd.CommandPath()+" --help explains it", "%s takes one "+what+", and there are %d arguments", cmd.CommandPath(), len(args))
	}
}

const oneLine = "as one line of JSON"

// Session are the commands about whole sessions.
func Session() *cobra.Command {
	return cli.Group(&cobra.Command{
		Use: "session", Short: "List, read, export and remove the agent's sessions", GroupID: cli.GroupMore,
		Long: `session is about the agent's sessions in this workspace: the conversations, with the memory and the changes of each. One is
named by its id, by the beginning of that, or by @last, the one that was written to last, which is meant where none is
named.`,
		Example: `  galley session list
  galley session show
  galley session export --edit 3 --to edit-3.md
  galley session rewind --to 12`,
	}, listCommand(), showCommand(), exportCommand(), rewindCommand(), renameCommand(), adoptCommand(), removeCommand())
}

func listCommand() *cobra.Command {
	return command(&cobra.Command{
		Use: "list", Short: "List the sessions of this workspace, the newest first",
		Long: `list names the sessions of this workspace, the newest first, with the letters that wait in each.`,
		Args: cli.NoArguments, Annotations: map[string]string{"json": oneLine},
	}, list)
}

func showCommand() *cobra.Command {
	return command(&cobra.Command{
		Use: "show [SESSION]", Short: "Show what a session is, and its journal in a line for each entry",
		Long: `show tells what a session is, and lists the entries of its journal by their numbers, a line each. A word in front of an entry
says why no request has it any more: folded, left out, compacted, archived, rewound.`,
		Annotations: map[string]string{"json": oneLine},
	}, show)
}

func exportCommand() *cobra.Command {
	o := exported{}
	cmd := command(&cobra.Command{
		Use: "export [SESSION]", Short: "Print the complete log of a session, or of one edit",
		Long: `export prints all that the journal of a session says, nothing cut: what was said, what was staged with old and new text, what
was decided and why. With --edit it is what belongs to one editing session, from the prompt before it to its end. Secrets
are masked. With --jsonl it prints the entries themselves, a JSON object a line.`,
		Example: `  galley session export --to session.md
  galley session export --edit 3 --jsonl`,
	}, func(t task) error { return o.run(t) })
	flags := cmd.Flags()
	flags.IntVar(&o.edit, "edit", 0, "only editing session #`n`")
	flags.BoolVar(&o.lines, "jsonl", false, "the entries of the journal, a JSON object a line")
	flags.StringVar(&o.to, "to", "", "write it to this `file`, which must not be there yet")
	return cmd
}

func rewindCommand() *cobra.Command {
	to := int64(0)
	cmd := command(&cobra.Command{
		Use: "rewind [SESSION] --to ENTRY", Short: "Take a conversation back to an entry of its journal",
		Long: `rewind takes the conversation of a session back: the next request is what it was when the entry was the last one. Messages
that had been folded since are there again. Only the conversation moves: files, letters, tasks and the working memory stay as
they are, and the agent is told so. Nothing leaves the journal, so that a rewind can be taken back by another.

galley session show lists the entries.`,
		Annotations: map[string]string{"json": oneLine},
	}, func(t task) error { return rewind(t, to) })
	cmd.Flags().Int64Var(&to, "to", 0, "the number of the `entry`, which stays")
	return cmd
}

func renameCommand() *cobra.Command {
	return command(&cobra.Command{
		Use: "rename SESSION TITLE", Short: "Give a session another title",
		Long:    `rename gives a session another title. The first one is the beginning of its first prompt.`,
		Example: `  galley session rename @last "the timeouts"`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 && strings.TrimSpace(args[1]) != "" {
				return nil
			}
			return term.Usage(`galley session rename @last "the timeouts"`, "%s takes a session and its new title", cmd.CommandPath())
		},
	}, rename)
}

func adoptCommand() *cobra.Command {
	return command(&cobra.Command{
		Use: "adopt OLDPATH", Short: "Take over the sessions of this folder from before it was moved",
		Long: `adopt takes over the sessions that were made here while the folder had another path: their conversations and memory, the
letters that wait, and what was decided. Where a file is another one than it was, its letters are in conflict, as always. The
old path must be gone, and no editor or terminal may have it open any more.`,
		Example: `  cd ~/src/shop && galley session adopt ~/shop`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return term.Usage("galley session adopt ~/shop", "%s takes the path that this folder had", cmd.CommandPath())
		},
		Annotations: map[string]string{"json": oneLine},
	}, adopt)
}

func removeCommand() *cobra.Command {
	force := false
	cmd := command(&cobra.Command{
		Use: "rm SESSION...", Short: "Move sessions to the trash",
		Long: `rm moves sessions into the folder trash beside them, whole, and says where. Moved back they are there again; who needs the
space removes that folder. A session in which letters wait stays; with --force they are thrown away before.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return nil
			}
			return term.Usage("galley session list names them", "%s takes the sessions that are to go", cmd.CommandPath())
		},
	}, func(t task) error { return remove(t, force) })
	cmd.Flags().BoolVar(&force, "force", false, "also one in which letters wait: they are thrown away")
	return cmd
}

// Context are the commands about what the model is sent.
func Context() *cobra.Command {
	return cli.Group(&cobra.Command{
		Use: "context", Short: "Show what the next request to the model would hold", GroupID: cli.GroupMore,
		Long: `context is about the next request of a session to the model.`,
	}, about(&cobra.Command{
		Use: "inspect", Short: "Show how full the context is, and of what",
		Long: `inspect shows how many tokens the next request of a session would have, where they go, its largest parts, and what could go.
It reads files only: the session may be at work, and no model is asked. The numbers are those that the model and the editor
are shown.`,
		Example: `  galley context inspect
  galley context inspect --session 01M8G3P0SC --json`,
		Args: cli.NoArguments, Annotations: map[string]string{"json": oneLine},
	}, inspect))
}
