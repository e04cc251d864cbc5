package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
)

const timeoutsWatch = "The agent does not guess: it gets the places as a list with one recommendation, and you pick by letter. The letters keep " +
	"their places while you work through them."

// timeouts is the walk in which a text stands in three places.
func (a *act) timeouts(ctx context.Context) error {
	longer := wish{"services.yaml", "timeout: 30", "timeout: 60"}
	a.next("You say what you want. The text is there more than once, so the agent asks")
	if err := a.run(ctx, "task \"calls to the api may take a minute\"\n"+longer.words()); err != nil {
		return err
	}
	if err := a.expectLast(tools.StatusNeedsMatch); err != nil {
		return err
	}
	places := a.last().Candidates
	_, list, _ := strings.Cut(a.words[len(a.words)-1], "\n") // the first line tells of the task
	a.answers(list)
	a.next("You pick. When the list is asked for again, the other places still have their letters")
	if err := a.pick(ctx, longer, places); err != nil {
		return err
	}
	if err := a.expectUntouched(longer.file); err != nil {
		return err
	}
	return a.commitPicked(ctx, longer)
}

// pick takes the places one after the other. After the first it asks for the list again.
func (a *act) pick(ctx context.Context, w wish, places []editing.Candidate) error {
	for i, p := range places {
		if err := a.run(ctx, "pick "+p.ID); err != nil {
			return err
		}
		if err := a.expectLast(tools.StatusEditing); err != nil {
			return err
		}
		if i > 0 {
			continue
		}
		if err := a.run(ctx, w.words()); err != nil {
			return err
		}
		if err := samePlaces(places[1:], a.last().Candidates); err != nil {
			return err
		}
	}
	return nil
}

// samePlaces checks that letters mean the places that they meant.
func samePlaces(before, now []editing.Candidate) error {
	if len(before) != len(now) {
		return fmt.Errorf("%d places should be left, and there are %d", len(before), len(now))
	}
	for i, p := range before {
		if q := now[i]; p.ID != q.ID || p.Line != q.Line {
			return fmt.Errorf("%s meant line %d, and now %s means line %d", p.ID, p.Line, q.ID, q.Line)
		}
	}
	return nil
}

// commitPicked takes everything with one commit.
func (a *act) commitPicked(ctx context.Context, w wish) error {
	a.decide = func(ctx context.Context, edit int) error {
		a.before = a.asked
		a.proofs(0)
		return a.replies(ctx, edit, "a")
	}
	a.next("One commit, and one answer for all")
	if err := a.run(ctx, `commit "calls may take a minute"`); err != nil {
		return err
	}
	if err := a.expectLast(tools.StatusCommitted); err != nil {
		return err
	}
	if err := a.expectGranted(w.file, w); err != nil {
		return err
	}
	if err := a.files(w.file); err != nil {
		return err
	}
	return a.settled()
}
