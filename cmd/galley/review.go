package main

import (
	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

func newReviewCommand() *cobra.Command {
	f := review.Config{}
	cmd := &cobra.Command{
		Use: "review", Short: "Read what agents have staged here, and decide", GroupID: groupWork,
		Long: `review shows the letters that wait in this workspace and asks what to do with them: those of the newest session that has
any, or of --session. Applied letters are written to their files at once; rejected ones touch nothing, and the agent hears
the reason at its next step. What you leave undecided is kept.

` + review.AnswerHelp(term.Screen{}) + `
Without a terminal it only shows what waits. Scripts decide with flags, which are carried out in this order: --unreject,
--keep-mine, --take-agents, --ask-again, --reject, --apply, and then --commit or --revert for what is left.`,
		Example: `  galley review
  galley review --list
  galley review --apply A,C --reject B --reason "keep the old name"
  galley review --commit --summary "longer timeouts"`,
		Annotations: map[string]string{exitNote: `  0  nothing waits, or no longer
  1  an error, or a decision that could not be carried out
  2  a wrong command line, or no such session or letter
  3  letters still wait for you`},
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.Check(); err != nil {
				return err
			}
			p, log, done, err := ready(cmd)
			if err != nil {
				return err
			}
			defer done()
			p.Introduce(consoleOf(cmd).Err)
			f.Console, f.Log, f.Session, f.Galley = consoleOf(cmd), log, p.Config(), p.Command
			return f.Run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Named, "session", "", "review the session with this `id`, not the newest")
	flags.BoolVar(&f.List, "list", false, "list the sessions that have letters to review")
	flags.BoolVar(&f.JSON, "json", false, "as one line of JSON; asks nothing")
	flags.BoolVarP(&f.Interactive, "interactive", "i", false, "ask, also where stdin or stdout is no terminal")
	scriptFlags(cmd, &f.Script)
	complete(cmd, "session", completeSession)
	return cmd
}

// scriptFlags are the flags that decide.
func scriptFlags(cmd *cobra.Command, sc *review.Script) {
	flags := cmd.Flags()
	flags.Var(&sc.Apply, "apply", "take these letters into their files")
	flags.Var(&sc.Reject, "reject", "throw these letters away")
	flags.StringVar(&sc.Reason, "reason", "", "the agent hears this `text` with --reject")
	flags.Var(&sc.Unreject, "unreject", "bring rejected letters back")
	flags.Var(&sc.Mine, "keep-mine", "end conflicts with your text")
	flags.Var(&sc.Agents, "take-agents", "end conflicts with the agent's text")
	flags.Var(&sc.Again, "ask-again", "leave conflicts, and tell the agent to look again")
	flags.BoolVar(&sc.Commit, "commit", false, "apply what is left, all or nothing, and close the editing session")
	flags.StringVar(&sc.Summary, "summary", "", "a `text` that says what --commit commits")
	flags.StringVar(&sc.Revert, "revert", "", "reject what is left for this `reason`, and close the editing session")
	flags.IntVar(&sc.Edit, "edit", 0, "commit or revert editing session #`n`, if several are open")
	for _, name := range []string{"apply", "reject", "unreject", "keep-mine", "take-agents", "ask-again"} {
		complete(cmd, name, completeLetters)
	}
}
