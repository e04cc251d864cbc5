package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// This file remembers what a person was shown, since nobody takes in one go what they did not see.

// drawn draws letters.
func (r *Reviewer) drawn(changes []view.Change) string {
	if r.drew == nil {
		r.drew = map[string]view.Lines{}
	}
	for _, c := range changes {
		r.drew[c.Letter] = c.Lines
		if hiddenOf(c) == "" {
			r.saw(c)
		}
	}
	return drawnLetters(r.Console.Out, changes)
}

func (r *Reviewer) saw(c view.Change) {
	if r.seen == nil {
		r.seen = map[string]int{}
	}
	r.seen[c.Letter] = c.Revision
}

// unseen are the staged letters, of one editing session or of all, that were not shown whole, as they are now.
func (r *Reviewer) unseen(edit int) []string {
	return LettersOf(slices.DeleteFunc(r.Waiting(), func(c view.Change) bool {
		return c.State != editing.Staged || edit != 0 && c.Session != edit || r.seen[c.Letter] == c.Revision
	}))
}

// mine are those letters that did not wait before the run under review.
func (r *Reviewer) mine(letters []string) []string {
	waited := func(l string) bool {
		return slices.ContainsFunc(r.Earlier, func(c editing.Choice) bool { return c.Letter == l })
	}
	return slices.DeleteFunc(slices.Clone(letters), waited)
}

// ofRun says what all means where other letters wait, too.
func (r *Reviewer) ofRun() string {
	if waiting := LettersOf(r.Waiting()); len(r.mine(waiting)) < len(waiting) {
		return " of this run"
	}
	return ""
}

// apply takes the letters named, else all of the run that were shown whole.
func (r *Reviewer) apply(ctx context.Context, named []string) {
	letters := named
	if len(named) == 0 {
		if letters = r.shownWhole(); len(letters) == 0 {
			return
		}
		if r.focus != "" && len(letters) > 1 && !r.sure(ctx, fmt.Sprintf("apply all %d: %s?", len(letters), strings.Join(letters, ", "))) {
			r.warn("nothing is applied")
			return
		}
	}
	r.decide(ctx, session.Verdict{Op: session.VerdictApply, Choices: r.choices(letters)}, letters)
}

// shownWhole are all letters that can be taken at once, and says which are not among them.
func (r *Reviewer) shownWhole() []string {
	all := r.appliable()
	letters := r.mine(all)
	if len(letters) < len(all) {
		r.warn("not among them, since they waited before this run: " + strings.Join(slices.DeleteFunc(all, func(l string) bool { return slices.Contains(letters, l) }), ", "))
	}
	left := slices.DeleteFunc(r.unseen(0), func(l string) bool { return !slices.Contains(letters, l) })
	if len(left) > 0 {
		r.warn("not among them: " + notAll(left))
	}
	return slices.DeleteFunc(letters, func(l string) bool { return slices.Contains(left, l) })
}

// notAll says of letters that they were not shown whole, and what to do.
func notAll(letters []string) string {
	return "not all was shown of " + strings.Join(letters, ", ") + "; d shows it as a patch, a " + letters[0] + " takes it all the same"
}
