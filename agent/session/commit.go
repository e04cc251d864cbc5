package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// Commit answers memo_commit: it proposes or commits, by the review policy.
func (s *Session) Commit(ctx context.Context, a CommitArgs) Outcome {
	if err := s.refreshAll(); err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n, bad := s.theEdit(a.SessionID)
	if bad != nil {
		return *bad
	}
	pop := !s.set.Load().NoAutoPop
	if a.AutoPopTask != nil {
		pop = *a.AutoPopTask
	}
	if n == 0 {
		return s.commitNothing(a, pop)
	}
	return s.commit(ctx, n, a, pop)
}

// commitNothing: there is no editing session; the task is done all the same.
func (s *Session) commitNothing(a CommitArgs, pop bool) Outcome {
	o := Outcome{Status: StatusCommitted, Summary: a.Summary, AppliedChanges: new(0), Files: []File{}, Decisions: []Decision{}}
	t, err := s.popFor(0, pop, tasks.Completed, a.Summary)
	if err != nil {
		return failed(err)
	}
	return s.folded(o, 0, t, a.Decisions)
}

func (s *Session) commit(ctx context.Context, n int, a CommitArgs, pop bool) Outcome {
	snap := s.Snapshot()
	e, _ := snap.Session(s.me, n)
	left := snap.Undecided(s.me, n)
	switch {
	case !e.State.Open():
		return Refused(CodeState, fmt.Sprintf("editing session %s is %s already", e.ID(), e.State))
	case len(left) == 0:
		return s.close(n, a, pop)
	case s.set.Load().Review == editing.Auto && closedOnly(snap, left):
		return s.commitNow(n, a, pop)
	case s.set.Load().Review == editing.Wait && s.set.Load().Decide != nil:
		return s.commitWait(ctx, n, a, pop)
	}
	return s.propose(n, a, pop)
}

// closedOnly: an open document is its editor's to change.
func closedOnly(snap *editing.Snapshot, cs []*editing.Change) bool {
	return !slices.ContainsFunc(cs, func(c *editing.Change) bool {
		d, ok := snap.Document(c.Path)
		return ok && d.Open
	})
}

func (s *Session) propose(n int, a CommitArgs, pop bool) Outcome {
	res, err := s.do(memory.TypeEdit, "propose", a.Summary, editing.Propose(s.me, n, a.Summary, a.Decisions), nil)
	if err != nil {
		return failed(err)
	}
	if !res.OK() {
		return s.outcome(res)
	}
	t, err := s.popFor(n, pop, tasks.Completed, a.Summary)
	if err != nil {
		return failed(err)
	}
	o := Outcome{
		Status: StatusProposed, SessionID: editing.SessionID(n), Summary: s.summaryOf(n), AppliedChanges: new(s.applied(n)),
		Files: Paths(s.fileNames(n, false)...), Decisions: s.decisions(n), Task: taskState(t), TaskStack: s.stack(),
		Hint: "the letters wait for the user's review; go on with other work, you are told what the user decides",
	}
	s.pending(&o, n, nil)
	return o
}

// commitWait asks the person and answers with every decision.
func (s *Session) commitWait(ctx context.Context, n int, a CommitArgs, pop bool) Outcome {
	res, err := s.do(memory.TypeEdit, "propose", a.Summary, editing.Propose(s.me, n, a.Summary, a.Decisions), nil)
	if err != nil {
		return failed(err)
	}
	if !res.OK() {
		return s.outcome(res)
	}
	decide := s.set.Load().Decide
	s.mu.Unlock()
	err = decide(ctx, s, n)
	s.mu.Lock()
	if err != nil {
		return failed(fmt.Errorf("the review: %w", err))
	}
	e, _ := s.Snapshot().Session(s.me, n)
	if e.State.Open() && len(s.Snapshot().Undecided(s.me, n)) > 0 {
		return s.propose(n, a, pop)
	}
	s.news = nil // the answer tells every decision
	if e.State.Open() {
		return s.close(n, a, pop)
	}
	s.unfolded = slices.DeleteFunc(s.unfolded, func(m int) bool { return m == n })
	return s.closed(n, a.Decisions, pop)
}

// commitNow takes everything in, closed files on disk.
func (s *Session) commitNow(n int, a CommitArgs, pop bool) Outcome {
	res, err := s.do(memory.TypeEdit, "commit", a.Summary, editing.Commit(s.me, n, a.Summary, a.Decisions), nil)
	if err != nil {
		return failed(err)
	}
	if !res.OK() {
		return s.commitRefused(n, res)
	}
	return s.closed(n, a.Decisions, pop)
}

// commitRefused names the files that stand in the way.
func (s *Session) commitRefused(n int, res editing.Result) Outcome {
	o := s.outcome(res)
	for _, c := range s.Snapshot().Undecided(s.me, n) {
		if c.State == editing.Conflict {
			o.Files = append(o.Files, File{Path: c.Name, Code: CodeUserEdit, Message: "change " + c.Letter + " is in conflict with the user's text"})
		}
	}
	return o
}

// close ends an editing session whose letters are all decided.
func (s *Session) close(n int, a CommitArgs, pop bool) Outcome {
	op := func() (editing.Result, error) {
		if a.Summary != "" || len(a.Decisions) > 0 {
			if res, err := s.do(memory.TypeEdit, "propose", a.Summary, editing.Propose(s.me, n, a.Summary, a.Decisions), nil); err != nil || !res.OK() {
				return res, err
			}
		}
		return s.do(memory.TypeEdit, "close", a.Summary, editing.Close(s.me, n), nil)
	}
	res, err := op()
	if err != nil {
		return failed(err)
	}
	if !res.OK() {
		return s.outcome(res)
	}
	return s.closed(n, a.Decisions, pop)
}

