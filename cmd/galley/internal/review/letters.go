package review

import (
	"context"
	"slices"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// look reads the letters anew.
func (r *Reviewer) look(ctx context.Context) error {
	now, err := r.Session.Letters(ctx)
	if err == nil {
		r.now = &now
	}
	return err
}

// letters are those of the session as they were last. What cannot be read is told by the next look.
func (r *Reviewer) letters() view.Letters {
	if r.now == nil && r.look(context.Background()) != nil {
		return view.Letters{}
	}
	return *r.now
}

// Sessions are the editing sessions under review that have something undecided.
func (r *Reviewer) Sessions() []view.Edit {
	return slices.DeleteFunc(slices.Clone(r.letters().Edits), func(e view.Edit) bool { return len(r.WaitingIn(e.Session)) == 0 })
}

// all are the letters under review, decided ones too.
func (r *Reviewer) all() []view.Change {
	return slices.DeleteFunc(slices.Clone(r.letters().Changes), func(c view.Change) bool {
		return r.Edit != 0 && c.Session != r.Edit || len(r.Files) > 0 && !slices.Contains(r.Files, c.Name)
	})
}

// named are the letters under review with their files as the person names them.
func (r *Reviewer) named() []view.Change {
	all := slices.Clone(r.all())
	for i, c := range all {
		as := *c.Change
		as.Name = r.Console.Out.Path(c.Name)
		all[i].Change = &as
	}
	return all
}

// Waiting are the letters under review that are undecided.
func (r *Reviewer) Waiting() []view.Change {
	return slices.DeleteFunc(r.all(), func(c view.Change) bool { return !c.State.Undecided() })
}

// WaitingIn are those of one editing session.
func (r *Reviewer) WaitingIn(e *editing.Session) []view.Change {
	return slices.DeleteFunc(r.Waiting(), func(c view.Change) bool { return c.Session != e.N })
}

func LettersOf(changes []view.Change) []string {
	letters := []string{}
	for _, c := range changes {
		letters = append(letters, c.Letter)
	}
	return letters
}

// appliable are the letters that can be applied as they are.
func (r *Reviewer) appliable() []string {
	staged := slices.DeleteFunc(r.Waiting(), func(c view.Change) bool { return c.State == editing.Conflict })
	if len(staged) == 0 {
		return LettersOf(r.Waiting()) // the answer will say what can be done about conflicts
	}
	return LettersOf(staged)
}

// choices name letters as they were shown: a letter that was amended since is refused.
func (r *Reviewer) choices(letters []string) []editing.Choice {
	return Shown(slices.DeleteFunc(r.all(), func(c view.Change) bool { return !slices.Contains(letters, c.Letter) }))
}

func Shown(changes []view.Change) []editing.Choice {
	var out []editing.Choice
	for _, c := range changes {
		out = append(out, editing.Choice{Letter: c.Letter, Revision: c.Revision})
	}
	return out
}
