package main

import (
	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/lsp/dial"
)

func newReviewCommand() *cobra.Command {
	f := review.Config{}
	cmd := &cobra.Command{
		Use: "review [FILE...]", Short: "Read what agents have staged here, and decide", GroupID: cli.GroupWork,
		Long: `review shows the letters that wait in this workspace and asks what to do with them, session by session, the newest first;
with FILE only those in these files. Applied letters are written to their files at once; rejected ones
touch nothing, and the agent hears the reason at its next step. What you leave undecided is kept.

` + review.AnswerHelp(term.Screen{}) + `
Without a terminal it only shows what waits. Scripts decide with flags, which are carried out in this order: --unreject,
--keep-mine, --take-agents, --ask-again, --amend, --split, --reject, --apply, and then --commit or --revert for what is left. A revert of two
or more letters asks first; where nobody can be asked it wants --yes.`,
		Example: `  galley review
  galley review src/app.py
  galley review --list
  galley review --apply A,C --reject B --reason "keep the old name"
  galley review --commit --summary "longer timeouts"`,
		RunE: func(cmd *cobra.Command, files []string) error {
			f.Files = files
			if err := f.Check(); err != nil {
				return err
			}
			p, log, err := cli.Ready(cmd)
			if err != nil {
				return err
			}
			p.Introduce(cli.ConsoleOf(cmd).Err)
			if f.Named, err = p.Session(f.Named); err != nil {
				return err
			}
			if f.Files, err = p.Names(files); err != nil {
				return err
			}
			f.Console, f.Log, f.Session, f.Galley = p.Here(cli.ConsoleOf(cmd)), log, p.Config(), p.Command
			f.Connect = func(stays bool) (*dial.Conn, error) { return cli.Connect(cmd, p, log, stays) }
			return f.Run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Named, "session", "", cli.SessionUsage("review"))
	flags.BoolVar(&f.List, "list", false, "list the sessions that have letters to review")
	flags.BoolVar(&f.JSON, "json", false, "as one line of JSON; asks nothing")
	flags.BoolVarP(&f.Interactive, "interactive", "i", false, "ask, also where stdin or stdout is no terminal")
	scriptFlags(cmd, &f.Script)
	cli.Complete(cmd, "session", cli.CompleteSession)
	return cmd
}

// scriptFlags are the flags that decide.
func scriptFlags(cmd *cobra.Command, sc *review.Script) {
	flags := cmd.Flags()
	flags.Func("apply", "take these `letters` into their files", sc.Apply.Set)
	flags.Func("reject", "throw these `letters` away", sc.Reject.Set)
	flags.StringVar(&sc.Reason, "reason", "", "the agent hears this `text` with --reject")
	flags.Func("unreject", "bring rejected `letters` back", sc.Unreject.Set)
	flags.Func("keep-mine", "end conflicts of these `letters` with your text", sc.Mine.Set)
	flags.Func("take-agents", "end conflicts of these `letters` with the agent's text", sc.Agents.Set)
	flags.Func("ask-again", "leave conflicts of these `letters`, and tell the agent to look again", sc.Again.Set)
	flags.Func("amend", "give a letter the text of a file, `A=FILE`, in place of the lines that it makes", sc.Amend.Set)
	flags.Func("split", "cut lines off a letter, `A:3-5`, by the numbers before them: they get a letter of their own", sc.Split.Set)
	flags.BoolVar(&sc.Commit, "commit", false, "apply what is left, all or nothing, and close the editing session")
	flags.StringVar(&sc.Summary, "summary", "", "a `text` that says what --commit commits")
	flags.StringVar(&sc.Revert, "revert", "", "reject what is left for this `reason`, and close the editing session")
	flags.BoolVarP(&sc.Yes, "yes", "y", false, "revert several letters without a question")
	flags.IntVar(&sc.Edit, "edit", 0, "commit or revert editing session #`n`, if several are open")
	for _, name := range []string{"apply", "reject", "unreject", "keep-mine", "take-agents", "ask-again"} {
		cli.Complete(cmd, name, cli.CompleteLetters)
	}
}
