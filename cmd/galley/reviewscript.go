package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// script is what flags decide.
type script struct {
	apply, reject, unreject, mine, agents, again letters

	reason  string
	commit  bool
	summary string
	revert  string
	edit    int
}

// letters is a flag that names letters: A,C or A-C.
type letters []string

// String implements pflag.Value.
func (l *letters) String() string { return strings.Join(*l, ",") }

// Type implements pflag.Value.
func (l *letters) Type() string { return "letters" }

// Set implements pflag.Value; a flag may come several times.
func (l *letters) Set(text string) error {
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

func (sc *script) empty() bool { return len(sc.named()) == 0 && !sc.commit && sc.revert == "" }

// named are all letters of the script.
func (sc *script) named() []string {
	return slices.Concat(sc.apply, sc.reject, sc.unreject, sc.mine, sc.agents, sc.again)
}

// check refuses what contradicts itself.
func (sc *script) check() error {
	all := slices.Concat(sc.apply, sc.reject, sc.mine, sc.agents, sc.again)
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			return term.Usage("decide once about each letter", "two flags decide about %s", all[i])
		}
	}
	switch {
	case sc.reason != "" && len(sc.reject) == 0:
		return term.Usage("name them with --reject", "--reason is for rejected letters, and there are none")
	case sc.summary != "" && !sc.commit:
		return term.Usage("add --commit", "--summary is for --commit")
	case sc.commit && sc.revert != "":
		return term.Usage("leave one of them out", "--commit and --revert do not go together")
	case sc.edit != 0 && !sc.commit && sc.revert == "":
		return term.Usage("add one of them", "--edit is for --commit and --revert")
	}
	return nil
}

// scripted carries flags out, tells what became of them, and stops at the first that could not be carried out.
func (r reviewed) scripted(ctx context.Context, rev *reviewer) error {
	known := lettersOf(rev.all())
	unknown := slices.DeleteFunc(r.script.named(), func(l string) bool { return slices.Contains(known, l) })
	if len(unknown) > 0 {
		return term.Usage(r.galley("review", "--session", r.id)+" shows them", "%s in session %s", noLetter(unknown, known), r.id)
	}
	results, failed := r.script.run(ctx, rev, func(o tools.Outcome) {
		if !r.json {
			rev.say(o)
		}
	})
	exit := exitOfReview(rev)
	if failed {
		exit = term.ExitError
	}
	if r.json {
		st := r.state(rev)
		st.Results = results
		return errors.Join(term.PrintJSON(r.console.Out, st), term.EndedWith(exit))
	}
	r.farewell(rev)
	return term.EndedWith(exit)
}

// run makes the decisions one after the other.
func (sc *script) run(ctx context.Context, rev *reviewer, tell func(tools.Outcome)) (results []tools.Outcome, failed bool) {
	for _, d := range sc.decisions(rev) {
		o := rev.outcome(rev.session.Decide(d()))
		tell(o)
		results = append(results, o)
		if !succeeded(o.Status) {
			return results, true
		}
	}
	return results, false
}

// decisions are the person's, each made when those before it are carried out.
func (sc *script) decisions(rev *reviewer) []func() session.Decision {
	var all []func() session.Decision
	add := func(wanted bool, d func() session.Decision) {
		if wanted {
			all = append(all, d)
		}
	}
	resolve := func(named letters, take verb) {
		for _, l := range named {
			add(true, func() session.Decision { return session.Resolve(rev.choices([]string{l})[0], string(take)) })
		}
	}
	add(len(sc.unreject) > 0, func() session.Decision { return session.Unreject(rev.choices(sc.unreject)) })
	resolve(sc.mine, verbMine)
	resolve(sc.agents, verbAgents)
	resolve(sc.again, verbAgain)
	add(len(sc.reject) > 0, func() session.Decision { return session.Reject(rev.choices(sc.reject), sc.reason) })
	add(len(sc.apply) > 0, func() session.Decision { return session.Apply(rev.choices(sc.apply)) })
	add(sc.commit, func() session.Decision { return session.Commit(sc.edit, sc.summary, nil) })
	add(sc.revert != "", func() session.Decision { return session.Revert(sc.edit, sc.revert) })
	return all
}
