package review

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

// Reviewer asks a person about letters, one answer after the other, until all are decided or the person leaves.
type Reviewer struct {
	Console  term.Console
	Session  reviewable
	Keyboard *term.Keyboard
	Edit     int    // only this editing session, 0: all that are open
	focus    string // the letter that is shown by itself, "": none

	seen map[string]int // letters all of which was shown, and in which revision
}

// tooMany letters are listed, and then shown one by one.
const tooMany = 8

// Review asks until nothing waits. What is undecided when they leave stays so.
func (r *Reviewer) Review(ctx context.Context) error {
	if err := r.Session.Refresh(ctx); err != nil {
		return fmt.Errorf("read the files again: %w", err)
	}
	if len(r.Waiting()) == 0 {
		return nil
	}
	r.open()
	for len(r.Waiting()) > 0 {
		line, ok := r.ask(ctx, r.question())
		if !ok {
			return nil
		}
		r.Console.Out = r.Console.Out.Now()
		if err := r.Session.Refresh(ctx); err != nil {
			return fmt.Errorf("read the files again: %w", err)
		}
		a, problem := parseAnswer(line, LettersOf(r.all()))
		switch {
		case problem != "":
			r.Console.Out.Println(r.Console.Out.Paint(term.Ask, problem))
		case a.verb == verbQuit:
			return nil
		default:
			r.do(ctx, a)
		}
	}
	return nil
}

// open shows what there is to decide.
func (r *Reviewer) open() {
	total := len(r.Waiting())
	for _, e := range r.Sessions() {
		if total <= tooMany {
			r.Console.Out.Print(headOf(r.Console.Out, e) + r.drawn(r.WaitingIn(e)) + "\n")
			continue
		}
		r.Console.Out.Print(headOf(r.Console.Out, e) + r.entries(r.WaitingIn(e)) + "\n")
	}
	if total > tooMany {
		r.step(0)
	}
}

func (r *Reviewer) entries(changes []view.Change) string {
	var b strings.Builder
	for _, c := range changes {
		b.WriteString("  " + strings.ReplaceAll(entry(r.Console.Out, c), "\n", "\n  ") + "\n")
	}
	return b.String()
}

// question names what waits and the answers that are worth a word now.
func (r *Reviewer) question() string {
	letters := LettersOf(r.Waiting())
	words := []string{"[a]pply all", "letters (" + exampleOf(letters) + ")", "[r]eject", "[d]iff", "[q]uit (keep)", "[?] more"}
	if slices.ContainsFunc(r.Waiting(), func(c view.Change) bool { return c.State == editing.Conflict }) {
		words = slices.Insert(words, 3, "conflict: [m]ine [t]ake the agent's a[s]k again")
	}
	if r.focus != "" {
		words = slices.Insert(words, 4, "[n]ext")
	}
	return term.Wrap(strings.Join(letters, ", ")+" · "+strings.Join(words, ", "), r.Console.Out.Width)
}

func exampleOf(letters []string) string {
	if len(letters) == 1 {
		return letters[0]
	}
	return letters[0] + "," + letters[len(letters)-1]
}

// ask puts a question and waits for a line. There is none when the input ends, or when the person interrupts.
func (r *Reviewer) ask(ctx context.Context, question string) (line string, ok bool) {
	r.Console.Out.Print(r.Console.Out.Paint(term.Ask, question) + "\n> ")
	line, ok = r.Keyboard.Line(ctx)
	if !r.Console.InIsTerm || !ok {
		r.Console.Out.Println(term.Clean(line)) // what a terminal has echoed
	}
	return line, ok
}

// do carries an answer out.
func (r *Reviewer) do(ctx context.Context, a answer) {
	switch a.verb {
	case verbApply:
		r.apply(a.letters)
	case verbReject:
		r.reject(ctx, a)
	case verbUnreject:
		r.tell(r.Session.Decide(session.Unreject(r.choices(a.letters))))
	case verbMine, verbAgents, verbAgain:
		for _, c := range r.choices(a.letters) {
			r.tell(r.Session.Decide(session.Resolve(c, string(a.verb))))
		}
	case verbCommit:
		if left := r.unseen(cmp.Or(a.edit, r.Edit)); len(left) > 0 {
			r.Console.Out.Println(r.Console.Out.Paint(term.Ask, "nothing is committed: "+notAll(left)))
			return
		}
		r.tell(r.Session.Decide(session.Commit(cmp.Or(a.edit, r.Edit), a.text, nil)))
	case verbRevert:
		r.tell(r.Session.Decide(session.Revert(cmp.Or(a.edit, r.Edit), a.text)))
	default:
		r.show(a)
		return
	}
	r.goOn()
}

