package tools

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/tasks"
)

//go:embed memo_commit.md
var commitDoc string

// commit proposes or commits the editing session of the current task, and ends the task.
func commit() Tool { return define("memo_commit", commitDoc, commitEdit) }

// CommitArgs are the arguments of memo_commit. memo_commit_auto has none.
type CommitArgs struct {
	Summary     string   `json:"summary"`
	Decisions   []string `json:"decisions,omitempty"` // key decisions, kept when the history is folded
	SessionID   string   `json:"session_id,omitempty" jsonschema:"pattern=^sess-[1-9][0-9]*$,example=sess-3"`
	AutoPopTask *bool    `json:"auto_pop_task,omitempty"` // nil: true
}

func commitEdit(ctx context.Context, s *session.Session, by session.By, a CommitArgs) Outcome {
	if err := s.Refresh(ctx); err != nil {
		return failed(err)
	}
	n, err := theEdit(s, a.SessionID)
	if err != nil {
		return failed(err)
	}
	set := s.Settings()
	e := session.Ending{Edit: n, Summary: a.Summary, Decisions: a.Decisions, Pop: !set.NoAutoPop}
	if a.AutoPopTask != nil {
		e.Pop = *a.AutoPopTask
	}
	e.Decisions = append(slices.Clip(e.Decisions), s.NamedDecisions(ctx, by, e)...)
	if n == 0 { // the task is done all the same
		return concluded(s, by, session.EndCommitted, e)
	}
	snap := s.Snapshot()
	es, _ := snap.Session(s.ID(), n)
	left := snap.Undecided(s.ID(), n)
	policy := policyOf(s, left)
	switch {
	case !es.State.Open():
		return Refused(CodeState, fmt.Sprintf("editing session %s is %s already", es.ID(), es.State))
	case len(left) == 0:
		return concluded(s, by, session.EndDecided, e)
	case policy == editing.Auto && set.Unasked != nil && !set.Unasked(s.ID(), n):
	case policy == editing.Auto && closedOnly(snap, left):
		return concluded(s, by, session.EndCommitted, e)
	case policy == editing.Auto && set.Unasked != nil:
		return commitIn(ctx, s, by, e, s.CommitOpen)
	case policy == editing.Wait && set.Decide != nil:
		return commitIn(ctx, s, by, e, s.Await)
	}
	return propose(s, by, e)
}

// policyOf is the strictest policy of the files that changes touch: an editing session is one thing, and no half of it is
// written without a person.
func policyOf(s *session.Session, cs []*editing.Change) editing.Policy {
	set, strictest := s.Settings(), editing.Auto
	for _, c := range cs {
		strictest = strictest.Stricter(policyFor(s, set, c.Name))
		if c.File != nil && c.File.To != "" {
			strictest = strictest.Stricter(policyFor(s, set, c.File.To))
		}
	}
	return strictest
}

func policyFor(s *session.Session, set session.Config, name string) editing.Policy {
	strictest, known := editing.Auto, false
	for glob, p := range set.ReviewByFile {
		if s.Files().Matches(glob, name) {
			strictest, known = strictest.Stricter(p), true
		}
	}
	if !known {
		return set.Review
	}
	return strictest
}

// closedOnly: an open document is its editor's to change.
func closedOnly(snap *editing.Snapshot, cs []*editing.Change) bool {
	return !slices.ContainsFunc(cs, func(c *editing.Change) bool {
		d, ok := snap.Document(c.Path)
		return ok && d.Open()
	})
}

func propose(s *session.Session, by session.By, e session.Ending) Outcome {
	done, err := s.Propose(by, e)
	if err != nil {
		return failed(err)
	}
	if !done.OK() {
		return outcomeOf(s, done.Result)
	}
	snap := s.Snapshot()
	es, _ := snap.Session(s.ID(), e.Edit)
	return besides(Outcome{
		Status: StatusProposed, Totals: view.Totals(snap.Undecided(s.ID(), e.Edit)), SessionID: es.ID(), Summary: es.Summary, AppliedChanges: new(snap.Applied(s.ID(), e.Edit)),
		Files: Paths(snap.FileNames(s.ID(), e.Edit, false)...), Decisions: snap.Decisions(s.ID(), e.Edit),
		Task: taskState(done.Task), TaskStack: s.TaskStack(), PendingChanges: waiting(s, e.Edit),
		Hint: "the letters wait for the user's review; go on with other work, you are told what the user decides",
	}, done.Left)
}

// besides adds to an answer the tasks that ended because the one above them did.
func besides(o Outcome, left []tasks.Task) Outcome {
	if len(left) == 0 {
		return o
	}
	var names []string
	for _, t := range left {
		names = append(names, fmt.Sprintf("#%d %s", t.ID, t.Goal))
	}
	hint := "what was planned below this task and not begun has ended with it: " + strings.Join(names, "; ") + "; begin a task anew with memo_begin_task if it is still to be done, and tell the user what is not"
	o.Hint = strings.TrimPrefix(o.Hint+"; "+hint, "; ")
	return o
}

// commitIn has a person or the texts of their editors decide, and answers with every decision.
func commitIn(ctx context.Context, s *session.Session, by session.By, e session.Ending, decide func(context.Context, session.By, session.Ending) (editing.Result, bool, error)) Outcome {
	res, ended, err := decide(ctx, by, e)
	switch {
	case err != nil:
		return failed(err)
	case !res.OK():
		return outcomeOf(s, res)
	case ended:
		return concluded(s, by, session.EndClosed, e)
	case len(s.Snapshot().Undecided(s.ID(), e.Edit)) > 0:
		return propose(s, by, e)
	}
	return concluded(s, by, session.EndDecided, e)
}

// concluded ends an editing session, or a task without one.
func concluded(s *session.Session, by session.By, way string, e session.Ending) Outcome {
	done, err := s.Conclude(by, way, e)
	if err != nil {
		return failed(err)
	}
	if !done.OK() {
		return outcomeOf(s, done.Result)
	}
	o := ended(s.Snapshot(), s.ID(), done.Result)
	if e.Edit == 0 {
		o.Summary = e.Summary + e.Reason
	}
	o.Task, o.TaskStack = taskState(done.Task), s.TaskStack()
	o.HistoryDelta = &HistoryDelta{MessagesRemoved: done.Delta.MessagesRemoved, TokensSaved: done.Delta.TokensSaved}
	if len(o.Files) == 1 {
		o.NewLength = new(s.LengthOf(e.Edit))
	}
	return besides(o, done.Left)
}

// ended tells an editing session that is closed.
func ended(snap *editing.Snapshot, owner string, res editing.Result) Outcome {
	o := Outcome{
		Status: res.Status, Hint: res.Hint, AppliedChanges: new(snap.Applied(owner, res.Session)), Decisions: snap.Decisions(owner, res.Session),
		Files: Paths(snap.FileNames(owner, res.Session, res.Status == StatusCommitted)...),
	}
	if res.Status == StatusCommitted {
		o.Totals = view.Totals(slices.DeleteFunc(snap.Of(owner, res.Session), func(c *editing.Change) bool { return !c.WasApplied() }))
	}
	if es, ok := snap.Session(owner, res.Session); ok {
		o.SessionID, o.Summary = es.ID(), orElse(es.Summary, es.Reason)
	}
	return o
}
