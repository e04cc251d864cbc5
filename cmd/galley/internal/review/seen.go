package review

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// This file remembers what a person was shown, since nobody takes in one go what they did not see.

// drawn draws letters.
func (r *Reviewer) drawn(changes []view.Change) string {
	for _, c := range changes {
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

// apply takes the letters named, else all that were shown whole.
func (r *Reviewer) apply(named []string) {
	letters := r.appliable(named)
	if left := r.unseen(0); len(named) == 0 && len(left) > 0 {
		out := r.Console.Out
		out.Println(out.Paint(term.Ask, "not among them: "+notAll(left)))
		if letters = slices.DeleteFunc(letters, func(l string) bool { return slices.Contains(left, l) }); len(letters) == 0 {
			return
		}
	}
	r.tell(r.Session.Decide(session.Apply(r.choices(letters))))
}

// notAll says of letters that they were not shown whole, and what to do.
func notAll(letters []string) string {
	return "not all was shown of " + strings.Join(letters, ", ") + "; d shows it as a patch, a " + letters[0] + " takes it all the same"
}
