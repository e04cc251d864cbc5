package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// reviewable is what a review needs of an agent session.
type reviewable interface {
	ID() string
	Snapshot() *editing.Snapshot
	OpenEdits() []*editing.Session
	Refresh(ctx context.Context) error
	Decide(d session.Decision) (editing.Result, error)
}

// reviewer asks a person about letters, one answer after the other, until all are decided or he leaves.
type reviewer struct {
	c       term.Console
	session reviewable
	typed   *term.Keyboard
	edit    int    // only this editing session, 0: all that are open
	focus   string // the letter that is shown by itself, "": none
}

// tooMany letters are listed, and then shown one by one.
const tooMany = 8

// review asks until nothing waits. What is undecided when he leaves stays so.
func (r *reviewer) review(ctx context.Context) error {
	if err := r.session.Refresh(ctx); err != nil {
		return fmt.Errorf("read the files again: %w", err)
	}
	if len(r.waiting()) == 0 {
		return nil
	}
	r.open()
	for len(r.waiting()) > 0 {
		line, ok := r.ask(ctx, r.question())
		if !ok {
			return nil
		}
		r.c.Out = r.c.Out.Now()
		if err := r.session.Refresh(ctx); err != nil {
			return fmt.Errorf("read the files again: %w", err)
		}
		a, problem := parseAnswer(line, lettersOf(r.all()))
		switch {
		case problem != "":
			r.c.Out.Println(r.c.Out.Paint(term.Ask, problem))
		case a.verb == verbQuit:
			return nil
		default:
			r.do(ctx, a)
		}
	}
	return nil
}

// open shows what there is to decide.
func (r *reviewer) open() {
	total := len(r.waiting())
	for _, e := range r.sessions() {
		if total <= tooMany {
			r.c.Out.Print(drawn(r.c.Out, e, r.waitingIn(e)) + "\n")
			continue
		}
		r.c.Out.Print(headOf(r.c.Out, e) + r.entries(r.waitingIn(e)) + "\n")
	}
	if total > tooMany {
		r.step(0)
	}
}

func (r *reviewer) entries(changes []view.Change) string {
	var b strings.Builder
	for _, c := range changes {
		b.WriteString("  " + strings.ReplaceAll(entry(r.c.Out, c), "\n", "\n  ") + "\n")
	}
	return b.String()
}

// question names what waits and the answers that are worth a word now.
func (r *reviewer) question() string {
	letters := lettersOf(r.waiting())
	words := []string{"[a]pply all", "letters (" + exampleOf(letters) + ")", "[r]eject", "[d]iff", "[q]uit (keep)", "[?] more"}
	if slices.ContainsFunc(r.waiting(), func(c view.Change) bool { return c.State == editing.Conflict }) {
		words = slices.Insert(words, 3, "conflict: [m]ine [t]ake the agent's a[s]k again")
	}
	if r.focus != "" {
		words = slices.Insert(words, 4, "[n]ext")
	}
	return term.Wrap(strings.Join(letters, ", ")+" · "+strings.Join(words, ", "), r.c.Out.Width)
}

func exampleOf(letters []string) string {
	if len(letters) == 1 {
		return letters[0]
	}
	return letters[0] + "," + letters[len(letters)-1]
}

// ask puts a question and waits for a line. There is none when the input ends, or when he interrupts.
func (r *reviewer) ask(ctx context.Context, question string) (line string, ok bool) {
	r.c.Out.Print(r.c.Out.Paint(term.Ask, question) + "\n> ")
	line, ok = r.typed.Line(ctx)
	if !r.c.InIsTerm || !ok {
		r.c.Out.Println(term.Clean(line)) // what a terminal has echoed
	}
	return line, ok
}

// do carries an answer out.
func (r *reviewer) do(ctx context.Context, a answer) {
	switch a.verb {
	case verbApply:
		r.tell(r.session.Decide(session.Apply(r.choices(r.appliable(a.letters)))))
	case verbReject:
		r.reject(ctx, a)
	case verbUnreject:
		r.tell(r.session.Decide(session.Unreject(r.choices(a.letters))))
	case verbMine, verbAgents, verbAgain:
		for _, c := range r.choices(a.letters) {
			r.tell(r.session.Decide(session.Resolve(c, string(a.verb))))
		}
	case verbCommit:
		r.tell(r.session.Decide(session.Commit(cmp.Or(a.edit, r.edit), a.text, nil)))
	case verbRevert:
		r.tell(r.session.Decide(session.Revert(cmp.Or(a.edit, r.edit), a.text)))
	default:
		r.show(a)
		return
	}
	r.goOn()
}

