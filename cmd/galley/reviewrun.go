package main

import (
	"context"
	"errors"
	"fmt"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// reviewConfig is what is reviewed, and how.
type reviewConfig struct {
	console     term.Console
	log         *zap.Logger
	session     session.Config               // how a session is opened here
	galley      func(words ...string) string // a command line that works in the same place, to be copied
	named       string                       // the session, "": the newest that waits
	list        bool
	json        bool
	interactive bool
	script      script
}

// run reviews what waits.
func (f reviewConfig) run(ctx context.Context) error {
	pending, err := session.Pending(f.session.Home, f.session.Workspace)
	if err != nil {
		return fmt.Errorf("look for sessions: %w", err)
	}
	switch id, others := pick(pending, f.named); {
	case f.list:
		return listSessions(f.console.Out, pending, f.json)
	case id == "" && len(others) > 0:
		return lockedOut(others)
	case id == "":
		return f.nothing()
	default:
		return reviewed{reviewConfig: f, id: id, others: others}.open(ctx)
	}
}

// check refuses flags that do not go together.
func (f reviewConfig) check() error {
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
func (f reviewConfig) nothing() error {
	if !f.script.empty() {
		return term.Usage("name a session with --session", "there is nothing to decide: no session of %s has letters that wait", f.session.Workspace)
	}
	if f.json {
		return term.PrintJSON(f.console.Out, reviewState{Waiting: []string{}, Edits: []editState{}, Others: []session.PendingSession{}})
	}
	f.console.Out.Println("Nothing to review in " + term.Clean(f.session.Workspace) + ".")
	return nil
}

// reviewed is the session under review.
type reviewed struct {
	reviewConfig
	id     string
	others []session.PendingSession
}

// open opens one session and decides in it.
func (r reviewed) open(ctx context.Context) error {
	cfg := r.session
	cfg.ID = r.id
	s, err := session.Open(cfg)
	if err != nil {
		return err
	}
	r.log.Info("session opened", zap.String("session", s.ID()))
	warn(r.console, s)
	err = r.decide(ctx, s)
	return errors.Join(err, s.Close())
}

func (r reviewed) decide(ctx context.Context, s *session.Session) error {
	if err := s.Refresh(ctx); err != nil {
		return fmt.Errorf("read the files again: %w", err)
	}
	rev := &reviewer{c: r.console, session: s, typed: term.NewKeyboard(r.console.In)}
	switch {
	case !r.script.empty():
		return r.scripted(ctx, rev)
	case r.json:
		return errors.Join(term.PrintJSON(r.console.Out, r.state(rev)), term.EndedWith(exitOfReview(rev)))
	}
	r.introduce(rev)
	if r.interactive || r.console.Interactive() {
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
		r.console.Err.Line(term.Faint, "also waiting: "+sessionLine(o)+" · "+r.galley("review", "--session", o.ID))
	}
	r.console.Err.Line(term.Faint, "session "+r.id)
	if len(rev.waiting()) == 0 {
		r.console.Out.Println("Nothing to review in session " + r.id + ".")
		r.console.Out.Print(rev.entries(rev.all()))
	}
}

// advise names the command that decides, with the letters that there are.
func (r reviewed) advise(rev *reviewer) {
	waits := lettersOf(rev.waiting())
	if len(waits) == 0 {
		return
	}
	line := "decide: " + r.galley("review", "--session", r.id) + " --apply " + waits[0]
	if len(waits) > 1 {
		line += " --reject " + waits[1] + " --reason \"…\""
	}
	r.console.Err.Println(line)
}

// farewell says how things stand, and how to change one's mind.
func (r reviewed) farewell(rev *reviewer) {
	command := r.galley("review", "--session", r.id)
	if waits := lettersOf(rev.waiting()); len(waits) > 0 {
		r.console.Err.Println(r.console.Err.Paint(term.Ask, waitLetters(waits)+": ") + command)
		return
	}
	for _, c := range rev.all() {
		if c.State == "rejected" {
			r.console.Err.Line(term.Faint, "all decided; to bring a letter back: "+command+" --unreject "+c.Letter)
			return
		}
	}
}
