package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// Apply takes changes into their files, because the person said so.
func (s *Session) Apply(_ context.Context, choices []editing.Choice) Outcome {
	return s.decide("apply", "", editing.Apply(choices), func(p *editing.Plan) []string { return each(p, "applied", "") })
}

// Reject throws changes away; the agent hears the reason.
func (s *Session) Reject(_ context.Context, choices []editing.Choice, reason string) Outcome {
	reason = s.Mask(reason)
	return s.decide("reject", reason, editing.Reject(choices, reason), func(p *editing.Plan) []string { return each(p, "rejected", reason) })
}

// Unreject brings rejected changes back.
func (s *Session) Unreject(_ context.Context, choices []editing.Choice) Outcome {
	return s.decide("unreject", "", editing.Unreject(choices), func(p *editing.Plan) []string { return each(p, "brought back", "") })
}

// Resolve ends a conflict: "mine" keeps the user's text, "agent" takes the
// agent's over it, "ask" tells the agent to look again.
func (s *Session) Resolve(_ context.Context, choice editing.Choice, take string) Outcome {
	one := []editing.Choice{choice}
	switch take {
	case "mine":
		return s.decide("keep-mine", "", editing.Reject(one, "the user keeps his text"), func(p *editing.Plan) []string {
			return each(p, "rejected", "the user keeps his own text there")
		})
	case "agent":
		return s.decide("take-agent", "", editing.TakeAgents(one), func(p *editing.Plan) []string { return each(p, "applied", "over the user's text") })
	case "ask":
		return s.decide("ask-again", "", editing.AskAgain(choice), s.askAgain)
	}
	return Refused(CodeBadArguments, fmt.Sprintf("take is %q; it is mine, agent or ask", take))
}

// askAgain shows the agent the user's text.
func (s *Session) askAgain(p *editing.Plan) []string {
	var out []string
	for _, l := range p.Result.Touched {
		c, ok := s.Snapshot().Change(l)
		if !ok {
			continue
		}
		d, _ := s.Snapshot().Document(c.Path)
		for _, sides := range c.Conflicts(d.Base) {
			out = append(out, fmt.Sprintf("look at %s in %s again: the user wrote %q where you wanted %q", l, c.Name, sides.Mine, sides.Agent))
		}
	}
	return out
}

// each says what was decided of every letter. What an editor still has to bring
// into its text is told when the text is there.
func each(p *editing.Plan, what, reason string) []string {
	var out []string
	for _, l := range p.Result.Touched {
		if p.State(l) == editing.Applying {
			continue
		}
		line := l + " " + what
		if reason != "" {
			line += ": '" + reason + "'"
		}
		out = append(out, line)
	}
	return out
}

func (s *Session) decide(op, reason string, o editing.Op, news func(*editing.Plan) []string) Outcome {
	refreshed := s.refreshAll()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errors.Join(refreshed, s.textDecided()); err != nil { // what the texts decided before comes first
		return failed(err)
	}
	call := s.call
	s.call = "" // it is the person's doing, not the running call's
	defer func() { s.call = call }()
	res, err := s.do(memory.TypeDecision, op, reason, o, news)
	if err != nil {
		return failed(err)
	}
	return s.decided(res)
}

// decided answers the person.
func (s *Session) decided(res editing.Result) Outcome {
	o := s.outcome(res)
	for _, l := range res.Touched {
		c, ok := s.Snapshot().Change(l)
		if !ok {
			continue
		}
		o.SessionID = editing.SessionID(c.Session)
		o.Decisions = append(o.Decisions, Decision{ChangeID: l, State: string(c.State), Reason: verdict(c)})
	}
	if n, _ := EditNumber(o.SessionID); n != 0 {
		s.pending(&o, n, nil)
	}
	return o
}

// onlyEdit is the editing session that the person means.
func (s *Session) onlyEdit(n int) (int, *Outcome) {
	if n != 0 {
		return n, nil
	}
	open := s.OpenEdits()
	if len(open) == 1 {
		return open[0].N, nil
	}
	var names []string
	for _, e := range open {
		names = append(names, e.ID())
	}
	o := Refused(CodeBadArguments, "nothing is staged")
	if len(open) > 1 {
		o = Refused(CodeBadArguments, "several editing sessions are open: "+strings.Join(names, ", ")+"; name one")
	}
	return 0, &o
}

// CommitEdit applies what is left of an editing session and closes it. 0 means
// the only open one.
func (s *Session) CommitEdit(_ context.Context, n int, summary string) Outcome {
	summary = s.Mask(summary)
	return s.closeEdit(n, "commit", summary, func(n int) editing.Op { return editing.Commit(s.me, n, summary, nil) })
}

// CommitSeen is CommitEdit by somebody who saw exactly these letters waiting.
func (s *Session) CommitSeen(_ context.Context, n int, summary string, seen []editing.Choice) Outcome {
	summary = s.Mask(summary)
	return s.closeEdit(n, "commit", summary, func(n int) editing.Op { return editing.CommitSeen(s.me, n, summary, seen) })
}

// RevertEdit throws away what is left of an editing session and closes it.
func (s *Session) RevertEdit(_ context.Context, n int, reason string) Outcome {
	reason = s.Mask(reason)
	return s.closeEdit(n, "revert", reason, func(n int) editing.Op { return editing.Revert(s.me, n, reason, nil) })
}

func (s *Session) closeEdit(n int, op, reason string, o func(n int) editing.Op) Outcome {
	refreshed := s.refreshAll()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errors.Join(refreshed, s.textDecided()); err != nil {
		return failed(err)
	}
	n, bad := s.onlyEdit(n)
	if bad != nil {
		return *bad
	}
	call := s.call
	s.call = ""
	defer func() { s.call = call }()
	res, err := s.do(memory.TypeDecision, op, reason, o(n), func(p *editing.Plan) []string {
		if !p.Result.OK() {
			return nil
		}
		e := fmt.Sprintf("the user %s #%d", map[string]string{"commit": "committed", "revert": "reverted"}[op], n)
		if len(p.Result.Touched) > 0 {
			e += " (" + strings.Join(p.Result.Touched, ", ") + ")"
		}
		if reason != "" {
			e += ": '" + reason + "'"
		}
		return []string{e}
	})
	if err != nil {
		return failed(err)
	}
	if res.Status == StatusCommitting { // the open documents have to confirm first: these letters
		return s.decided(res)
	}
	if !res.OK() {
		return s.commitRefused(n, res)
	}
	s.unfolded = append(s.unfolded, n)
	if err := s.closeEvents(n, nil); err != nil {
		return failed(err)
	}
	return Outcome{
		Status: res.Status, SessionID: editing.SessionID(n), Summary: orElse(s.summaryOf(n), reason), AppliedChanges: new(s.applied(n)),
		Files: Paths(s.fileNames(n, res.Status == StatusCommitted)...), Decisions: s.decisions(n),
	}
}