// reject asks for what was not said: which letters, and why.
func (r *reviewer) reject(ctx context.Context, a answer) {
	waiting := lettersOf(r.waiting())
	switch {
	case len(a.letters) > 0:
	case r.focus != "":
		a.letters = []string{r.focus}
	case len(waiting) > 1:
		line, ok := r.ask(ctx, "reject which? Enter for all: "+strings.Join(waiting, ", "))
		named, rest, problem := leadingLetters(strings.TrimSpace(line), waiting)
		if !ok || problem != "" || rest != "" {
			r.c.Out.Println(r.c.Out.Paint(term.Ask, "nothing is rejected: "+cmp.Or(problem, "those are no letters")))
			return
		}
		a.letters = named
	}
	if len(a.letters) == 0 {
		a.letters = waiting
	}
	if a.text == "" {
		line, ok := r.ask(ctx, "why? The agent hears it; Enter for no reason")
		if !ok {
			r.c.Out.Println(r.c.Out.Paint(term.Ask, "nothing is rejected"))
			return
		}
		a.text = strings.TrimSpace(line)
	}
	r.tell(r.session.Decide(session.Reject(r.choices(a.letters), a.text)))
}

// show answers what changes nothing.
func (r *reviewer) show(a answer) {
	out := r.c.Out
	switch {
	case a.verb == verbHelp:
		out.Print(answerHelp(out))
	case a.verb == verbList:
		out.Print(r.entries(r.all()))
	case a.verb == verbNext:
		r.step(1)
	case a.verb == verbPrevious:
		r.step(-1)
	case len(a.letters) > 0:
		chosen := slices.DeleteFunc(r.all(), func(c view.Change) bool { return !slices.Contains(a.letters, c.Letter) })
		out.Print(drawnLetters(out, chosen))
	default:
		for _, e := range r.sessions() {
			out.Print(drawnPatch(out, cmp.Or(view.Diff(r.session.Snapshot(), e.Owner, e.N), "nothing is staged; conflicts are in no patch\n")))
		}
	}
}

// step shows the letter that is some places further on by itself.
func (r *reviewer) step(by int) {
	letters := lettersOf(r.waiting())
	at, found := slices.BinarySearch(letters, r.focus)
	switch {
	case r.focus == "" && by > 0:
		at = 0
	case !found && by > 0:
		// the letter behind the one that is gone
	default:
		at += by
	}
	at = (at + len(letters)) % len(letters)
	r.focus = letters[at]
	r.c.Out.Print(drawnLetters(r.c.Out, r.waiting()[at:at+1]) + "\n")
}

// goOn moves to the next letter when the one that is shown has been decided.
func (r *reviewer) goOn() {
	waiting := lettersOf(r.waiting())
	if r.focus != "" && len(waiting) > 0 && !slices.Contains(waiting, r.focus) {
		r.step(1)
	}
}

// tell says what became of a decision.
func (r *reviewer) tell(res editing.Result, err error) { r.say(r.outcome(res, err)) }

// outcome is what became of a decision, as programs read it.
func (r *reviewer) outcome(res editing.Result, err error) tools.Outcome {
	return tools.Decided(r.session.Snapshot(), r.session.ID(), res, err)
}

func (r *reviewer) say(o tools.Outcome) {
	for _, line := range outcomeLines(o) {
		r.c.Out.Println(r.c.Out.Paint(line.As, line.Text))
	}
}

func answerHelp(s term.Screen) string {
	var b strings.Builder
	for _, w := range answerWords {
		b.WriteString("  " + s.Paint(term.Strong, term.Pad(w.form, 18)) + w.does + "\n")
	}
	return b.String() + "  " + term.Pad("A,C", 18) + "the same as a A,C; letters are capitals, A-C is a range\n"
}