// closed answers for an editing session that is over: the task goes, the history
// is folded.
func (s *Session) closed(n int, decisions []string, pop bool) Outcome {
	e, _ := s.Snapshot().Session(s.me, n)
	state, status := tasks.Completed, StatusCommitted
	if e.State == editing.Reverted {
		state, status = tasks.Reverted, StatusReverted
	}
	t, err := s.popFor(n, pop, state, orElse(e.Summary, e.Reason))
	if err != nil {
		return failed(err)
	}
	o := Outcome{
		Status: status, SessionID: e.ID(), Summary: orElse(e.Summary, e.Reason), AppliedChanges: new(s.applied(n)),
		Files: Paths(s.fileNames(n, status == StatusCommitted)...), Decisions: s.decisions(n),
	}
	if len(o.Files) == 1 {
		o.NewLength = new(s.lengthOf(n))
	}
	if err := s.closeEvents(n, decisions); err != nil {
		return failed(err)
	}
	return s.folded(o, n, t, decisions)
}

// popFor pops the current task if it is the one of editing session n.
func (s *Session) popFor(n int, pop bool, state tasks.State, summary string) (*tasks.Task, error) {
	cur, ok := s.tasks.Current()
	if !ok || !pop {
		return nil, nil
	}
	if e, found := s.Snapshot().Session(s.me, n); found && e.Task != cur.ID {
		return nil, nil
	}
	return s.pop(state, summary)
}

func taskState(t *tasks.Task) *TaskState {
	if t == nil {
		return nil
	}
	return &TaskState{ID: strconv.Itoa(t.ID), State: string(t.State)}
}

func (s *Session) summaryOf(n int) string {
	e, _ := s.Snapshot().Session(s.me, n)
	return e.Summary
}

func (s *Session) applied(n int) int {
	count := 0
	for _, c := range s.Snapshot().Of(s.me, n) {
		if c.WasApplied() {
			count++
		}
	}
	return count
}

// lengthOf is the length in code points of the one file of a session.
func (s *Session) lengthOf(n int) int {
	for _, c := range s.Snapshot().Of(s.me, n) {
		if t, ok := s.textOf(c.Path); ok {
			return t.Chars()
		}
	}
	return 0
}

// textOf is a file's text as it is now: the table may know it no more.
func (s *Session) textOf(path string) (text.Text, bool) {
	if d, ok := s.Snapshot().Document(path); ok {
		return d.Base, true
	}
	t, err := s.set.Load().roots.Read(path)
	return t, err == nil
}

// CommitAuto answers memo_commit_auto: the recommended candidate of an open list
// is taken first, and the summary is made from the changes.
func (s *Session) CommitAuto(ctx context.Context) Outcome {
	if o, stop := s.takeRecommended(); stop {
		return o
	}
	return s.Commit(ctx, CommitArgs{Summary: s.autoSummary()})
}

func (s *Session) takeRecommended() (Outcome, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, bad := s.theEdit("")
	if bad != nil || n == 0 {
		return Outcome{}, false
	}
	res, err := s.do(memory.TypeEdit, "stage", "", editing.TakeRecommended(s.me, n, s.meta("")), nil)
	if err != nil {
		return failed(err), true
	}
	if res.Status == "" || res.OK() {
		return Outcome{}, false
	}
	return s.outcome(res), true
}

// autoSummary says what the current editing session changes.
func (s *Session) autoSummary() string {
	n, _ := s.theEdit("")
	var parts []string
	for _, c := range s.Snapshot().Undecided(s.me, n) {
		parts = append(parts, fmt.Sprintf("%s in %s", s.Snapshot().Summary(c), c.Name))
	}
	if len(parts) == 0 {
		return "no changes"
	}
	const most = 3
	if more := len(parts) - most; more > 0 {
		parts = append(parts[:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

// Revert answers memo_revert.
func (s *Session) Revert(_ context.Context, a RevertArgs) Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, bad := s.theEdit(a.SessionID)
	if bad != nil {
		return *bad
	}
	if n == 0 {
		t, err := s.popFor(0, true, tasks.Reverted, a.Reason)
		if err != nil {
			return failed(err)
		}
		return s.folded(Outcome{Status: StatusReverted, Summary: a.Reason, AppliedChanges: new(0), Files: []File{}, Decisions: []Decision{}}, 0, t, a.Decisions)
	}
	res, err := s.do(memory.TypeEdit, "revert", a.Reason, editing.Revert(s.me, n, a.Reason, a.Decisions), nil)
	if err != nil {
		return failed(err)
	}
	if !res.OK() {
		return s.outcome(res)
	}
	return s.closed(n, a.Decisions, true)
}

// hashes are the files of an editing session with the beginning of their hashes.
func (s *Session) hashes(n int, applied bool) []string {
	var out []string
	for _, c := range s.Snapshot().Of(s.me, n) {
		t, ok := s.textOf(c.Path)
		if !ok || applied && !c.WasApplied() {
			continue
		}
		line := fmt.Sprintf("%s (sha256 %s)", c.Name, short(t))
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

func short(t text.Text) string { return t.Hash().String()[:12] }
