package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// This file says what the workspace's journal keeps of a decision, and takes one back.

// The names of decisions, for people and in the workspace's journal.
const (
	WhatApply    = "apply"
	WhatReject   = "reject"
	WhatUnreject = "unreject"
	WhatResolve  = "resolve"
	WhatCommit   = "commit"
	WhatRevert   = "revert"
	WhatUndo     = "undo"
	WhatMemory   = "memory" // a write of the agent's to its memory, which can be taken back like a decision
)

// whats are the operations that are decisions.
var whats = map[string]string{
	"apply": WhatApply, "reject": WhatReject, "unreject": WhatUnreject, opCommit: WhatCommit, opRevert: WhatRevert, opUndoClosed: WhatRevert,
	"keep-mine": WhatResolve, "take-agent": WhatResolve, "ask-again": WhatResolve, opUndo: WhatUndo,
}

// Undo takes a decision back as far as it stands, with what is in closed files. Open
// documents are undone by their editor: see editing.Snapshot.Undoing.
func Undo(of memory.Decision) Decision {
	return Decision{op: opUndo, edit: of.Edit, takes: takenBy(of), of: of, heard: takenBack, plan: func(d Decision, owner string) editing.Op {
		return editing.TakeBack(owner, d.edit, d.takes)
	}}
}

// undoRest goes on with an undo that a process died in.
func undoRest(edit int, e editEntry) Decision {
	return Decision{op: opUndo, edit: edit, takes: e.Takes, of: memory.Decision{ID: e.Undoes}, plan: func(d Decision, owner string) editing.Op {
		return editing.TakeBackRest(owner, d.edit, d.takes)
	}}
}

// takenBy is what taking a decision back is about.
func takenBy(d memory.Decision) (out []editing.Taken) {
	for _, l := range d.Letters {
		out = append(out, editing.Taken{Order: l.Order, To: editing.ChangeState(l.To)})
	}
	return out
}

// Standing are the changes that are still what a decision made of them.
func Standing(snap *editing.Snapshot, d memory.Decision) []*editing.Change {
	return snap.Standing(d.Session, d.Edit, takenBy(d))
}

// takenBack is what the agent hears of a decision that is taken back.
func takenBack(d Decision, _ *editing.Snapshot, p *editing.Plan) []string {
	if !p.Result.OK() {
		return nil
	}
	line := "the user took back: " + Called(d.of)
	for _, r := range p.Result.Renamed {
		line += fmt.Sprintf("; %s is %s now", r.From, r.To)
	}
	if p.Result.Hint != "" {
		line += "; " + p.Result.Hint
	}
	return []string{line}
}

// Called names a decision: "A, B applied", "#3 committed (A, B)".
func Called(d memory.Decision) string {
	var letters []string
	how := map[string]string{WhatApply: "applied", WhatReject: "rejected", WhatUnreject: "brought back", WhatUndo: "taken back"}[d.What]
	for _, l := range d.Letters {
		letters = append(letters, l.Letter)
		if d.What == WhatResolve {
			how = map[string]string{string(editing.Applied): "applied in conflict", string(editing.Rejected): "rejected in conflict"}[l.To]
		}
	}
	list := strings.Join(letters, ", ")
	switch d.What {
	case WhatMemory:
		return "what the agent wrote"
	case WhatCommit, WhatRevert:
		how = map[string]string{WhatCommit: "committed", WhatRevert: "reverted"}[d.What]
		if list == "" {
			return fmt.Sprintf("#%d %s", d.Edit, how)
		}
		return fmt.Sprintf("#%d %s (%s)", d.Edit, how, list)
	}
	if how == "" {
		how = "asked about again"
	}
	return list + " " + how
}

// noted journals what is decided in the journal of the workspace, before it is carried
// out: what does not happen then does not stand.
func (s *queue) noted(typ string, e editEntry, p *editing.Plan) error {
	what := whats[e.Op]
	byAgent := typ == memory.TypeEdit && e.Op == EndCommitted
	ses, known := s.Snapshot().Session(s.me, p.Result.Session)
	finishes := known && ses.State == editing.Committing && what == WhatCommit
	if what == "" || typ != memory.TypeDecision && !byAgent || finishes {
		return nil
	}
	d := memory.Decision{What: what, Session: s.me, Edit: p.Result.Session, Of: e.Undoes, By: e.by}
	if byAgent {
		d.By = memory.Client{Kind: memory.ClientAgent}
	}
	if d.Letters = lettersOf(p.Record.Of(s.me).Changes, p.Result.Touched); what == WhatCommit {
		d.Letters = s.committed(p.Result.Session)
	}
	_, err := s.decisions.Decided(context.Background(), d)
	if err != nil {
		return fmt.Errorf("%w; nothing was changed", err)
	}
	return nil
}

// committed are the letters that a commit takes in.
func (s *queue) committed(n int) (out []memory.DecidedLetter) {
	for _, c := range s.Snapshot().Undecided(s.me, n) {
		out = append(out, decidedLetter(c, editing.Applied))
	}
	return out
}

// lettersOf are some changes as a decision leaves them.
func lettersOf(cs []*editing.Change, letters []string) (out []memory.DecidedLetter) {
	for _, l := range letters {
		i := slices.IndexFunc(cs, func(c *editing.Change) bool { return c.Letter == l })
		if i < 0 {
			continue
		}
		c := cs[i]
		to := c.State
		if to == editing.Applying {
			to = editing.Applied
		}
		out = append(out, decidedLetter(c, to))
	}
	return out
}

func decidedLetter(c *editing.Change, to editing.ChangeState) memory.DecidedLetter {
	return memory.DecidedLetter{Letter: c.Letter, Order: c.Order, Revision: c.Revision, File: c.Name, To: string(to)}
}

// Unwrite takes back what the agent wrote to a file of its memory, by the entry of that write in the journal; the agent
// hears it.
func (s *Session) Unwrite(seq int64) (name string, r editing.Result, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, err = s.memory.unwrite(seq)
	switch {
	case errors.Is(err, memory.ErrNoWrite):
		err = refuse("unknown_decision", "%s", err)
	case errors.Is(err, memory.ErrWrittenOver):
		err = refuse("user_edit", "%s: %s", name, err)
	case err == nil:
		say := fmt.Sprintf("the user took back what you wrote to %s (entry %d)", name, seq)
		err = s.happened(memory.TypeDecision, editEntry{Op: WhatMemory, Notices: []string{say}})
	}
	r, err = done(editing.Result{Status: editing.StatusOK}, err)
	return name, r, err
}

// reopened takes in that an editing session is open again which was closed: its history is
// not to be folded yet, and what was folded says so.
func (s *Session) reopened(n int) error {
	s.dealtWith([]int{n})
	return s.amend(n)
}
