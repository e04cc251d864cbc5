package session

import (
	"fmt"
	"slices"

	"github.com/galley-ls/galley/editing"
)

// outcome makes the answer of an operation on staged changes.
func (s *Session) outcome(res editing.Result) Outcome {
	o := Outcome{Status: res.Status, Code: res.Code, Hint: res.Hint, Preview: res.Preview}
	if res.Status == "" {
		o.Status = StatusOK
	}
	if d, ok := s.Snapshot().Document(res.Path); ok {
		o.Path = d.Name
	}
	if res.Present != "" {
		o.Text = &res.Present
	}
	if len(res.Candidates) > 0 {
		o.Total = new(res.Total)
		o.Candidates = candidates(res.Candidates)
	}
	if res.Session != 0 {
		o.SessionID = editing.SessionID(res.Session)
	}
	if res.Status == StatusEditing {
		s.pending(&o, res.Session, res.Touched)
		o.NextActions = []string{"memo_commit(summary)", "memo_revert(reason)", "memory_notebook_replace(…)"}
		if !s.set.Load().NoPreview {
			o.Preview = s.Snapshot().Preview(s.me, res.Session, s.set.Load().Preview)
		}
	}
	return o
}

func candidates(cs []editing.Candidate) []Candidate {
	out := make([]Candidate, len(cs))
	for i, c := range cs {
		out[i] = Candidate{
			MatchID: c.ID, Line: c.Line, Text: c.Text, Context: c.Context, Diff: c.Diff, ChangeID: c.Change,
			Recommended: c.Recommended, Why: c.Why,
		}
	}
	return out
}

// pending lists the undecided letters of an editing session; those that the call
// touched carry their preview.
func (s *Session) pending(o *Outcome, edit int, touched []string) {
	snap := s.Snapshot()
	o.PendingChanges = []PendingChange{}
	for _, c := range snap.Undecided(s.me, edit) {
		w := snap.Where(c)
		p := PendingChange{
			ChangeID: c.Letter, Revision: c.Revision, Path: c.Name, Line: w.Line, Position: w.Position,
			OldLength: w.OldLength, Delta: w.Delta, Summary: snap.Summary(c),
		}
		if c.State != editing.Staged {
			p.State = string(c.State)
		}
		if slices.Contains(touched, c.Letter) {
			one := s.set.Load().Preview
			one.ContextLines = -1
			p.Preview = snap.ChangePreview(c, one)
		}
		o.PendingChanges = append(o.PendingChanges, p)
	}
}

// decisions says what became of each letter of an editing session.
func (s *Session) decisions(edit int) []Decision {
	out := []Decision{}
	for _, c := range s.Snapshot().Of(s.me, edit) {
		if c.State == editing.Merged {
			continue
		}
		state := c.State
		if state == editing.Closed && c.Was != "" && !c.Was.Undecided() {
			state = c.Was
		}
		out = append(out, Decision{ChangeID: c.Letter, State: string(state), Reason: verdict(c)})
	}
	return out
}

func verdict(c *editing.Change) string {
	if c.By != "" {
		return "by the user himself"
	}
	return c.Verdict
}

// fileNames are the files of an editing session.
func (s *Session) fileNames(edit int, applied bool) []string {
	var out []string
	for _, c := range s.Snapshot().Of(s.me, edit) {
		if applied && !c.WasApplied() || slices.Contains(out, c.Name) {
			continue
		}
		out = append(out, c.Name)
	}
	slices.Sort(out)
	return out
}

// Preview answers memo_preview.
func (s *Session) previewText(edit int, a PreviewArgs) (string, *Outcome) {
	o := s.set.Load().Preview
	o.Format, o.Letter = a.Format, a.ChangeID
	if a.Path != "" {
		p, err := s.set.Load().roots.Resolve(a.Path, false)
		if err != nil {
			bad := failed(err)
			return "", &bad
		}
		o.Name = p.Rel
	}
	if a.ContextLines != nil {
		o.ContextLines = *a.ContextLines
		if o.ContextLines == 0 {
			o.ContextLines = -1
		}
	}
	if a.MaxLength != nil {
		o.MaxLength = *a.MaxLength
	}
	return s.Snapshot().Preview(s.me, edit, o), nil
}

// theEdit is the editing session that a call means: the named one, else the one
// of the current task, else the only open one.
func (s *Session) theEdit(id string) (int, *Outcome) {
	n, ok := EditNumber(id)
	if !ok {
		o := Refused(CodeBadArguments, fmt.Sprintf("session_id is %q; it looks like sess-3", id))
		return 0, &o
	}
	if n != 0 {
		if _, ok := s.Snapshot().Session(s.me, n); !ok {
			o := Refused(CodeBadArguments, fmt.Sprintf("there is no editing session %s", id))
			return 0, &o
		}
		return n, nil
	}
	task := 0
	if t, ok := s.tasks.Current(); ok {
		task = t.ID
	}
	if e, ok := s.Snapshot().Current(s.me, task); ok {
		return e.N, nil
	}
	for _, e := range slices.Backward(s.OpenEdits()) {
		if e.Task == task {
			return e.N, nil
		}
	}
	return 0, nil
}
