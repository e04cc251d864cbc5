package main

import (
	"slices"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// sessions are the editing sessions under review that have something undecided.
func (r *reviewer) sessions() []*editing.Session {
	return slices.DeleteFunc(r.session.OpenEdits(), func(e *editing.Session) bool { return len(r.waitingIn(e)) == 0 })
}

// all are the letters under review, decided ones too.
func (r *reviewer) all() []view.Change {
	return slices.DeleteFunc(view.All(r.session.Snapshot(), r.session.ID()).ByLetter(), func(c view.Change) bool {
		return r.edit != 0 && c.Session != r.edit
	})
}

// waiting are the letters under review that are undecided.
func (r *reviewer) waiting() []view.Change {
	return slices.DeleteFunc(r.all(), func(c view.Change) bool { return !c.State.Undecided() })
}

// waitingIn are those of one editing session.
func (r *reviewer) waitingIn(e *editing.Session) []view.Change {
	return slices.DeleteFunc(r.waiting(), func(c view.Change) bool { return c.Session != e.N })
}

func lettersOf(changes []view.Change) []string {
	letters := []string{}
	for _, c := range changes {
		letters = append(letters, c.Letter)
	}
	return letters
}

// appliable are the letters named, else all that can be applied as they are.
func (r *reviewer) appliable(named []string) []string {
	if len(named) > 0 {
		return named
	}
	staged := slices.DeleteFunc(r.waiting(), func(c view.Change) bool { return c.State == editing.Conflict })
	if len(staged) == 0 {
		return lettersOf(r.waiting()) // the answer will say what can be done about conflicts
	}
	return lettersOf(staged)
}

// choices name letters as they were shown: a letter that was amended since is refused.
func (r *reviewer) choices(letters []string) []editing.Choice {
	return shown(slices.DeleteFunc(r.all(), func(c view.Change) bool { return !slices.Contains(letters, c.Letter) }))
}

func shown(changes []view.Change) []editing.Choice {
	var out []editing.Choice
	for _, c := range changes {
		out = append(out, editing.Choice{Letter: c.Letter, Revision: c.Revision})
	}
	return out
}
