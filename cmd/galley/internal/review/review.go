package review

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/lsp/dial"
)

// Config is what is reviewed, and how.
type Config struct {
	Console     term.Console
	Log         *zap.Logger
	Session     session.Config               // how a session is opened here
	Galley      func(words ...string) string // a command line that works in the same place, to be copied
	Named       string                       // the session, "": the newest that waits
	Files       []string                     // only letters in these files of the workspace, none: in all
	List        bool
	JSON        bool
	Interactive bool
	Script      Script
	Connect     func(stays bool) (*dial.Conn, error) // to the host of the workspace
}

// Run reviews what waits.
func (f Config) Run(ctx context.Context) error {
	pending, err := session.Pending(f.Session.Home, f.Session.Workspace)
	if err != nil {
		return fmt.Errorf("look for sessions: %w", err)
	}
	switch none := f.Named == "" && len(pending) == 0; {
	case none && f.noFile(nil) != nil:
		return f.noFile(nil)
	case f.List:
		return listSessions(f.Console.Out, pending, f.JSON)
	case none:
		return f.nothing()
	}
	link, err := dial.NewLink(func() (*dial.Conn, error) { return f.Connect(f.asks()) })
	if err != nil {
		return err
	}
	return errors.Join(f.on(ctx, link, pending), link.Close())
}

// on reviews sessions one after the other, until the person leaves or a decision fails. One of several that cannot be opened is
// left out.
func (f Config) on(ctx context.Context, link *dial.Link, pending []session.PendingSession) error {
	all, err := f.under(ctx, link.Conn(), pending)
	if err != nil {
		return err
	}
	exit := 0
	for i, r := range all {
		r.several = len(all) > 1
		left, err := r.decide(ctx, Remote{Link: link, Session: r.id})
		var ended term.Ended
		if err != nil && !errors.As(err, &ended) {
			if !r.several || !f.Script.empty() {
				return err
			}
			r.Console.Err.Lines(term.Ask, "! "+err.Error())
			ended = term.ExitError
		}
		if exit = max(exit, int(ended)); exit == term.ExitError && !f.Script.empty() {
			for _, o := range all[i+1:] {
				r.Console.Err.Println("! nothing is done about " + strings.Join(o.Script.named(), ", ") + ", of session " + o.id)
			}
			break
		}
		if left {
			for _, o := range all[i+1:] {
				Remind(r.Console.Err, waitingIn(o.id, pending).Letters, r.Galley, o.id)
				exit = term.ExitWaiting
			}
			break
		}
	}
	return term.EndedWith(exit)
}

// under are the sessions under review: the one that is named, those whose letters are, those with letters in the files, or all.
func (f Config) under(ctx context.Context, conn *dial.Conn, pending []session.PendingSession) (all []reviewed, err error) {
	add := func(id string, sc Script) {
		_, others := Pick(pending, id)
		r := reviewed{Config: f, id: id, title: waitingIn(id, pending).Title, others: others}
		r.Script = sc
		all = append(all, r)
	}
	switch letters := f.Script.named(); {
	case f.Named != "":
		add(f.Named, f.Script)
	case len(letters) > 0:
		ids, of, err := f.owners(ctx, conn, letters, pending)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			add(id, f.Script.only(of[id]))
		}
	case f.JSON, !f.Script.empty():
		add(pending[0].ID, f.Script)
	default:
		for _, p := range pending {
			if len(f.Files) == 0 || f.waitsIn(ctx, conn, p.ID) {
				add(p.ID, f.Script)
			}
		}
		if len(all) == 0 {
			add(pending[0].ID, f.Script)
		}
	}
	return all, nil
}

// waitsIn reports whether a session has letters that wait in the files.
func (f Config) waitsIn(ctx context.Context, conn *dial.Conn, id string) bool {
	all, err := conn.Letters(ctx, id)
	return err == nil && slices.ContainsFunc(all.Changes, func(c view.Change) bool {
		return c.State.Undecided() && slices.Contains(f.Files, c.Name)
	})
}

// owners are the sessions of letters, in the order of these, and which are whose.
func (f Config) owners(ctx context.Context, conn *dial.Conn, letters []string, pending []session.PendingSession) (ids []string, of map[string][]string, err error) {
	of = map[string][]string{}
	var unknown, known []string
	for _, p := range pending {
		known = append(known, p.Letters...)
	}
	for _, l := range letters {
		id, err := conn.Whose(ctx, l)
		if err != nil {
			return nil, nil, err
		}
		if i := slices.IndexFunc(pending, func(p session.PendingSession) bool { return slices.Contains(p.Letters, l) }); id == "" && i >= 0 {
			id = pending[i].ID // it may not be open
		}
		switch {
		case id == "":
			unknown = append(unknown, l)
		case of[id] == nil:
			ids = append(ids, id)
		}
		of[id] = append(of[id], l)
	}
	slices.Sort(known)
	switch {
	case len(unknown) > 0:
		err = term.Usage(f.Galley("review")+" shows them", "%s", noLetter(unknown, known))
	case len(ids) > 1 && (f.Script.Commit || f.Script.Revert != ""):
		err = term.Usage("decide about each session by itself", "--commit and --revert are about one session, and %s are letters of %d", strings.Join(letters, ", "), len(ids))
	}
	return ids, of, err
}

