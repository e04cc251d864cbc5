package review

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// This file follows the table while somebody reads: what others do meanwhile, in editors, terminals and files, is told before
// anything is decided about it.

// known is how the person knows a letter.
type known struct {
	edit, revision int
	state          editing.ChangeState
	own            bool // it is as they have decided just now
}

// follow tells what has become of letters since the last time, and reports whether it was anything.
func (r *Reviewer) follow() (moved bool) {
	was := r.known
	r.known = map[string]known{}
	for _, c := range r.all() {
		before, there := was[c.Letter]
		now := known{edit: c.Session, revision: c.Revision, state: c.State}
		r.known[c.Letter] = now
		delete(was, c.Letter)
		if what := became(before, now, there); what != "" && !before.own && was != nil {
			r.meanwhile(c, what)
			moved = true
		}
	}
	for _, l := range slices.Sorted(maps.Keys(was)) {
		if was[l].state.Undecided() && !was[l].own {
			r.warn("meanwhile: " + l + " is gone, since its editing session was closed")
			moved = true
		}
	}
	if moved {
		r.goOn()
	}
	return moved
}

// became says how a letter is another than it was known, "" if it is not, or that is of no interest.
func became(was, is known, there bool) string {
	waits := is.state.Undecided()
	switch there = there && was.edit == is.edit; {
	case is == was, !waits && (!there || !was.state.Undecided()):
		return ""
	case !waits:
		return "is"
	case !there:
		return "waits, too"
	case !was.state.Undecided():
		return "waits again"
	case is.state == editing.Conflict && was.state != editing.Conflict:
		return "is in conflict"
	}
	return "was changed"
}

// meanwhile tells of a letter: one that waits is shown, too.
func (r *Reviewer) meanwhile(c view.Change, what string) {
	line := "meanwhile: " + c.Letter + " " + what
	if !c.State.Undecided() {
		r.warn(line + " " + stateOf(c) + ": " + placeOf(r.Console.Out, c))
		return
	}
	r.warn(line)
	r.Console.Out.Print(r.drawn([]view.Change{c}) + "\n")
}

// ask asks about letters; what happens before the answer is told above it.
func (r *Reviewer) ask(ctx context.Context) (line string, ok bool) {
	heard := func() string {
		var above strings.Builder
		out := r.Console.Out
		defer func() { r.Console.Out = out }()
		r.Console.Out.W = &above
		if r.look(ctx) != nil || !r.follow() { // an error comes again, with the answer
			return ""
		}
		question := "nothing waits any more; Enter goes on"
		if len(r.Waiting()) > 0 {
			question = r.question()
		}
		r.Console.Out.Println(r.Console.Out.Paint(term.Ask, term.Wrap(question, out.Now().Width)))
		return above.String()
	}
	return r.Keyboard.AskWhile(ctx, r.Console.Out, r.question(), r.Session.Moved(), heard)
}

// own takes in what became of a decision of theirs: nobody need tell them.
func (r *Reviewer) own(o tools.Outcome, v session.Verdict) {
	if r.known == nil {
		return
	}
	closes := (v.Op == session.VerdictCommit || v.Op == session.VerdictRevert) && Succeeded(o.Status)
	for l, k := range r.known {
		k.own = closes
		r.known[l] = k
	}
	for _, d := range o.Decisions {
		r.known[d.Letter] = known{own: true}
	}
}
