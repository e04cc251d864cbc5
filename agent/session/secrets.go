package session

import (
	"slices"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// Secrets are kept out at few doors. memory.Store masks what is written and what a
// model is asked. agent/tools masks what a tool answers, and refuses arguments
// that hold one, with Mask. What is left is here: the records of staged changes,
// which must restore texts byte for byte, so that nothing in them can be masked.

// holdsSecret is the answer to an edit that the journal must not hold.
func holdsSecret() editing.Result {
	return editing.Result{
		Status: editing.StatusRefused, Code: "denied",
		Hint: "the text that this change takes in holds a secret (shown as [secret]), which galley never writes down; nothing was staged. Change something else, or ask the user to make it",
	}
}

// refuses reports whether an operation would put a secret into the journal, as part of a
// change that it makes or on its lines: the agent's, or a person's that gives a change
// another text.
func (s *settings) refuses(typ string, e editEntry) bool {
	words := typ == memory.TypeEdit || e.Op == opAmend || e.Op == opSplit
	return words && slices.ContainsFunc(e.Record.Changes, func(c *editing.Change) bool {
		return c.State == editing.Staged && (s.inTexts(c) || s.inPlaces(c))
	})
}

// withoutSecrets makes a record that may be journaled. A secret that stands beside
// a change is blotted out there, which only makes the change harder to find again.
//
// One within a change has been put there by the user, or they have decided, and
// neither can be refused. So what they decided is kept, with its texts closed for
// good; and what waits is left out: the record before this one finds it in the
// text again.
func (s *settings) withoutSecrets(r editing.Record) editing.Record {
	if s.secrets.None() {
		return r
	}
	out := editing.Record{Sessions: r.Sessions, Kept: r.Kept, Stood: r.Stood}
	for _, c := range r.Changes {
		switch {
		case c.State.Undecided() && (s.inTexts(c) || s.inPlaces(c)):
		case s.inTexts(c):
			out.Changes = append(out.Changes, closedFor(c))
		default:
			out.Changes = append(out.Changes, s.blotted(c))
		}
	}
	for _, l := range r.Lists {
		m := *l.List
		m.Marks = slices.Clone(m.Marks)
		for i := range m.Marks {
			m.Marks[i].Place = s.blottedPlace(m.Marks[i].Place)
		}
		l.List = &m
		out.Lists = append(out.Lists, l)
	}
	return out
}

// inTexts: the change itself would write or restore a secret.
func (s *settings) inTexts(c *editing.Change) bool {
	return slices.ContainsFunc(c.Hunks, func(h editing.Hunk) bool { return s.secrets.In(h.Old) || s.secrets.In(h.New) })
}

// inPlaces: a secret stands on the lines of the change.
func (s *settings) inPlaces(c *editing.Change) bool {
	return slices.ContainsFunc(c.Hunks, func(h editing.Hunk) bool {
		return h.Place != nil && (s.secrets.In(h.Place.Block) || s.secrets.In(h.Place.New))
	})
}

// closedFor is a decided change of which nothing can be undone after a restart.
func closedFor(c *editing.Change) *editing.Change {
	d := *c
	d.Hunks = nil
	if d.State != editing.Closed {
		d.Was, d.State = d.State, editing.Closed
	}
	return &d
}

// blotted is a change without the secrets on and around its lines.
func (s *settings) blotted(c *editing.Change) *editing.Change {
	d := *c
	d.Hunks = slices.Clone(c.Hunks)
	for i := range d.Hunks {
		d.Hunks[i].Place = s.blottedPlace(d.Hunks[i].Place)
	}
	return &d
}

func (s *settings) blottedPlace(p *editing.Place) *editing.Place {
	if p == nil {
		return nil
	}
	q := *p
	for _, t := range []*string{&q.Block, &q.New, &q.Before, &q.After} {
		*t = s.secrets.Blot(*t)
	}
	return &q
}