// reject asks for what was not said: which letters, and why.
func (r *Reviewer) reject(ctx context.Context, a answer) {
	waiting := LettersOf(r.Waiting())
	switch {
	case len(a.letters) > 0:
	case r.focus != "":
		a.letters = []string{r.focus}
	case len(waiting) > 1:
		line, ok := r.ask(ctx, "reject which? Enter for all: "+strings.Join(waiting, ", "))
		named, rest, problem := leadingLetters(strings.TrimSpace(line), waiting)
		if !ok || problem != "" || rest != "" {
			r.Console.Out.Println(r.Console.Out.Paint(term.Ask, "nothing is rejected: "+cmp.Or(problem, "those are no letters")))
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
			r.Console.Out.Println(r.Console.Out.Paint(term.Ask, "nothing is rejected"))
			return
		}
		a.text = strings.TrimSpace(line)
	}
	r.tell(r.Session.Decide(session.Reject(r.choices(a.letters), a.text)))
}

// show answers what changes nothing.
func (r *Reviewer) show(a answer) {
	out := r.Console.Out
	switch {
	case a.verb == verbHelp:
		out.Print(AnswerHelp(out))
	case a.verb == verbList:
		out.Print(r.entries(r.all()))
	case a.verb == verbNext:
		r.step(1)
	case a.verb == verbPrevious:
		r.step(-1)
	case len(a.letters) > 0:
		chosen := slices.DeleteFunc(r.all(), func(c view.Change) bool { return !slices.Contains(a.letters, c.Letter) })
		out.Print(r.drawn(chosen))
	default:
		for _, c := range r.Waiting() { // a patch leaves nothing out
			r.saw(c)
		}
		for _, e := range r.Sessions() {
			out.Print(drawnPatch(out, cmp.Or(view.Diff(r.Session.Snapshot(), e.Owner, e.N), "nothing is staged; conflicts are in no patch\n")))
		}
	}
}

// step shows the letter that is some places further on by itself.
func (r *Reviewer) step(by int) {
	letters := LettersOf(r.Waiting())
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
	r.Console.Out.Print(r.drawn(r.Waiting()[at:at+1]) + "\n")
}

// goOn moves to the next letter when the one that is shown has been decided.
func (r *Reviewer) goOn() {
	waiting := LettersOf(r.Waiting())
	if r.focus != "" && len(waiting) > 0 && !slices.Contains(waiting, r.focus) {
		r.step(1)
	}
}

// tell says what became of a decision.
func (r *Reviewer) tell(res editing.Result, err error) { r.say(r.outcome(res, err)) }

// outcome is what became of a decision, as programs read it.
func (r *Reviewer) outcome(res editing.Result, err error) tools.Outcome {
	return tools.Decided(r.Session.Snapshot(), r.Session.ID(), res, err)
}

func (r *Reviewer) say(o tools.Outcome) {
	out := r.Console.Out
	for _, line := range outcomeLines(o) {
		out.Println(out.Paint(line.As, line.Text))
	}
	for _, d := range o.Decisions {
		c, ok := r.Session.Snapshot().Change(d.Letter)
		if !ok || c.State != editing.Applied {
			continue
		}
		if hidden := hiddenOf(view.Of(r.Session.Snapshot(), c)); hidden != "" {
			out.Println(out.Paint(term.Ask, "  of "+d.Letter+" "+hidden))
		}
	}
}

func AnswerHelp(s term.Screen) string {
	var b strings.Builder
	for _, w := range answerWords {
		b.WriteString("  " + s.Paint(term.Strong, term.Pad(w.form, 18)) + w.does + "\n")
	}
	return b.String() + "  " + term.Pad("A,C", 18) + "the same as a A,C; letters are capitals, A-C is a range\n"
}
