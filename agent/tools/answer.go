package tools

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/tasks"
)

// failed turns an error of the core, the disk or the journal into an answer.
func failed(err error) Outcome {
	var (
		r *session.Refusal
		d *disk.Error
		t *tasks.Error
	)
	switch {
	case errors.As(err, &r):
		o := Answer(r.Code, r.Hint)
		o.Path = r.Path
		return o
	case errors.As(err, &d):
		if d.Code == disk.CodeIO || d.Code == disk.CodeReadOnly || d.Code == disk.CodeChanged { // words for one file of a commit
			return Refused(CodeFailed, err.Error())
		}
		return Answer(d.Code, d.Hint)
	case errors.As(err, &t):
		return Refused(t.Code, t.Hint)
	}
	return Refused(CodeFailed, err.Error())
}

// failedOn does so for a call about a file.
func failedOn(path string, err error) Outcome {
	o := failed(err)
	o.Path = orElse(o.Path, path)
	return o
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// answered is a result in the words of an answer.
func answered(res editing.Result) Outcome {
	o := Outcome{Status: orElse(res.Status, StatusOK), Code: res.Code, Hint: res.Hint}
	if res.Present != "" || res.Code == CodeMemoryHash {
		o.Text = &res.Present
	}
	if len(res.Candidates) > 0 {
		o.Total, o.Candidates = new(res.Total), res.Candidates
	}
	for _, f := range res.Files {
		o.Files = append(o.Files, File{Path: f.Path, Code: orElse(f.Code, "io"), Message: f.Message})
	}
	if res.Session != 0 {
		o.SessionID = editing.SessionID(res.Session)
	}
	return o
}

// outcomeOf makes the answer of an operation on staged changes.
func outcomeOf(s *session.Session, res editing.Result) Outcome {
	o, set := answered(res), s.Settings()
	if res.Trial != nil {
		o.SessionID, o.Preview = "", view.Preview(res.Trial, res.Owner, res.Session, set.Preview)
	}
	if res.Status == StatusEditing {
		o.PendingChanges = pending(s.Snapshot(), s.ID(), res.Session, res.Touched, set.Preview)
		o.NextActions = []string{"memo_commit(summary)", "memo_revert(reason)", "memory_notebook_replace(…)"}
		o.Hint = strings.TrimPrefix(o.Hint+again(s.Snapshot(), res.Touched), "; ")
		if !set.NoPreview {
			o.Preview = view.Preview(s.Snapshot(), s.ID(), res.Session, set.Preview)
		}
	}
	return o
}

// again tells a call that it has staged what the user rejected before.
func again(snap *editing.Snapshot, touched []string) (hint string) {
	for _, letter := range touched {
		c, ok := snap.Change(letter)
		if !ok || c.Again == nil {
			continue
		}
		hint += "; the user has rejected this very edit before, as " + c.Again.Letter
		if c.Again.Verdict != "" {
			hint += fmt.Sprintf(": %q", c.Again.Verdict)
		}
		hint += "; take " + letter + " back with memo_drop, unless they asked for it since, and do what they said"
	}
	return hint
}

// Decided tells what became of a person's decision on the letters of a session.
func Decided(snap *editing.Snapshot, owner string, res editing.Result, err error) Outcome {
	if err != nil {
		return failed(err)
	}
	switch res.Status {
	case StatusCommitted, StatusReverted:
		return ended(snap, owner, res)
	}
	o := answered(res)
	for _, l := range res.Touched {
		if c, ok := snap.Change(l); ok {
			o.SessionID = editing.SessionID(c.Session)
			o.Decisions = append(o.Decisions, c.Decision())
		}
	}
	if n, _ := EditNumber(o.SessionID); n != 0 && len(res.Files) == 0 {
		o.PendingChanges = pending(snap, owner, n, nil, view.Options{})
	}
	return o
}

// waiting lists the undecided letters of an editing session.
func waiting(s *session.Session, edit int) []PendingChange {
	return pending(s.Snapshot(), s.ID(), edit, nil, view.Options{})
}

// pending lists the undecided letters of an editing session; those that the call
// touched carry their preview.
func pending(snap *editing.Snapshot, owner string, edit int, touched []string, how view.Options) []PendingChange {
	how.ContextLines = -1
	out := []PendingChange{}
	for _, c := range snap.Undecided(owner, edit) {
		w := view.WhereIs(snap, c)
		p := PendingChange{
			ChangeID: c.Letter, Revision: c.Revision, Path: c.Name, Line: w.Line, Position: w.Position,
			OldLength: w.OldLength, Delta: w.Delta, Summary: view.Summary(snap, c),
		}
		if c.State != editing.Staged {
			p.State = string(c.State)
		}
		if slices.Contains(touched, c.Letter) {
			p.Preview = orElse(view.Places(snap, c, how), p.Summary) // a rename has no lines
		}
		out = append(out, p)
	}
	return out
}

// theEdit is the editing session that a call means: the named one, else the one
// of the current task; 0 if there is none.
func theEdit(s *session.Session, id string) (int, error) {
	n, ok := EditNumber(id)
	if !ok {
		return 0, &session.Refusal{Code: CodeBadArguments, Hint: fmt.Sprintf("session_id is %q; it looks like sess-3", id)}
	}
	if n != 0 {
		if _, ok := s.Snapshot().Session(s.ID(), n); !ok {
			return 0, &session.Refusal{Code: CodeBadArguments, Hint: fmt.Sprintf("there is no editing session %s", id)}
		}
		return n, nil
	}
	return s.CurrentEdit(), nil
}
