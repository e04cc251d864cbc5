package review

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// Script is what flags decide.
type Script struct {
	Apply, Reject, Unreject, Mine, Agents, Again Letters

	Reason  string
	Commit  bool
	Summary string
	Revert  string
	Edit    int
}

// Letters is a flag that names letters: A,C or A-C.
type Letters []string

// String implements pflag.Value.
func (l *Letters) String() string { return strings.Join(*l, ",") }

// Type implements pflag.Value.
func (l *Letters) Type() string { return "letters" }

// Set implements pflag.Value; a flag may come several times.
func (l *Letters) Set(text string) error {
	for word := range strings.FieldsSeq(text) {
		found, ok := letterList(word)
		if !ok {
			return term.Usage("", "letters look like A or A,C")
		}
		*l = append(*l, found...)
	}
	slices.Sort(*l)
	*l = slices.Compact(*l)
	return nil
}

func (sc *Script) empty() bool { return len(sc.named()) == 0 && !sc.Commit && sc.Revert == "" }

// named are all letters of the script.
func (sc *Script) named() []string {
	return slices.Concat(sc.Apply, sc.Reject, sc.Unreject, sc.Mine, sc.Agents, sc.Again)
}

// Check refuses what contradicts itself.
func (sc *Script) Check() error {
	all := slices.Concat(sc.Apply, sc.Reject, sc.Mine, sc.Agents, sc.Again)
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			return term.Usage("decide once about each letter", "two flags decide about %s", all[i])
		}
	}
	switch {
	case sc.Reason != "" && len(sc.Reject) == 0:
		return term.Usage("name them with --reject", "--reason is for rejected letters, and there are none")
	case sc.Summary != "" && !sc.Commit:
		return term.Usage("add --commit", "--summary is for --commit")
	case sc.Commit && sc.Revert != "":
		return term.Usage("leave one of them out", "--commit and --revert do not go together")
	case sc.Edit != 0 && !sc.Commit && sc.Revert == "":
		return term.Usage("add one of them", "--edit is for --commit and --revert")
	}
	return nil
}

// scripted carries flags out, tells what became of them, and stops at the first that could not be carried out.
func (r reviewed) scripted(ctx context.Context, rev *Reviewer) error {
	known := LettersOf(rev.all())
	unknown := slices.DeleteFunc(r.Script.named(), func(l string) bool { return slices.Contains(known, l) })
	if len(unknown) > 0 {
		return term.Usage(r.Galley("review", "--session", r.id)+" shows them", "%s in session %s", noLetter(unknown, known), r.id)
	}
	results, failed := r.Script.Run(ctx, rev, func(o tools.Outcome) {
		if !r.JSON {
			rev.say(o)
		}
	})
	exit := exitOfReview(rev)
	if failed {
		exit = term.ExitError
	}
	if r.JSON {
		st := r.state(rev)
		st.Results = results
		return errors.Join(term.PrintJSON(r.Console.Out, st), term.EndedWith(exit))
	}
	r.farewell(rev)
	return term.EndedWith(exit)
}

// Run makes the decisions one after the other.
func (sc *Script) Run(ctx context.Context, rev *Reviewer, tell func(tools.Outcome)) (results []tools.Outcome, failed bool) {
	for _, d := range sc.decisions(rev) {
		o := rev.outcome(rev.Session.Decide(d()))
		tell(o)
		results = append(results, o)
		if !Succeeded(o.Status) {
			return results, true
		}
	}
	return results, false
}

// decisions are the person's, each made when those before it are carried out.
func (sc *Script) decisions(rev *Reviewer) []func() session.Decision {
	var all []func() session.Decision
	add := func(wanted bool, d func() session.Decision) {
		if wanted {
			all = append(all, d)
		}
	}
	resolve := func(named Letters, take verb) {
		for _, l := range named {
			add(true, func() session.Decision { return session.Resolve(rev.choices([]string{l})[0], string(take)) })
		}
	}
	add(len(sc.Unreject) > 0, func() session.Decision { return session.Unreject(rev.choices(sc.Unreject)) })
	resolve(sc.Mine, verbMine)
	resolve(sc.Agents, verbAgents)
	resolve(sc.Again, verbAgain)
	add(len(sc.Reject) > 0, func() session.Decision { return session.Reject(rev.choices(sc.Reject), sc.Reason) })
	add(len(sc.Apply) > 0, func() session.Decision { return session.Apply(rev.choices(sc.Apply)) })
	add(sc.Commit, func() session.Decision { return session.Commit(sc.Edit, sc.Summary, nil) })
	add(sc.Revert != "", func() session.Decision { return session.Revert(sc.Edit, sc.Revert) })
	return all
}
