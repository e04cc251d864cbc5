package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// reviewFlags are the flags of review.
type reviewFlags struct {
	session     string
	list        bool
	json        bool
	interactive bool
	script      script
}

func newReviewCommand() *cobra.Command {
	f := &reviewFlags{}
	cmd := &cobra.Command{
		Use: "review", Short: "Read what agents have staged here, and decide", GroupID: groupWork,
		Long: `review shows the letters that wait in this workspace and asks what to do with them: those of the newest session that has
any, or of --session. Applied letters are written to their files at once; rejected ones touch nothing, and the agent hears
the reason at its next step. What you leave undecided is kept.

` + answerHelp(term.Screen{}) + `
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
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.session, "session", "", "review the session with this `id`, not the newest")
	flags.BoolVar(&f.list, "list", false, "list the sessions that have letters to review")
	flags.BoolVar(&f.json, "json", false, "as one line of JSON; asks nothing")
	flags.BoolVarP(&f.interactive, "interactive", "i", false, "ask, also where stdin or stdout is no terminal")
	f.script.flags(cmd)
	complete(cmd, "session", completeSession)
	return cmd
}

func (f *reviewFlags) run(cmd *cobra.Command) error {
	c := consoleOf(cmd)
	if err := f.check(); err != nil {
		return err
	}
	p, log, done, err := ready(cmd)
	if err != nil {
		return err
	}
	defer done()
	pending, err := session.Pending(p.home, p.workspace)
	if err != nil {
		return fmt.Errorf("look for sessions: %w", err)
	}
	switch id, others := pick(pending, f.session); {
	case f.list:
		return listSessions(c.Out, pending, f.json)
	case id == "" && len(others) > 0:
		return lockedOut(others)
	case id == "":
		return f.nothing(c, p)
	default:
		return f.open(cmd.Context(), reviewed{c: c, place: p, id: id, others: others, log: log})
	}
}

// check refuses flags that do not go together.
func (f *reviewFlags) check() error {
	acts := !f.script.empty()
	switch {
	case f.list && (acts || f.interactive):
		return term.Usage("leave one of them out", "--list only lists; it decides nothing")
	case f.interactive && (f.json || acts):
		return term.Usage("leave one of them out", "--interactive asks, so neither --json nor decisions on the command line go with it")
	}
	return f.script.check()
}

// nothing is the end of a review without letters.
func (f *reviewFlags) nothing(c term.Console, p place) error {
	if !f.script.empty() {
		return term.Usage("name a session with --session", "there is nothing to decide: no session of %s has letters that wait", p.workspace)
	}
	if f.json {
		return term.PrintJSON(c.Out, reviewState{Waiting: []string{}, Edits: []editState{}, Others: []session.PendingSession{}})
	}
	c.Out.Println("Nothing to review in " + term.Clean(p.workspace) + ".")
	return nil
}

// reviewed is the session under review.
type reviewed struct {
	c      term.Console
	place  place
	id     string
	others []session.PendingSession
	log    *zap.Logger
}

// open opens one session and decides in it.
func (f *reviewFlags) open(ctx context.Context, r reviewed) error {
	cfg := r.place.config()
	cfg.ID = r.id
	s, err := session.Open(cfg)
	if err != nil {
		return err
	}
	r.log.Info("session opened", zap.String("session", s.ID()))
	warn(r.c, s)
	err = f.decide(ctx, r, s)
	return errors.Join(err, s.Close())
}

func (f *reviewFlags) decide(ctx context.Context, r reviewed, s *session.Session) error {
	if err := s.Refresh(ctx); err != nil {
		return fmt.Errorf("read the files again: %w", err)
	}
	rev := &reviewer{c: r.c, session: s, typed: term.NewKeyboard(r.c.In)}
	switch {
	case !f.script.empty():
		return f.scripted(ctx, r, rev)
	case f.json:
		return errors.Join(term.PrintJSON(r.c.Out, r.state(rev)), term.EndedWith(exitOfReview(rev)))
	}
	r.introduce(rev)
	if f.interactive || r.c.Interactive() {
		if err := rev.review(ctx); err != nil {
			return err
		}
		r.farewell(rev)
	} else {
		rev.open()
		r.advise(rev)
	}
	return term.EndedWith(exitOfReview(rev))
}

func exitOfReview(rev *reviewer) int {
	if len(rev.waiting()) > 0 {
		return term.ExitWaiting
	}
	return term.ExitDone
}

// introduce says which session this is, and which others wait.
func (r reviewed) introduce(rev *reviewer) {
	for _, o := range r.others {
		r.c.Err.Line(term.Faint, "also waiting: "+sessionLine(o)+" · "+r.place.command("review", "--session", o.ID))
	}
	r.c.Err.Line(term.Faint, "session "+r.id)
	if len(rev.waiting()) == 0 {
		r.c.Out.Println("Nothing to review in session " + r.id + ".")
		r.c.Out.Print(rev.entries(rev.all()))
	}
}

// advise names the command that decides, with the letters that there are.
func (r reviewed) advise(rev *reviewer) {
	waits := lettersOf(rev.waiting())
	if len(waits) == 0 {
		return
	}
	line := "decide: " + r.place.command("review", "--session", r.id) + " --apply " + waits[0]
	if len(waits) > 1 {
		line += " --reject " + waits[1] + " --reason \"…\""
	}
	r.c.Err.Println(line)
}

// farewell says how things stand, and how to change one's mind.
func (r reviewed) farewell(rev *reviewer) {
	command := r.place.command("review", "--session", r.id)
	if waits := lettersOf(rev.waiting()); len(waits) > 0 {
		r.c.Err.Println(r.c.Err.Paint(term.Ask, waitLetters(waits)+": ") + command)
		return
	}
	for _, c := range rev.all() {
		if c.State == "rejected" {
			r.c.Err.Line(term.Faint, "all decided; to bring a letter back: "+command+" --unreject "+c.Letter)
			return
		}
	}
}
