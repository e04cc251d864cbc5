package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
)

// This file carries out what a person answers.

// sure asks whether something is meant. Only a yes is one.
func sure(ctx context.Context, keys *term.Keyboard, out term.Screen, question string) bool {
	line, ok := keys.Ask(ctx, out, question+" [y]es; Enter: no")
	word := strings.ToLower(strings.TrimSpace(line))
	return ok && (word == "y" || word == "yes")
}

func (r *Reviewer) sure(ctx context.Context, question string) bool {
	return sure(ctx, r.Keyboard, r.Console.Out, question)
}

// do carries an answer out.
func (r *Reviewer) do(ctx context.Context, a answer) {
	switch a.verb {
	case verbApply, verbYes:
		r.apply(ctx, a.letters)
	case verbReject, verbNo:
		r.reject(ctx, a)
	case verbUnreject:
		r.decide(ctx, session.Verdict{Op: session.VerdictUnreject, Choices: r.choices(a.letters)}, nil)
	case verbMine, verbAgents, verbAgain:
		for _, c := range r.choices(a.letters) {
			r.decide(ctx, session.Verdict{Op: session.VerdictResolve, Choices: []editing.Choice{c}, Take: string(a.verb)}, []string{c.Letter})
		}
	case verbRemark:
		r.remark(ctx, a)
	case verbEdit:
		r.edit(ctx, a.letters[0])
	case verbSplit:
		r.split(ctx, a.letters[0], a.lines)
	case verbCommit:
		if left := r.unseen(cmp.Or(a.edit, r.Edit)); len(left) > 0 {
			r.warn("nothing is committed: " + notAll(left))
			return
		}
		r.decide(ctx, session.Verdict{Op: session.VerdictCommit, Edit: cmp.Or(a.edit, r.Edit), Reason: a.text}, LettersOf(r.Waiting()))
	case verbRevert:
		if going := r.going(cmp.Or(a.edit, r.Edit)); len(going) > 1 && !r.sure(ctx, throwsAway(going)) {
			r.warn("nothing is reverted")
			return
		}
		r.decide(ctx, session.Verdict{Op: session.VerdictRevert, Edit: cmp.Or(a.edit, r.Edit), Reason: a.text}, nil)
	default:
		r.show(a)
		return
	}
	r.goOn()
}

// going are the letters that a revert throws away: of the editing session, 0: of the only one.
func (r *Reviewer) going(edit int) []string {
	if open := r.letters().Edits; edit == 0 && len(open) == 1 {
		edit = open[0].N
	}
	return LettersOf(slices.DeleteFunc(r.Waiting(), func(c view.Change) bool { return c.Session != edit }))
}

// throwsAway is the question before a revert.
func throwsAway(letters []string) string {
	return fmt.Sprintf("revert throws %s away: %s. Do it?", text.Plural(len(letters), "change"), strings.Join(letters, ", "))
}

// reject asks for what was not said: which letters, and why.
func (r *Reviewer) reject(ctx context.Context, a answer) {
	waiting := LettersOf(r.Waiting())
	switch {
	case len(a.letters) > 0:
	case r.shown() != "":
		a.letters = []string{r.shown()}
	default:
		line, ok := r.Keyboard.Ask(ctx, r.Console.Out, "reject which? Enter for all: "+strings.Join(waiting, ", "))
		named, rest, problem := leadingLetters(strings.TrimSpace(line), r.named())
		if !ok || problem != "" || rest != "" {
			r.warn("nothing is rejected: " + cmp.Or(problem, "those are no letters"))
			return
		}
		if a.letters = named; len(named) == 0 {
			a.letters = waiting
		}
	}
	decided := slices.ContainsFunc(a.letters, func(l string) bool { return !slices.Contains(waiting, l) }) // the answer says so
	if a.text == "" && !decided {
		line, ok := r.Keyboard.Ask(ctx, r.Console.Out, "why? The agent hears it; Enter for no reason")
		if !ok {
			r.warn("nothing is rejected")
			return
		}
		a.text = strings.TrimSpace(line)
	}
	r.decide(ctx, session.Verdict{Op: session.VerdictReject, Choices: r.choices(a.letters), Reason: a.text}, nil)
}

// remark tells the agent something about letters, which stay as they are.
func (r *Reviewer) remark(ctx context.Context, a answer) {
	if a.text == "" {
		line, ok := r.Keyboard.Ask(ctx, r.Console.Out, "what? The agent hears it; Enter for nothing")
		if a.text = strings.TrimSpace(line); !ok || a.text == "" {
			r.warn("nothing is said")
			return
		}
	}
	for _, l := range a.letters {
		if err := r.Session.Comment(ctx, l, a.text); err != nil {
			r.warn("! not done: " + err.Error())
			return
		}
		r.remarked = true
		r.Console.Out.Println("→ " + l + ": the agent hears it with its next step")
	}
}

// decide carries a decision out that takes letters in, and says what became of it.
func (r *Reviewer) decide(ctx context.Context, v session.Verdict, letters []string) {
	o := r.outcome(ctx, v)
	r.say(o)
	r.waysOut(o, letters)
}

// outcome is what became of a decision, as programs read it. Where the letters stand is noted before they may be gone.
func (r *Reviewer) outcome(ctx context.Context, v session.Verdict) tools.Outcome {
	r.places, r.waited = map[string]string{}, LettersOf(r.Waiting())
	for _, c := range r.all() {
		r.places[c.Letter] = placeOf(r.Console.Out, c)
	}
	o := r.Session.Decide(ctx, v)
	r.now = nil
	r.own(o, v)
	if r.Log != nil {
		var letters []string
		for _, d := range o.Decisions {
			letters = append(letters, d.Letter+" "+d.State)
		}
		r.Log.Info("decided", zap.String("edit", o.SessionID), zap.String("status", o.Status), zap.String("code", o.Code), zap.Strings("letters", letters))
	}
	return o
}

func (r *Reviewer) say(o tools.Outcome) {
	out := r.Console.Out
	if o.Status == tools.StatusCommitted || o.Status == tools.StatusReverted { // it closes what was decided before, too
		o.Decisions = slices.DeleteFunc(slices.Clone(o.Decisions), func(d editing.Decision) bool { return !slices.Contains(r.waited, d.Letter) })
	}
	for _, line := range outcomeLines(out, o, r.places) {
		out.Println(out.Paint(line.As, line.Text))
	}
	for _, d := range o.Decisions {
		for _, c := range r.letters().Changes {
			if hidden := hiddenOf(c); c.Letter == d.Letter && c.State == editing.Applied && hidden != "" {
				out.Println(out.Paint(term.Ask, "  of "+d.Letter+" "+hidden))
			}
		}
	}
}
