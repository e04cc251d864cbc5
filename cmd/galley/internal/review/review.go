package review

import (
	"context"
	"errors"
	"fmt"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
)

// Config is what is reviewed, and how.
type Config struct {
	Console     term.Console
	Log         *zap.Logger
	Session     session.Config               // how a session is opened here
	Galley      func(words ...string) string // a command line that works in the same place, to be copied
	Named       string                       // the session, "": the newest that waits
	List        bool
	JSON        bool
	Interactive bool
	Script      Script
}

// Run reviews what waits.
func (f Config) Run(ctx context.Context) error {
	pending, err := session.Pending(f.Session.Home, f.Session.Workspace)
	if err != nil {
		return fmt.Errorf("look for sessions: %w", err)
	}
	switch id, others := Pick(pending, f.Named); {
	case f.List:
		return listSessions(f.Console.Out, pending, f.JSON)
	case id == "" && len(others) > 0:
		return lockedOut(others)
	case id == "":
		return f.nothing()
	default:
		return reviewed{Config: f, id: id, others: others}.open(ctx)
	}
}

// Check refuses flags that do not go together.
func (f Config) Check() error {
	acts := !f.Script.empty()
	switch {
	case f.List && (acts || f.Interactive):
		return term.Usage("leave one of them out", "--list only lists; it decides nothing")
	case f.Interactive && (f.JSON || acts):
		return term.Usage("leave one of them out", "--interactive asks, so neither --json nor decisions on the command line go with it")
	}
	return f.Script.Check()
}

// nothing is the end of a review without letters.
func (f Config) nothing() error {
	if !f.Script.empty() {
		return term.Usage("name a session with --session", "there is nothing to decide: no session of %s has letters that wait", f.Session.Workspace)
	}
	if f.JSON {
		return term.PrintJSON(f.Console.Out, reviewState{Waiting: []string{}, Edits: []editState{}, Others: []session.PendingSession{}})
	}
	f.Console.Out.Println("Nothing to review in " + term.Clean(f.Session.Workspace) + ".")
	return nil
}

// reviewed is the session under review.
type reviewed struct {
	Config
	id     string
	others []session.PendingSession
}

// open opens one session and decides in it.
func (r reviewed) open(ctx context.Context) error {
	cfg := r.Session
	cfg.ID = r.id
	s, err := session.Open(cfg)
	if err != nil {
		return err
	}
	r.Log.Info("session opened", zap.String("session", s.ID()))
	Warn(r.Console, s)
	err = r.decide(ctx, s)
	return errors.Join(err, s.Close())
}

func (r reviewed) decide(ctx context.Context, s *session.Session) error {
	if err := s.Refresh(ctx); err != nil {
		return fmt.Errorf("read the files again: %w", err)
	}
	rev := &Reviewer{Console: r.Console, Session: s, Keyboard: term.NewKeyboard(r.Console.In)}
	switch {
	case !r.Script.empty():
		return r.scripted(ctx, rev)
	case r.JSON:
		return errors.Join(term.PrintJSON(r.Console.Out, r.state(rev)), term.EndedWith(exitOfReview(rev)))
	}
	r.introduce(rev)
	if r.Interactive || r.Console.Interactive() {
		if err := rev.Review(ctx); err != nil {
			return err
		}
		r.farewell(rev)
	} else {
		rev.open()
		r.advise(rev)
	}
	return term.EndedWith(exitOfReview(rev))
}

func exitOfReview(rev *Reviewer) int {
	if len(rev.Waiting()) > 0 {
		return term.ExitWaiting
	}
	return term.ExitDone
}

// introduce says which session this is, and which others wait.
func (r reviewed) introduce(rev *Reviewer) {
	for _, o := range r.others {
		r.Console.Err.Line(term.Faint, "also waiting: "+sessionLine(o)+" · "+r.Galley("review", "--session", o.ID))
	}
	r.Console.Err.Line(term.Faint, "session "+r.id)
	if len(rev.Waiting()) == 0 {
		r.Console.Out.Println("Nothing to review in session " + r.id + ".")
		r.Console.Out.Print(rev.entries(rev.all()))
	}
}

// advise names the command that decides, with the letters that there are.
func (r reviewed) advise(rev *Reviewer) {
	waits := LettersOf(rev.Waiting())
	if len(waits) == 0 {
		return
	}
	line := "decide: " + r.Galley("review", "--session", r.id) + " --apply " + waits[0]
	if len(waits) > 1 {
		line += " --reject " + waits[1] + " --reason \"…\""
	}
	r.Console.Err.Println(line)
}

// farewell says how things stand, and how to change one's mind.
func (r reviewed) farewell(rev *Reviewer) {
	waits := LettersOf(rev.Waiting())
	Remind(r.Console.Err, waits, r.Galley, r.id)
	for _, c := range rev.all() {
		if len(waits) == 0 && c.State == editing.Rejected {
			r.Console.Err.Line(term.Faint, "all decided; to bring a letter back: "+r.Galley("review", "--session", r.id)+" --unreject "+c.Letter)
			return
		}
	}
}
