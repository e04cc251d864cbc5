package main

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
)

// sessions are the editing sessions under review that have something undecided.
func (r *reviewer) sessions() []*editing.Session {
	snap := r.session.Snapshot()
	return slices.DeleteFunc(r.session.OpenEdits(), func(e *editing.Session) bool {
		return r.edit != 0 && e.N != r.edit || len(undecided(snap, e)) == 0
	})
}

// waiting are the letters under review that are undecided.
func (r *reviewer) waiting() []*editing.Change {
	var out []*editing.Change
	for _, e := range r.sessions() {
		out = append(out, undecided(r.session.Snapshot(), e)...)
	}
	return byLetter(out)
}

// all are the letters under review, decided ones too.
func (r *reviewer) all() []*editing.Change {
	var out []*editing.Change
	for _, e := range r.session.OpenEdits() {
		if r.edit == 0 || e.N == r.edit {
			out = append(out, r.session.Snapshot().Of(e.Owner, e.N)...)
		}
	}
	return byLetter(slices.DeleteFunc(out, func(c *editing.Change) bool {
		return c.State == editing.Merged || c.State == editing.Closed
	}))
}

func byLetter(changes []*editing.Change) []*editing.Change {
	slices.SortFunc(changes, func(a, b *editing.Change) int { return strings.Compare(a.Letter, b.Letter) })
	return changes
}

func lettersOf(changes []*editing.Change) []string {
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
	staged := slices.DeleteFunc(r.waiting(), func(c *editing.Change) bool { return c.State == editing.Conflict })
	if len(staged) == 0 {
		return lettersOf(r.waiting()) // the answer will say what can be done about conflicts
	}
	return lettersOf(staged)
}

// choices name letters as they were shown: a letter that was amended since is refused.
func (r *reviewer) choices(letters []string) []editing.Choice {
	return shown(slices.DeleteFunc(r.all(), func(c *editing.Change) bool { return !slices.Contains(letters, c.Letter) }))
}

func shown(changes []*editing.Change) []editing.Choice {
	var out []editing.Choice
	for _, c := range changes {
		out = append(out, editing.Choice{Letter: c.Letter, Revision: c.Revision})
	}
	return out
}