// Check refuses flags that do not go together.
func (f Config) Check() error {
	acts := !f.Script.empty()
	switch {
	case f.List && (acts || f.Interactive):
		return term.Usage("leave one of them out", "--list only lists; it decides nothing")
	case len(f.Files) > 0 && (f.Script.Commit || f.Script.Revert != "" || f.List):
		return term.Usage("leave the file out", "--commit, --revert and --list are about whole editing sessions")
	case f.Interactive && (f.JSON || acts):
		return term.Usage("leave one of them out", "--interactive asks, so neither --json nor decisions on the command line go with it")
	}
	return f.Script.Check()
}

// noFile refuses a file that is not there, and that no letter is about.
func (f Config) noFile(letters []view.Change) error {
	for _, name := range f.Files {
		_, err := os.Stat(filepath.Join(f.Session.Workspace, filepath.FromSlash(name)))
		if err != nil && !slices.ContainsFunc(letters, func(c view.Change) bool { return c.Name == name }) {
			return term.Usage(f.Galley("review", "--list")+" names the sessions with letters that wait", "there is no file %s, and no letter about it", name)
		}
	}
	return nil
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
	title  string
	others []session.PendingSession

	several bool // sessions are under review
}

// asks reports whether the person is asked.
func (f Config) asks() bool {
	return f.Script.empty() && !f.JSON && (f.Interactive || f.Console.Interactive())
}

// decide reviews the session; left: the person wants no other one.
func (r reviewed) decide(ctx context.Context, s Table) (left bool, err error) {
	rev := &Reviewer{Console: r.Console, Session: s, Keyboard: term.NewKeyboard(r.Console.In), Files: r.Files, Log: r.Log}
	if err := rev.look(ctx); err != nil {
		return false, err
	}
	if err := r.noFile(rev.all()); err != nil {
		return false, err
	}
	switch {
	case !r.Script.empty():
		rev.Galley = r.Galley
		r.Console.Err.Line(term.Faint, "session "+r.called())
		return false, r.scripted(ctx, rev)
	case r.JSON:
		return false, errors.Join(term.PrintJSON(r.Console.Out, r.state(rev)), term.EndedWith(exitOfReview(rev)))
	}
	r.introduce(rev)
	if r.asks() {
		if err := rev.Review(ctx); err != nil {
			return true, err
		}
		r.farewell(rev)
	} else {
		rev.open()
		r.advise(rev)
	}
	return rev.left, term.EndedWith(exitOfReview(rev))
}

func exitOfReview(rev *Reviewer) int {
	if len(rev.Waiting()) > 0 {
		return term.ExitWaiting
	}
	return term.ExitDone
}

// introduce says which session this is, and which others wait that are not under review.
func (r reviewed) introduce(rev *Reviewer) {
	s := r.Console.Err
	if r.several { // whose letters come is part of what is shown
		s = r.Console.Out
	} else {
		for _, o := range r.others {
			s.Lines(term.Faint, "also waiting: "+r.Galley("review", "--session", o.ID)+" · "+sessionLine(o))
		}
	}
	s.Line(term.Faint, "session "+r.called())
	if len(rev.Waiting()) == 0 {
		r.Console.Out.Println("Nothing to review in " + strings.Join(append(r.Files, "session "+r.id+"."), ", "))
		r.Console.Out.Print(rev.entries(rev.all()))
	}
}

// called is the session by its id and its title.
func (r reviewed) called() string {
	if r.title == "" {
		return r.id
	}
	return r.id + " · " + term.OneLine(r.title, 60)
}

// waitingIn is what waits in a session, as far as anything does.
func waitingIn(id string, pending []session.PendingSession) session.PendingSession {
	for _, p := range pending {
		if p.ID == id {
			return p
		}
	}
	return session.PendingSession{}
}

// advise names the commands that decide, with the letters that there are.
func (r reviewed) advise(rev *Reviewer) {
	staged := LettersOf(slices.DeleteFunc(rev.Waiting(), func(c view.Change) bool { return c.State == editing.Conflict }))
	if len(staged) > 0 {
		line := "decide: " + r.Galley("review", "--session", r.id) + " --apply " + staged[0]
		if len(staged) > 1 {
			line += " --reject " + staged[1] + " --reason \"…\""
		}
		r.Console.Err.Println(line)
	}
	for _, c := range rev.Waiting() {
		if c.State == editing.Conflict {
			r.Console.Err.Println("decide a conflict: " + r.Galley("review", "--session", r.id) + " --keep-mine " + c.Letter + ", or --take-agents " + c.Letter + ", or --ask-again " + c.Letter)
			return
		}
	}
}

// farewell says how things stand, and how to change one's mind.
func (r reviewed) farewell(rev *Reviewer) {
	waits := LettersOf(rev.Waiting())
	Remind(r.Console.Err, waits, r.Galley, r.id)
	if rev.remarked {
		r.Console.Err.Println("the agent has not heard your remarks yet: " + r.Galley("run", "--session", r.id) + " lets it go on with them")
	}
	for _, c := range rev.all() {
		if len(waits) == 0 && c.State == editing.Rejected {
			r.Console.Err.Line(term.Faint, "all decided; to bring a letter back: "+r.Galley("review", "--session", r.id)+" --unreject "+c.Letter)
			return
		}
	}
}
