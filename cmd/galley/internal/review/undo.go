package review

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp/dial"
	"github.com/galley-ls/galley/memory"
)

// Undo is what is taken back, and how.
type Undo struct {
	Console   term.Console
	Workspace string
	Galley    func(words ...string) string         // a command line that works in the same place, to be copied
	Connect   func(stays bool) (*dial.Conn, error) // to the host of the workspace
	Name      string                               // of the decision, "": the latest that stands
	Last      bool                                 // the latest, unasked
	List      bool
	JSON      bool
}

// Check refuses what does not go together.
func (u Undo) Check() error {
	if u.List && (u.Last || u.Name != "") || u.Last && u.Name != "" {
		return term.Usage("leave one of them out", "--list, --last and the name of a decision do not go together")
	}
	return nil
}

// Run takes a decision back.
func (u Undo) Run(ctx context.Context) error {
	conn, err := u.Connect(false)
	if err != nil {
		return err
	}
	return errors.Join(u.with(ctx, conn), conn.Close())
}

func (u Undo) with(ctx context.Context, h *dial.Conn) error {
	all, err := h.History(ctx)
	switch {
	case err != nil:
		return err
	case u.List:
		return u.list(all)
	case u.Name != "":
		return u.takeBack(ctx, h, memory.Decision{ID: u.Name})
	}
	for _, d := range all {
		if !d.Stands {
			continue
		}
		if !u.Last && (!u.Console.Interactive() || u.JSON) {
			return term.Usage(u.Galley("undo", "--last")+" takes it back, "+u.Galley("undo", "--list")+" shows the others",
				"say which decision: the latest is %s, %s", shortName(d.Decision), about(d.Decision))
		}
		if err := u.takeBack(ctx, h, d.Decision); !errors.Is(err, errTakenBack) { // else its text was out already
			return err
		}
	}
	if u.JSON {
		return term.PrintJSON(u.Console.Out, map[string]any{"undone": nil})
	}
	u.Console.Out.Println("Nothing to take back in " + term.Clean(u.Workspace) + ".")
	return nil
}

// sure asks about a decision that the host does not know to be meant.
func (u Undo) sure(ctx context.Context, d memory.Decision) bool {
	u.Console.Out.Println(term.Clean(about(d)))
	keys := term.NewKeyboard(u.Console.In)
	keys.Forget()
	if sure(ctx, keys, u.Console.Out, "take it back?") {
		return true
	}
	u.Console.Err.Println("nothing was taken back")
	return false
}

// errTakenBack says that nothing of the latest decision stood any more.
var errTakenBack = errors.New("taken back already")

// undoneState is what was taken back, for programs.
type undoneState struct {
	Decision string   `json:"decision"`
	What     string   `json:"what"`
	Letters  []string `json:"letters"`
	Files    []string `json:"files"`
	Hint     string   `json:"hint,omitempty"`
}

func (u Undo) takeBack(ctx context.Context, h *dial.Conn, d memory.Decision) error {
	done, err := h.Undo(ctx, d.ID, u.Name == "" && !u.Last)
	if err == nil && done.Question != "" {
		if !u.sure(ctx, d) {
			return term.EndedWith(term.ExitError)
		}
		done, err = h.Undo(ctx, d.ID, false)
	}
	c := u.Console
	switch {
	case err != nil:
		return err
	case done.Code == editing.CodeTakenBack && u.Name == "":
		return errTakenBack
	case done.Code == host.CodeUnknown || done.Code == "bad_arguments":
		return term.Usage(u.Galley("undo", "--list")+" shows them", "%s", done.Hint)
	case u.JSON && !done.OK:
		return errors.Join(term.PrintJSON(c.Out, map[string]string{"status": done.Status, "code": done.Code, "hint": done.Hint}), term.EndedWith(term.ExitError))
	case u.JSON:
		state := undoneState{done.Of.ID, done.Of.What, append([]string{}, done.Letters...), append([]string{}, done.Files...), done.Hint}
		return term.PrintJSON(c.Out, map[string]any{"undone": state})
	case !done.OK:
		c.Out.Println(c.Out.Paint(term.Bad, "! not done: ") + term.Clean(done.Hint))
		return term.EndedWith(term.ExitError)
	}
	c.Out.Println(c.Out.Paint(term.Good, "✓ undone: ") + term.Clean(session.Called(done.Of)+" in "+strings.Join(done.Files, ", ")))
	if done.Hint != "" {
		c.Out.Line(term.Faint, "  "+done.Hint)
	}
	waits := LettersOf((&Reviewer{Session: Remote{Link: dial.LinkTo(h), Session: done.Of.Session}}).Waiting())
	waits = slices.DeleteFunc(waits, func(l string) bool { return !slices.Contains(done.Letters, l) })
	Remind(c.Err, waits, u.Galley, done.Of.Session)
	return nil
}

// list shows the decisions within reach, the newest first.
func (u Undo) list(all []host.Standing) error {
	if u.JSON {
		return term.PrintJSON(u.Console.Out, map[string]any{"decisions": listed(all)})
	}
	for _, d := range all {
		as, end := term.Plain, ""
		if !d.Stands && d.What != session.WhatUndo && d.What != session.WhatUnreject {
			as, end = term.Faint, " · does not stand"
		}
		u.Console.Out.Line(as, shortName(d.Decision)+"  "+about(d.Decision)+end)
	}
	if len(all) == 0 {
		u.Console.Out.Println("No decision of the last days.")
	}
	return nil
}

// decisionState is a decision, for programs.
type decisionState struct {
	Decision string   `json:"decision"`
	What     string   `json:"what"`
	Session  string   `json:"session"`
	Edit     int      `json:"edit"`
	Letters  []string `json:"letters"`
	Files    []string `json:"files"`
	By       string   `json:"by"`
	Time     string   `json:"time"`
	Stands   bool     `json:"stands"`
}

func listed(all []host.Standing) []decisionState {
	out := []decisionState{}
	for _, d := range all {
		st := decisionState{
			Decision: d.ID, What: d.What, Session: d.Session, Edit: d.Edit, Letters: []string{}, Files: filesOf(d.Decision),
			By: d.By.String(), Time: d.Time.Format(time.RFC3339), Stands: d.Stands,
		}
		for _, l := range d.Letters {
			st.Letters = append(st.Letters, l.Letter)
		}
		out = append(out, st)
	}
	return out
}

func filesOf(d memory.Decision) []string {
	out := []string{}
	for _, l := range d.Letters {
		if !slices.Contains(out, l.File) {
			out = append(out, l.File)
		}
	}
	return out
}

// shortName is the end of a decision's name: enough to say which.
func shortName(d memory.Decision) string { return d.ID[max(0, len(d.ID)-6):] }

// about is a decision in a few words: "A applied in src/app.py · 2 min ago · terminal".
func about(d memory.Decision) string {
	line := session.Called(d)
	if files := filesOf(d); len(files) > 0 {
		line += " in " + strings.Join(files, ", ")
	}
	return line + " · " + term.Ago(time.Since(d.Time)) + " · by " + cmp.Or(d.By.String(), "somebody")
}
