package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// Ending is a piece of the agent's work that is over: an editing session, a task,
// or both.
type Ending struct {
	Edit      int      // the editing session, 0: none
	Summary   string   // of a commit
	Reason    string   // of a revert
	Decisions []string // key decisions, kept when the history is folded
	Pop       bool     // the task ends with it
}

// Ended is what came of it.
type Ended struct {
	editing.Result
	Task  *tasks.Task  // that ended, nil: none
	Left  []tasks.Task // that waited below it, and ended with it
	Delta memory.HistoryDelta
}

// Propose asks the person to review an editing session; its task is done.
func (s *Session) Propose(by By, e Ending) (Ended, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	res, err := s.propose(by, e)
	if err != nil || !res.OK() {
		return Ended{Result: res}, err
	}
	t, left, err := s.popFor(by, e, tasks.Completed, e.Summary)
	return Ended{Result: res, Task: t, Left: left}, err
}

func (s *Session) propose(by By, e Ending) (editing.Result, error) {
	return s.do(memory.TypeEdit, editEntry{Op: "propose", Call: by.Call, Reason: e.Summary}, editing.Propose(s.me, e.Edit, e.Summary, e.Decisions), nil)
}

// Await proposes an editing session and returns when the person has decided, for
// the policy wait. ended says that they have closed it.
func (s *Session) Await(ctx context.Context, by By, e Ending) (res editing.Result, ended bool, err error) {
	s.mu.Lock()
	res, err = s.propose(by, e)
	s.mu.Unlock()
	if err != nil || !res.OK() {
		return res, false, err
	}
	if err := s.set.Load().Decide(ctx, s, e.Edit); err != nil {
		return res, false, fmt.Errorf("the review: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	es, _ := s.Snapshot().Session(s.me, e.Edit)
	if es.State.Open() && len(s.Snapshot().Undecided(s.me, e.Edit)) > 0 {
		return res, false, nil
	}
	s.notices = nil // the answer tells every decision
	return res, !es.State.Open(), nil
}

// CommitOpen commits an editing session of which editors have texts open, for the policy
// auto, and returns when these have decided. ended says that it is closed.
func (s *Session) CommitOpen(ctx context.Context, by By, e Ending) (res editing.Result, ended bool, err error) {
	s.mu.Lock()
	s.committing = e.Edit
	res, err = done(s.end(by, EndCommitted, e))
	s.mu.Unlock()
	if err == nil && res.Status == editing.StatusCommitting {
		var snap *editing.Snapshot
		snap, err = s.ws.Until(ctx, func(snap *editing.Snapshot) bool { return !snap.Committing(s.me, e.Edit) })
		es, _ := snap.Session(s.me, e.Edit)
		if ended = !es.State.Open(); err == nil {
			res.Status = editing.StatusOK
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.committing = 0
	return res, ended, err
}

// The ways in which an editing session ends.
const (
	EndCommitted = "commit" // everything left is applied
	EndDecided   = "close"  // all letters are decided
	EndReverted  = "revert" // everything left is thrown away
	EndClosed    = ""       // the person has closed it already
)

// Conclude ends an editing session in one of these ways, with its task, and folds
// the history. Without an editing session only the task ends.
func (s *Session) Conclude(by By, way string, e Ending) (Ended, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := Ended{Result: editing.Result{Status: editing.StatusCommitted, Session: e.Edit}}
	state, why := tasks.Completed, e.Summary
	if e.Edit == 0 && way == EndReverted {
		out.Status, state, why = editing.StatusReverted, tasks.Reverted, e.Reason
	}
	var err error
	if e.Edit != 0 {
		if out.Result, err = done(s.end(by, way, e)); err != nil || !out.OK() {
			return out, err
		}
		es, _ := s.Snapshot().Session(s.me, e.Edit)
		out.Status, why = editing.StatusCommitted, cmp.Or(es.Summary, es.Reason)
		if es.State == editing.Reverted {
			out.Status, state = editing.StatusReverted, tasks.Reverted
		}
	}
	if out.Task, out.Left, err = s.popFor(by, e, state, why); err != nil {
		return out, err
	}
	over := s.ending(by, e, out.Task)
	over.decisions = append(over.decisions, missing(s.keyDecisions(over, false), over.decisions)...)
	if e.Edit != 0 {
		if err := s.closeEvents(e.Edit, over.decisions); err != nil {
			return out, err
		}
	}
	out.Delta, err = s.fold(over)
	return out, err
}

// end closes an editing session.
func (s *Session) end(by By, way string, e Ending) (editing.Result, error) {
	entry := editEntry{Op: way, Call: by.Call, Reason: e.Summary}
	switch way {
	case EndClosed:
		s.dealtWith([]int{e.Edit})
		return editing.Result{Status: editing.StatusOK, Session: e.Edit}, nil
	case EndReverted:
		entry.Reason = e.Reason
		return s.do(memory.TypeEdit, entry, editing.Revert(s.me, e.Edit, e.Reason, e.Decisions), nil)
	case EndCommitted:
		res, err := s.do(memory.TypeEdit, entry, editing.Commit(s.me, e.Edit, e.Summary, e.Decisions), nil)
		if err == nil && !res.OK() {
			res.Files = append(res.Files, conflicts(s.Snapshot(), s.me, e.Edit)...)
		}
		return res, err
	}
	if e.Summary != "" || len(e.Decisions) > 0 {
		if res, err := s.propose(by, e); err != nil || !res.OK() {
			return res, err
		}
	}
	return s.do(memory.TypeEdit, entry, editing.Close(s.me, e.Edit), nil)
}

// popFor pops the current task if it is the one that ends.
func (s *Session) popFor(by By, e Ending, state tasks.State, summary string) (*tasks.Task, []tasks.Task, error) {
	cur, ok := s.tasks.Current()
	if !ok || !e.Pop {
		return nil, nil, nil
	}
	if es, found := s.Snapshot().Session(s.me, e.Edit); found && es.Task != cur.ID {
		return nil, nil, nil
	}
	return s.pop(by, state, summary)
}

// ending is what is over with an editing session, and with those that the user closed
// while its task went on.
func (s *Session) ending(by By, e Ending, t *tasks.Task) ending {
	task := 0
	if t != nil {
		task = t.ID
	}
	var all []int
	for _, m := range s.unfolded {
		if es, ok := s.Snapshot().Session(s.me, m); ok && m != e.Edit && es.Task == task && task != 0 {
			all = append(all, m)
		}
	}
	begun := task
	if e.Edit != 0 {
		all = append(all, e.Edit)
		if es, ok := s.Snapshot().Session(s.me, e.Edit); ok && es.Task != 0 {
			begun = es.Task
		}
	}
	return ending{edits: all, task: task, closeCall: by.Call, beginCall: s.begun[begun], decisions: slices.Clone(e.Decisions)}
}

// past is what later steps ask of the agent's work.
type past struct {
	begun    map[int]string   // task → the call that began it
	touched  map[int][]string // editing session → the calls that touched it
	unfolded []int            // closed editing sessions whose history is not folded yet
	going    bool             // a run has begun
	settled  []int            // editing sessions whose letters were all decided then
	asked    int              // iteration of the user's last prompt
	tried    int              // that of it, plus one, at which the last resort found nothing to take out
	warned   bool             // of the last resort, and the context is no emptier since
	refused  int              // the context window that a server told when it refused a request, 0: none did
	effects  effects          // the commands that were run
	iter     int              // of the journal, for the turn of a change

	committing int // the editing session that the agent commits, while open texts take it in
}

// closedBy notes the editing sessions that a record closes: their history is
// still to be folded, unless it opens them again.
func (p *past) closedBy(r editing.Record) {
	for _, e := range r.Sessions {
		if e.State.Open() {
			p.dealtWith([]int{e.N})
		}
		if !e.State.Open() && !slices.Contains(p.unfolded, e.N) {
			p.unfolded = append(p.unfolded, e.N)
		}
	}
}

func (p *past) dealtWith(edits []int) {
	p.unfolded = slices.DeleteFunc(p.unfolded, func(n int) bool { return slices.Contains(edits, n) })
}
