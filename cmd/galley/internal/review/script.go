package review

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/text"
)

// Script is what flags decide.
type Script struct {
	Apply, Reject, Unreject, Mine, Agents, Again Letters

	Amend   Texts
	Split   Cuts
	Reason  string
	Commit  bool
	Summary string
	Revert  string
	Yes     bool // a revert of several letters is meant
	Edit    int
}

// Letters are what a flag names: A,C or A-C.
type Letters []string

// Set takes a flag in, which may come several times.
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

// only is the part of the script about these letters.
func (sc Script) only(letters []string) Script {
	other := func(l string) bool { return !slices.Contains(letters, l) }
	for _, list := range []*Letters{&sc.Apply, &sc.Reject, &sc.Unreject, &sc.Mine, &sc.Agents, &sc.Again} {
		*list = slices.DeleteFunc(slices.Clone(*list), other)
	}
	sc.Amend = slices.DeleteFunc(slices.Clone(sc.Amend), func(g given) bool { return other(g.letter) })
	sc.Split = slices.DeleteFunc(slices.Clone(sc.Split), func(c cut) bool { return other(c.letter) })
	return sc
}

// named are all letters of the script.
func (sc *Script) named() []string {
	all := slices.Concat(sc.Apply, sc.Reject, sc.Unreject, sc.Mine, sc.Agents, sc.Again)
	for _, g := range sc.Amend {
		all = append(all, g.letter)
	}
	for _, c := range sc.Split {
		all = append(all, c.letter)
	}
	return all
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
	case sc.Yes && sc.Revert == "":
		return term.Usage("leave it out", "--yes is for --revert")
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
	if err := errors.Join(r.meansRevert(ctx, rev), r.Script.Amend.read(r.Console.In)); err != nil {
		return err
	}
	results, failed := r.Script.run(ctx, rev, r.JSON)
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

// meansRevert asks before a revert throws several letters away: none of them comes back.
func (r reviewed) meansRevert(ctx context.Context, rev *Reviewer) error {
	sc := r.Script
	going := slices.DeleteFunc(rev.going(sc.Edit), func(l string) bool {
		return slices.Contains(slices.Concat(sc.Apply, sc.Reject, sc.Mine, sc.Agents), l)
	})
	switch {
	case sc.Revert == "" || sc.Yes || len(going) < 2:
		return nil
	case r.JSON || !r.Console.Interactive():
		return term.Usage("add --yes if that is meant, or name letters with --reject", "nothing is done: --revert would throw %s away, %s, and nobody can be asked",
			text.Plural(len(going), "change"), strings.Join(going, ", "))
	case !rev.sure(ctx, throwsAway(going)):
		rev.warn("nothing is done")
		return term.EndedWith(term.ExitWaiting)
	}
	return nil
}

// run makes the decisions one after the other, and tells what became of each, but quietly.
func (sc *Script) run(ctx context.Context, rev *Reviewer, quiet bool) (results []tools.Outcome, failed bool) {
	for _, d := range sc.decisions(rev) {
		o := rev.outcome(ctx, d.make())
		switch results = append(results, o); {
		case quiet:
		case d.alters:
			rev.altered(o)
		default:
			rev.say(o)
			rev.waysOut(o, d.takes)
		}
		if !Succeeded(o.Status) {
			return results, true
		}
	}
	return results, false
}

// step is one decision of a script, made when those before it are carried out, and the letters that it takes in.
type step struct {
	make   func() session.Verdict
	takes  []string
	alters bool // it makes other letters
}

// decisions are the person's, in the order in which they are carried out.
func (sc *Script) decisions(rev *Reviewer) []step {
	var all []step
	add := func(wanted bool, takes []string, d func() session.Verdict) {
		if wanted {
			all = append(all, step{make: d, takes: takes})
		}
	}
	resolve := func(named Letters, take verb) {
		for _, l := range named {
			add(true, named, func() session.Verdict {
				return session.Verdict{Op: session.VerdictResolve, Choices: rev.choices([]string{l}), Take: string(take)}
			})
		}
	}
	add(len(sc.Unreject) > 0, nil, func() session.Verdict {
		return session.Verdict{Op: session.VerdictUnreject, Choices: rev.choices(sc.Unreject)}
	})
	resolve(sc.Mine, verbMine)
	resolve(sc.Agents, verbAgents)
	resolve(sc.Again, verbAgain)
	for _, g := range sc.Amend {
		all = append(all, step{alters: true, make: func() session.Verdict {
			return session.Verdict{Op: session.VerdictAmend, Choices: rev.choices([]string{g.letter}), Text: g.text}
		}})
	}
	for _, c := range sc.Split {
		all = append(all, step{alters: true, make: func() session.Verdict { return rev.cut(c.letter, c.lines) }})
	}
	add(len(sc.Reject) > 0, nil, func() session.Verdict {
		return session.Verdict{Op: session.VerdictReject, Choices: rev.choices(sc.Reject), Reason: sc.Reason}
	})
	add(len(sc.Apply) > 0, sc.Apply, func() session.Verdict {
		return session.Verdict{Op: session.VerdictApply, Choices: rev.choices(sc.Apply)}
	})
	add(sc.Commit, LettersOf(rev.Waiting()), func() session.Verdict {
		return session.Verdict{Op: session.VerdictCommit, Edit: sc.Edit, Reason: sc.Summary}
	})
	add(sc.Revert != "", nil, func() session.Verdict {
		return session.Verdict{Op: session.VerdictRevert, Edit: sc.Edit, Reason: sc.Revert}
	})
	return all
}
