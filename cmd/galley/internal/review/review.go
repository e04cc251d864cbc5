package review

import (
	"context"
	"errors"
	"fmt"
	"maps"
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
	conn, err := f.Connect(f.asks())
	if err != nil {
		return err
	}
	return errors.Join(f.on(ctx, conn, pending), conn.Close())
}

// on reviews a session: the one that is named, else those whose the letters are, one after the other, else the newest.
func (f Config) on(ctx context.Context, conn *dial.Conn, pending []session.PendingSession) error {
	parts, err := f.parts(func(letter string) (string, error) { return conn.Whose(ctx, letter) })
	if err != nil {
		return err
	}
	if f.Named == "" && f.Script.empty() {
		parts[0].Named = f.newest(ctx, conn, pending)
	}
	exit := term.ExitDone
	for i, part := range parts {
		id, others := Pick(pending, part.Named)
		err := reviewed{Config: part, id: id, title: titleOf(id, pending), others: others}.decide(ctx, Remote{Conn: conn, Session: id})
		var end term.Ended
		if err != nil && !errors.As(err, &end) || int(end) == term.ExitError {
			for _, left := range parts[i+1:] {
				f.Console.Err.Println("! nothing is done about " + strings.Join(left.Script.named(), ", ") + ", of session " + left.Named)
			}
			return err
		}
		exit = max(exit, int(end))
	}
	return term.EndedWith(exit)
}

// newest is the newest session that is open at the host, and tells why newer ones are not; "" if none is.
func (f Config) newest(ctx context.Context, conn *dial.Conn, pending []session.PendingSession) string {
	var closed []string
	for _, p := range pending {
		_, err := conn.Letters(ctx, p.ID)
		if err == nil {
			for _, why := range closed {
				f.Console.Err.Println(f.Console.Err.Paint(term.Ask, "! ") + term.Clean(why))
			}
			return p.ID
		}
		closed = append(closed, err.Error())
	}
	return ""
}

// parts are a script by the sessions whose its letters are.
func (f Config) parts(whose func(letter string) (string, error)) (parts []Config, err error) {
	if f.Named != "" || len(f.Script.named()) == 0 {
		return []Config{f}, nil
	}
	of := map[string][]string{}
	for _, letter := range f.Script.named() {
		id, err := whose(letter)
		if err != nil {
			return nil, err
		}
		of[id] = append(of[id], letter)
	}
	ids := slices.Sorted(maps.Keys(of)) // the oldest first
	if len(ids) > 1 && ids[0] == "" {   // it tells which letters there are
		of[ids[1]] = append(of[ids[1]], of[""]...)
		ids = ids[1:]
	}
	if len(ids) > 1 && (f.Script.Commit || f.Script.Revert != "") {
		return nil, term.Usage("decide about the letters first, or name a session with --session", "the letters are of several sessions, and --commit and --revert are about one")
	}
	for _, id := range ids {
		part := f
		part.Named, part.Script = id, f.Script.of(of[id])
		parts = append(parts, part)
	}
	return parts, nil
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
}

// asks reports whether the person is asked.
func (f Config) asks() bool {
	return f.Script.empty() && !f.JSON && (f.Interactive || f.Console.Interactive())
}

func (r reviewed) decide(ctx context.Context, s Table) error {
	rev := &Reviewer{Console: r.Console, Session: s, Keyboard: term.NewKeyboard(r.Console.In), Files: r.Files, Log: r.Log}
	if err := rev.look(ctx); err != nil {
		return err
	}
	if err := r.noFile(rev.all()); err != nil {
		return err
	}
	switch {
	case !r.Script.empty():
		rev.Galley = r.Galley
		r.Console.Err.Line(term.Faint, "session "+r.called())
		return r.scripted(ctx, rev)
	case r.JSON:
		return errors.Join(term.PrintJSON(r.Console.Out, r.state(rev)), term.EndedWith(exitOfReview(rev)))
	}
	r.introduce(rev)
	if r.asks() {
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
		r.Console.Err.Lines(term.Faint, "also waiting: "+r.Galley("review", "--session", o.ID)+" · "+sessionLine(o))
	}
	r.Console.Err.Line(term.Faint, "session "+r.called())
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

func titleOf(id string, pending []session.PendingSession) string {
	for _, p := range pending {
		if p.ID == id {
			return p.Title
		}
	}
	return ""
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
